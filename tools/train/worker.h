/* SPDX-License-Identifier: GPL-2.0 */
/* A thread that does numbered jobs, in their order, while others are made. */
#ifndef TR_WORKER_H
#define TR_WORKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct tr_worker - the thread
 * @job: does number @i; not 0: it failed, and no other is done
 * @arg: for @job
 * @thread: runs from tr_worker_start() to tr_worker_stop()
 * @lock: of all that follows
 * @moved: something of it did
 * @given: jobs that may be done
 * @done: jobs that are
 * @ret: of the job that failed
 * @started: the thread is there
 * @quit: it has to go
 */
struct tr_worker {
	int (*job)(void *arg, uint32_t i);
	void *arg;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t moved;
	uint32_t given, done;
	int ret;
	bool started, quit;
};

int tr_worker_start(struct tr_worker *w);
void tr_worker_give(struct tr_worker *w);
int tr_worker_wait(struct tr_worker *w, uint32_t jobs);
void tr_worker_stop(struct tr_worker *w);

#endif
