// SPDX-License-Identifier: GPL-2.0
/*
 * The worker thread exchanges a bucket of the gradient while the rank computes the next
 * bucket. Only the worker uses the communicator from the start of the first bucket to the
 * end of the last one.
 */
#include <stddef.h>

#include "train.h"

static bool has_work(const struct tr_worker *w)
{
	return !w->ret && w->done < w->given;
}

static void *work(void *arg)
{
	struct tr_worker *w = arg;
	int ret;

	pthread_mutex_lock(&w->lock);
	for (;;) {
		while (!w->quit && !has_work(w))
			pthread_cond_wait(&w->moved, &w->lock);
		if (!has_work(w))
			break;
		pthread_mutex_unlock(&w->lock);
		ret = w->job(w->arg, w->done);
		pthread_mutex_lock(&w->lock);
		w->ret = ret;
		w->done += !ret;
		pthread_cond_broadcast(&w->moved);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/**
 * tr_worker_start() - start the thread
 * @w: the worker; @job and @arg are set
 *
 * Return: 0 or -errno.
 */
int tr_worker_start(struct tr_worker *w)
{
	int ret;

	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->moved, NULL);
	ret = pthread_create(&w->thread, NULL, work, w);
	w->started = !ret;
	return -ret;
}

/** tr_worker_give() - let the worker execute the next job */
void tr_worker_give(struct tr_worker *w)
{
	pthread_mutex_lock(&w->lock);
	w->given++;
	pthread_cond_broadcast(&w->moved);
	pthread_mutex_unlock(&w->lock);
}

/**
 * tr_worker_wait() - wait until all jobs are complete; the next job is job 0 again
 * @w: the worker
 * @jobs: number of calls of tr_worker_give()
 *
 * Return: 0, or the error of the job that failed.
 */
int tr_worker_wait(struct tr_worker *w, uint32_t jobs)
{
	int ret;

	pthread_mutex_lock(&w->lock);
	while (!w->ret && w->done < jobs)
		pthread_cond_wait(&w->moved, &w->lock);
	w->done = 0;
	w->given = 0;
	ret = w->ret;
	pthread_mutex_unlock(&w->lock);
	return ret;
}

/** tr_worker_stop() - end the thread after the current job */
void tr_worker_stop(struct tr_worker *w)
{
	if (!w->started)
		return;
	pthread_mutex_lock(&w->lock);
	w->quit = true;
	w->given = 0;
	pthread_cond_broadcast(&w->moved);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	pthread_mutex_destroy(&w->lock);
	pthread_cond_destroy(&w->moved);
	w->started = false;
}
