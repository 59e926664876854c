// SPDX-License-Identifier: GPL-2.0
/*
 * Sum a vector of four ranks 10 times with gloo over verbs, and compare the sums. Each all-reduce is a
 * step. Rank 0 prints the mean and the longest time.
 *
 *   allreduce ring|chunked|halving RANK DEVICE DIRECTORY
 *
 * The ranks find each other through files in DIRECTORY.
 */
#include <gloo/allreduce_halving_doubling.h>
#include <gloo/allreduce_ring.h>
#include <gloo/allreduce_ring_chunked.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/ibverbs/device.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

extern "C" int rf_step_announce(uint32_t step);	/* rdmafault/step.h */

static const int RANKS = 4, COUNT = 65536, ROUNDS = 10;

static std::unique_ptr<gloo::Algorithm> choose(const std::string &name,
					       const std::shared_ptr<gloo::Context> &context,
					       float *data)
{
	const std::vector<float *> vectors = { data };

	if (name == "ring")
		return std::make_unique<gloo::AllreduceRing<float>>(context, vectors, COUNT);
	if (name == "chunked")
		return std::make_unique<gloo::AllreduceRingChunked<float>>(context, vectors, COUNT);
	if (name == "halving")
		return std::make_unique<gloo::AllreduceHalvingDoubling<float>>(context, vectors,
									       COUNT);
	fprintf(stderr, "allreduce: %s: no such algorithm; ring, chunked or halving\n",
		name.c_str());
	exit(2);
}

/* Wait until all ranks have called this function with the same name. */
static void barrier(gloo::rendezvous::Store &store, const std::string &name, int rank)
{
	std::vector<std::string> all;

	for (int i = 0; i < RANKS; i++)
		all.push_back(name + std::to_string(i));
	store.set(all[rank], { 1 });
	store.wait(all);
}

int main(int argc, char **argv)
{
	std::vector<float> data(COUNT);
	double sum = 0, longest = 0;
	int wrong = 0;

	if (argc != 5) {
		fprintf(stderr, "usage: allreduce ring|chunked|halving RANK DEVICE DIRECTORY\n");
		return 2;
	}

	const int rank = atoi(argv[2]);
	/* Index 1 is the GID of the IPv4 address. */
	const gloo::transport::ibverbs::attr attr = { argv[3], 1, 1 };
	auto device = gloo::transport::ibverbs::CreateDevice(attr);
	auto context = std::make_shared<gloo::rendezvous::Context>(rank, RANKS);
	gloo::rendezvous::FileStore store(argv[4]);

	context->connectFullMesh(store, device);
	/* Before this, packets are lost, because the peer's queue pair is not connected yet. */
	barrier(store, "connected", rank);
	auto algorithm = choose(argv[1], context, data.data());
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < COUNT; i++)
			data[i] = rank + i % 1000 + round;
		rf_step_announce(round + 1);
		const auto start = std::chrono::steady_clock::now();
		algorithm->run();
		const std::chrono::duration<double, std::micro> took =
			std::chrono::steady_clock::now() - start;
		sum += took.count();
		longest = std::max(longest, took.count());
		for (int i = 0; i < COUNT; i++)
			wrong += data[i] != RANKS * (RANKS - 1) / 2 + RANKS * (i % 1000 + round);
	}
	rf_step_announce(0);
	if (!rank)
		printf("mean %.0f us, longest %.0f us\n", sum / ROUNDS, longest);
	printf("rank %d: wrong %d\n", rank, wrong);
	fflush(stdout);
	/* The last packets may still be retransmitted; gloo aborts if a buffer is destroyed then. */
	barrier(store, "done", rank);
	_exit(wrong != 0);
}
