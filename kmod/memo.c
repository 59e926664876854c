// SPDX-License-Identifier: GPL-2.0
/*
 * What a rule remembers of each flow or QP: that it was hit, or where its chain
 * stands. Notes are found by a 64-bit hash of what they are about.
 *
 * Strangers can make flows at will, so a memo has an end: in each bucket the
 * note that was used least recently is forgotten for a new one.
 */
#include "memo.h"

#ifdef __KERNEL__
#include <linux/slab.h>
#define take_zeroed(size)	kzalloc(size, GFP_ATOMIC | __GFP_NOWARN)
#define give_back(p)		kfree(p)
#else
#include <stdlib.h>
#define take_zeroed(size)	calloc(1, size)
#define give_back(p)		free(p)
#endif

#define BUCKETS		64
#define BUCKET_MAX	64

/**
 * struct rf_note - a note
 * @next: used before this one
 * @key: what it is about
 * @about: what it says
 */
struct rf_note {
	struct rf_note *next;
	u64 key;
	u64 about[];
};

static struct rf_note **bucket_of(struct rf_memo *memo, u64 key)
{
	return &memo->bucket[key % BUCKETS];
}

/**
 * rf_memo_find - read a note
 * @memo: the memo
 * @key: what the note is about
 *
 * Context: any; the caller serialises.
 * Return: what it says, or NULL if there is none.
 */
void *rf_memo_find(struct rf_memo *memo, u64 key)
{
	struct rf_note **link, *note;

	if (!memo->bucket)
		return NULL;
	for (link = bucket_of(memo, key); *link; link = &(*link)->next) {
		note = *link;
		if (note->key != key)
			continue;
		*link = note->next;
		note->next = *bucket_of(memo, key);
		*bucket_of(memo, key) = note;
		return note->about;
	}
	return NULL;
}

/* Forget what is behind the first @keep notes of a bucket. */
static void cut(struct rf_note **link, u32 keep)
{
	struct rf_note *note;

	while (*link && keep--)
		link = &(*link)->next;
	while ((note = *link)) {
		*link = note->next;
		give_back(note);
	}
}

/**
 * rf_memo_get - read a note, or begin one
 * @memo: the memo
 * @key: what the note is about
 * @size: bytes of a new one, which are 0
 *
 * Context: any; the caller serialises. Allocates without sleeping.
 * Return: what the note says, or NULL for want of memory.
 */
void *rf_memo_get(struct rf_memo *memo, u64 key, size_t size)
{
	void *about = rf_memo_find(memo, key);
	struct rf_note *note;

	if (about)
		return about;
	if (!memo->bucket)
		memo->bucket = take_zeroed(BUCKETS * sizeof(*memo->bucket));
	if (!memo->bucket)
		return NULL;
	note = take_zeroed(sizeof(*note) + size);
	if (!note)
		return NULL;
	cut(bucket_of(memo, key), BUCKET_MAX - 1);
	note->key = key;
	note->next = *bucket_of(memo, key);
	*bucket_of(memo, key) = note;
	return note->about;
}

/**
 * rf_memo_forget - forget everything
 * @memo: the memo, empty then
 *
 * Context: any.
 */
void rf_memo_forget(struct rf_memo *memo)
{
	u32 i;

	for (i = 0; memo->bucket && i < BUCKETS; i++)
		cut(&memo->bucket[i], 0);
	give_back(memo->bucket);
	memset(memo, 0, sizeof(*memo));
}
