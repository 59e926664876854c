/* SPDX-License-Identifier: GPL-2.0 */
/* Format of messages outside the data path: frames with a header and data */
#ifndef COLL_WIRE_H
#define COLL_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "wait.h"

#define COLL_WIRE_MAGIC	0x31706f63u	/* a host with the other byte order reads another value */

enum coll_frame_kind {
	COLL_FRAME_HELLO,		/* hello of a client */
	COLL_FRAME_SEEN,		/* rank 0 has accepted the hello */
	COLL_FRAME_READY,		/* all ranks have connected */
	COLL_FRAME_GATHER,	/* gather: one rank's part; from rank 0: all parts */
	COLL_FRAME_WORDS,		/* struct coll_words */
	COLL_FRAME_STATE,		/* struct coll_state of a rank that ends */
};

struct coll_frame {
	uint32_t magic;
	uint32_t kind;
	uint64_t len;
};

static inline struct coll_frame coll_frame(enum coll_frame_kind kind, uint64_t len)
{
	return (struct coll_frame){ COLL_WIRE_MAGIC, kind, len };
}

int coll_wire_send(int fd, const void *buf, size_t len,
		   const struct coll_waiter *w, uint64_t until_ns);
int coll_wire_recv(int fd, void *buf, size_t len, const struct coll_waiter *w,
		   uint64_t until_ns);
int coll_wire_skip(int fd, uint64_t len, const struct coll_waiter *w,
		   uint64_t until_ns);

#endif
