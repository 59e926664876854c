# SPDX-License-Identifier: GPL-2.0
"""Usage: random_faults.py SEED RUNS DIRECTORY

Write scenarios whose cases have random faults, and print the name of each file. RUNS is
the number of cases with faults. SEED determines all random choices. A scenario has one
fabric, one workload, a case without faults, and up to five cases with two to four
faults each. The workload is a collective, or a program of perftest. All packets are
recorded at the ports of the nodes."""
import random
import sys

# At most this many cases with faults per scenario: one fabric serves them all
CASES = 5
STEPS = 4
# The retransmission timer of perftest
TIMEOUT = 12

# Rules without effect that record all packets. A rule for CNPs hits no packet, but its
# steps are recorded. A program without steps needs rules that hit all packets.
RECORD_STEPS = [f'rule add v1 tx class cnp step 1-{STEPS} observe']
RECORD_ALL = [f'observe v{node} {direction} all' for node in (1, 2) for direction in ('tx', 'rx')]

# Classes of packets of each protocol of collperf, and of each program of perftest
REQUESTS = {'write': ['write'], 'send': ['send'], 'read': ['send', 'read-request'],
            'ib_write_bw': ['write'], 'ib_send_bw': ['send'], 'ib_read_bw': ['read-request'],
            'ib_atomic_bw': ['atomic']}
RESPONSES = {'write': ['ack'], 'send': ['ack'], 'read': ['ack', 'read-response'],
             'ib_write_bw': ['ack'], 'ib_send_bw': ['ack'], 'ib_read_bw': ['read-response'],
             'ib_atomic_bw': ['ack']}


def fabric(rng):
    """Return the keys of a fabric, its number of nodes, and its ports: a list for the
    nodes, a list for the switches, and a list for the links between switches."""
    shape = rng.choice(['star', 'star', 'chain', 'leaf-spine', 'leaf-spine'])
    nodes = rng.choice([2, 3, 4]) if shape == 'star' else 4
    keys = f'nodes: {nodes}, shape: {shape}'
    links = []
    if shape == 'chain':
        links = ['s1s2', 's2s1']
    elif shape == 'leaf-spine':
        spines = rng.choice([1, 2])
        keys += f', spines: {spines}'
        links = [f'l{leaf}s{spine}' for leaf in (1, 2) for spine in range(1, spines + 1)]
        links += [f's{spine}l{leaf}' for leaf in (1, 2) for spine in range(1, spines + 1)]
    if rng.random() < 0.4:
        keys += f', rate: {rng.choice(["500mbit", "1gbit", "4gbit"])}'
        keys += f', delay: {rng.choice(["0ms", "20us", "200us"])}'
    numbers = range(1, nodes + 1)
    return keys, nodes, ([f'v{i}' for i in numbers], [f'p{i}' for i in numbers], links)


def trigger(rng):
    """Return the words of a trigger."""
    return rng.choice([
        f'nth {rng.randint(1, 12)} count 1',
        f'nth {rng.randint(1, 30)} count 1',
        f'nth {rng.randint(1, 12)} burst {rng.randint(2, 5)} count {rng.randint(2, 5)}',
        f'every {rng.randint(5, 20)} count {rng.randint(1, 3)}',
        f'probability {rng.choice([1, 3, 10])}%',
    ])


