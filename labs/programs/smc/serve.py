# SPDX-License-Identifier: GPL-2.0
#
# Serve the files of a directory by HTTP, for some requests. The program knows only TCP.
#
#   serve.py ADDRESS PORT DIRECTORY REQUESTS
import functools
import http.server
import sys

address, port, directory, requests = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=directory)
with http.server.HTTPServer((address, port), handler) as server:
    print("Serving HTTP", flush=True)
    for _ in range(requests):
        server.handle_request()
