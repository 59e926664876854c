# SPDX-License-Identifier: GPL-2.0
#
# Train a small network on images of handwritten digits, with DistributedDataParallel over
# MPI. Each rank trains on its part of the images; DDP sums the gradients in each step.
#
#   mpirun -n 4 python3 ddp.py DIGITS.csv STEPS WEIGHTS
#
# Rank 0 prints the loss of each step, also in hexadecimal, which is exact, and writes the
# trained weights to the file WEIGHTS. Each rank prints the hash of its weights.
import hashlib
import sys

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

IMAGES = 64     # of each rank in each step


def part_of(data, step, rank, ranks):
    at = (step * ranks + rank) * IMAGES % (len(data) - IMAGES)
    return data[at:at + IMAGES, :64] / 16, data[at:at + IMAGES, 64].long()


def main(path, steps, result):
    dist.init_process_group("mpi")
    rank, ranks = dist.get_rank(), dist.get_world_size()
    with open(path) as lines:
        next(lines)     # names of the columns
        data = torch.tensor([[float(v) for v in line.split(",")] for line in lines])
    torch.manual_seed(7)
    net = torch.nn.Sequential(torch.nn.Linear(64, 1024), torch.nn.ReLU(),
                              torch.nn.Linear(1024, 10))
    model = DistributedDataParallel(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for step in range(steps):
        images, digits = part_of(data, step, rank, ranks)
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(images), digits)
        loss.backward()
        optimizer.step()
        if rank == 0:
            print(f"step {step + 1} loss {loss.item():.4f} {loss.item().hex()}", flush=True)
    weights = b"".join(p.detach().numpy().tobytes() for p in net.parameters())
    if rank == 0:
        with open(result, "wb") as file:
            file.write(weights)
    print(f"rank {rank} weights {hashlib.sha256(weights).hexdigest()}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