def fault(rng, protocol, ports):
    """Return the command of one fault."""
    kind = rng.choice(['drop'] * 6 + ['delay', 'reorder', 'duplicate', 'corrupt', 'mark', 'nak',
                                      'rnr', 'blackhole', 'observe'])
    group = rng.choice([group for group in ports if group])
    port, direction = rng.choice(group), rng.choice(['tx', 'rx'])
    requests = kind in ('nak', 'rnr') or rng.random() < 0.65
    words = f'class {rng.choice((REQUESTS if requests else RESPONSES)[protocol])}'
    if not protocol.startswith('ib_'):
        words += f' step {rng.choice(["2", "3", "2-3"])}'
    if rng.random() < 0.6:
        words += ' attempt 1'
    if kind in ('nak', 'rnr') or rng.random() < 0.9:
        words += ' ' + trigger(rng)
    else:
        words += f' nth {rng.randint(1, 9)} burst {rng.randint(2, 16)} count 16'
    action = {
        'delay': f'delay {rng.choice(["50us", "400us", "3ms", "20ms", "100ms"])}',
        'reorder': f'reorder {rng.randint(1, 6)}',
        'duplicate': f'duplicate {rng.randint(1, 2)} after {rng.choice(["0ms", "30us", "1ms"])}',
        'corrupt': f'corrupt {rng.choice(["bit", "icrc"])}',
        'nak': 'nak psn-sequence',
        'rnr': f'rnr {rng.choice([1, 12, 16])}',
        'blackhole': f'blackhole {rng.choice(["100us", "1ms", "10ms"])}'
                     f'{rng.choice(["", " both"])}',
    }.get(kind, kind)
    return f'rule add {port} {direction} {words} {action}'


def collective(rng):
    """Return the lines of a workload that is a collective, its protocol and its ports."""
    keys, nodes, ports = fabric(rng)
    protocol = rng.choice(['write', 'send', 'read'])
    options = f'--protocol {protocol}'
    if rng.random() < 0.5:
        options += f' --psn {0xffffff - rng.randint(8, 200):#x}'
    if rng.random() < 0.2:
        options += ' --qps-per-peer 2'
    kind = rng.choice(['all_reduce', 'all_gather', 'alltoall', 'sendrecv'])
    size = rng.choice(['32KiB', '64KiB', '128KiB'])
    timeout, mtu = rng.choice([12, 14]), rng.choice([1024, 2048, 4096])
    return [f'fabric: {{{keys}}}',
            f'workload: {{collective: {kind}, ranks: {nodes}, size: {size}, steps: {STEPS},',
            f'           warmup: 1, compute: 2ms, options: "{options}"}}',
            f'qp: {{timeout: {timeout}, retry-cnt: 6, mtu: {mtu}}}'], protocol, ports


def perftest(rng):
    """Return the lines of a workload that is a program of perftest, the program, and its
    ports."""
    program = rng.choice(['ib_write_bw', 'ib_send_bw', 'ib_read_bw'] + ['ib_atomic_bw'] * 3)
    options = f'-x 1 -F -u {TIMEOUT} -n {rng.randint(10, 40)}'
    if program != 'ib_atomic_bw':
        options += f' -s {rng.choice([64, 4096, 20000])}'
    server, client = f'{program} -d rxe2 {options}', f'{program} -d rxe1 {options} 127.0.0.1'
    return ['fabric: {nodes: 2}',
            'workload:',
            f'  command: "{server} >/dev/null 2>&1 & sleep 1; {client} >/dev/null 2>&1; s=$?;',
            '    wait; exit $s"',
            '  ranks: 2',
            f'qp: {{timeout: {TIMEOUT}}}'], program, (['v1', 'v2'], ['p1', 'p2'], [])


def scenario(rng, name, cases):
    """Return the text of a scenario with this number of cases with faults."""
    workload, protocol, ports = (perftest if rng.random() < 0.2 else collective)(rng)
    record = RECORD_ALL if protocol.startswith('ib_') else RECORD_STEPS
    lines = [f'name: {name}', 'title: Random faults', *workload,
             f'seed: {rng.randint(1, 10000)}', 'cases:', '  - name: clean']
    for case in range(1, cases + 1):
        faults = [fault(rng, protocol, ports) for _ in range(rng.randint(2, 4))]
        lines += [f'  - name: random{case}', '    faults:']
        lines += [f'      - do: {words}' for words in record + faults]
    return '\n'.join(lines) + '\n'


def main():
    """Write the scenarios."""
    seed, runs, directory = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    rng = random.Random(seed)
    number = 0
    while runs > 0:
        number += 1
        cases = min(runs, CASES)
        runs -= cases
        path = f'{directory}/random-{number}.yaml'
        with open(path, 'w', encoding='utf-8') as f:
            f.write(scenario(rng, f'random-{number}', cases))
        print(path)


if __name__ == '__main__':
    main()
