/* SPDX-License-Identifier: GPL-2.0 */
/* Format of messages outside the data path: frames with a header and data */
#ifndef CP_WIRE_H
#define CP_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "wait.h"

#define CP_WIRE_MAGIC	0x31706f63u	/* a host with the other byte order reads another value */

enum cp_frame_kind {
	CP_FRAME_HELLO,		/* hello of a client */
	CP_FRAME_SEEN,		/* rank 0 has accepted the hello */
	CP_FRAME_READY,		/* all ranks have connected */
	CP_FRAME_GATHER,	/* gather: one rank's part; from rank 0: all parts */
	CP_FRAME_WORDS,		/* struct cp_words */
	CP_FRAME_STATE,		/* struct cp_state of a rank that ends */
};

struct cp_frame {
	uint32_t magic;
	uint32_t kind;
	uint64_t len;
};

static inline struct cp_frame cp_frame(enum cp_frame_kind kind, uint64_t len)
{
	return (struct cp_frame){ CP_WIRE_MAGIC, kind, len };
}

int cp_wire_send(int fd, const void *buf, size_t len,
		 const struct cp_waiter *w, uint64_t until_ns);
int cp_wire_recv(int fd, void *buf, size_t len, const struct cp_waiter *w,
		 uint64_t until_ns);
int cp_wire_skip(int fd, uint64_t len, const struct cp_waiter *w,
		 uint64_t until_ns);

#endif
