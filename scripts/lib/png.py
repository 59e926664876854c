# SPDX-License-Identifier: GPL-2.0
"""Read and write PNG images."""
import struct
import sys
import zlib


def chunks(data):
    """Yield the name and content of each chunk."""
    at = 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        yield name, data[at + 8:at + 8 + length]
        at += length + 12


def unfilter(kind, line, above, step):
    """Undo the filter of a line."""
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        up = above[i]
        corner = above[i - step] if i >= step else 0
        if kind == 1:
            line[i] = (line[i] + left) & 255
        elif kind == 2:
            line[i] = (line[i] + up) & 255
        elif kind == 3:
            line[i] = (line[i] + (left + up) // 2) & 255
        elif kind == 4:
            near = left + up - corner
            a, b, c = abs(near - left), abs(near - up), abs(near - corner)
            best = left if a <= b and a <= c else up if b <= c else corner
            line[i] = (line[i] + best) & 255
    return line


def lines(data):
    """The lines of a PNG of 8 bits, RGB or RGBA, not interlaced: lists of pixels in bytes."""
    parts = list(chunks(data))
    width, height, depth, kind = struct.unpack(">IIBB", parts[0][1][:10])
    if data[:4] != b"\x89PNG" or depth != 8 or kind not in (2, 6):
        sys.exit("not a PNG of 8 bits, RGB or RGBA")
    step = 3 if kind == 2 else 4
    raw = zlib.decompress(b"".join(c for name, c in parts if name == b"IDAT"))
    stride = width * step + 1
    above = bytearray(width * step)
    for y in range(height):
        line = bytearray(raw[y * stride + 1:(y + 1) * stride])
        above = unfilter(raw[y * stride], line, above, step)
        yield [bytes(above[x:x + step]) for x in range(0, len(above), step)]


def indexed(pixels, palette):
    """A PNG with a palette of at most 256 RGB colours; PIXELS: lines of indexes."""
    def chunk(name, content):
        return (struct.pack(">I", len(content)) + name + content +
                struct.pack(">I", zlib.crc32(name + content)))
    raw = b"".join(b"\0" + bytes(line) for line in pixels)
    return b"".join([
        b"\x89PNG\r\n\x1a\n",
        chunk(b"IHDR", struct.pack(">IIBBBBB", len(pixels[0]), len(pixels), 8, 3, 0, 0, 0)),
        chunk(b"PLTE", b"".join(palette)),
        chunk(b"IDAT", zlib.compress(raw, 9)),
        chunk(b"IEND", b"")])
