// SPDX-License-Identifier: GPL-2.0
/*
 * The state that a rule keeps of each flow or QP: its loss model, its burst, its
 * one hit. All notes have one type, and are told apart by the number of the flow,
 * which is never used again, or by address and QP. A hash only finds their place,
 * and has a random key.
 *
 * Traffic can make flows at will, so a memo has a limit: beyond it, the note that
 * was used least recently is removed. Which one that is doesn't depend on the
 * hash, so neither does any result.
 */
#include <linux/jhash.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <net/net_debug.h>

#include "hash.h"
#include "state.h"

#define TABLE_SIZE	256
#define NOTES_MAX	4096

static struct hlist_head *bucket_of(const struct rf_memo *memo,
				    const struct rf_note_key *key)
{
	u32 words[sizeof(*key) / sizeof(u32)];
	u32 hash;

	if (key->flow) {
		hash = jhash_2words(key->flow, key->flow >> 32, rf_hash_key);
	} else {
		memcpy(words, key, sizeof(words));
		hash = jhash2(words, sizeof(words) / sizeof(u32), rf_hash_key);
	}
	return &memo->table[hash % TABLE_SIZE];
}

static bool is_about(const struct rf_note *note, const struct rf_note_key *key)
{
	return note->key.flow == key->flow && note->key.qp == key->qp &&
	       note->key.addr_len == key->addr_len &&
	       !memcmp(note->key.addr, key->addr, sizeof(key->addr));
}

static struct rf_note *last_used(const struct rf_memo *memo)
{
	return list_first_entry(&memo->recent, struct rf_note, recent);
}

/**
 * rf_memo_find - find a note
 * @memo: the memo
 * @key: what the note is about
 *
 * Context: any; the caller serialises.
 * Return: the note, or NULL.
 */
struct rf_note *rf_memo_find(struct rf_memo *memo,
			     const struct rf_note_key *key)
{
	struct rf_note *note;

	if (!memo->count)
		return NULL;
	/* A packet asks several times, and another one often follows it. */
	if (is_about(last_used(memo), key))
		return last_used(memo);
	hlist_for_each_entry(note, bucket_of(memo, key), node) {
		if (is_about(note, key)) {
			list_move(&note->recent, &memo->recent);
			return note;
		}
	}
	return NULL;
}

static void note_remove(struct rf_memo *memo, struct rf_note *note)
{
	hlist_del(&note->node);
	list_del(&note->recent);
	memo->count--;
	kfree(note);
}

static bool table_make(struct rf_memo *memo)
{
	if (memo->table)
		return true;
	memo->table = kcalloc(TABLE_SIZE, sizeof(*memo->table),
			      GFP_ATOMIC | __GFP_NOWARN);
	INIT_LIST_HEAD(&memo->recent);
	return memo->table;
}

/**
 * rf_memo_get - find a note, or make one
 * @memo: the memo
 * @key: what the note is about
 *
 * Context: any; the caller serialises. Allocates without sleeping.
 * Return: the note, zeros if it is new; NULL if there is no memory.
 */
struct rf_note *rf_memo_get(struct rf_memo *memo,
			    const struct rf_note_key *key)
{
	struct rf_note *note = rf_memo_find(memo, key);

	if (note)
		return note;
	if (!table_make(memo))
		return NULL;
	note = kzalloc(sizeof(*note), GFP_ATOMIC | __GFP_NOWARN);
	if (!note)
		return NULL;
	if (memo->count >= NOTES_MAX)
		note_remove(memo, list_last_entry(&memo->recent,
						  struct rf_note, recent));
	note->key = *key;
	hlist_add_head(&note->node, bucket_of(memo, key));
	list_add(&note->recent, &memo->recent);
	memo->count++;
	return note;
}

/**
 * rf_memo_forget - remove all notes
 * @memo: the memo, empty then
 *
 * Context: any.
 */
void rf_memo_forget(struct rf_memo *memo)
{
	struct rf_note *note, *next;

	if (memo->table)
		list_for_each_entry_safe(note, next, &memo->recent, recent)
			note_remove(memo, note);
	DEBUG_NET_WARN_ON_ONCE(memo->count);
	kfree(memo->table);
	memset(memo, 0, sizeof(*memo));
}
