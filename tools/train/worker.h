/* SPDX-License-Identifier: GPL-2.0 */
/* A thread that executes numbered jobs in order, one for each call of tr_worker_give() */
#ifndef TR_WORKER_H
#define TR_WORKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct tr_worker - the thread
 * @job: function that executes job @i; after it returns an error, no job is executed
 * @arg: argument of @job
 * @thread: runs from tr_worker_start() to tr_worker_stop()
 * @lock: protects the following members
 * @moved: signals a change of the following members
 * @given: number of calls of tr_worker_give() since the last tr_worker_wait()
 * @done: number of completed jobs
 * @ret: error of the job that failed
 * @started: the thread exists
 * @quit: the thread must end
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
