# SPDX-License-Identifier: GPL-2.0
#
# Fetch a URL some times, write the data to a file, and print the longest time. The program knows
# only TCP.
#
#   fetch.py URL TIMES FILE
import sys
import time
import urllib.request

url, times, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
longest = 0
for _ in range(times):
    start = time.monotonic()
    with urllib.request.urlopen(url) as reply:
        data = reply.read()
    longest = max(longest, time.monotonic() - start)
with open(path, "wb") as file:
    file.write(data)
print(f"longest {longest * 1000:.3f} ms")
