// SPDX-License-Identifier: GPL-2.0
/* The words for pauses, storms and the watchdog. */
#include <errno.h>
#include <string.h>

#include "kmod/storm_fsm.h"
#include "queuewords.h"
#include "units.h"

const struct rf_name rf_guard_names[] = {
	{ "drop", RDMAFAULT_WATCHDOG_ACTION_DROP },
	{ "forward", RDMAFAULT_WATCHDOG_ACTION_FORWARD },
	{ "alert", RDMAFAULT_WATCHDOG_ACTION_ALERT },
	{ }
};

/**
 * rf_pause_quanta - the time of an XOFF
 * @s: the word
 * @quanta: gets it
 *
 * Return: 0, or -EINVAL.
 */
int rf_pause_quanta(const char *s, uint32_t *quanta)
{
	uint32_t v;

	if (rf_parse_u32(s, &v) || !v || v > RDMAFAULT_QUANTA_MAX)
		return -EINVAL;
	*quanta = v;
	return 0;
}

/**
 * rf_pause_time - a time that isn't 0
 * @s: the word
 * @ns: gets it
 *
 * Return: 0, or -EINVAL.
 */
int rf_pause_time(const char *s, uint64_t *ns)
{
	uint64_t v;

	if (rf_parse_time(s, &v) || !v || v > RDMAFAULT_TIME_MAX)
		return -EINVAL;
	*ns = v;
	return 0;
}

static int take_quanta(void *to, const char *s)
{
	return rf_pause_quanta(s, to);
}

static const struct rf_arg xoff_args[] = {
	{ "quanta", RF_PAUSE_QUANTA_FORM, take_quanta },
	{ }
};

/**
 * rf_xoff_words - how long an XOFF holds
 * @argv: the words behind "xoff", up to a NULL
 * @quanta: gets it; the most if they don't say
 * @why: gets what is wrong with them
 *
 * Return: 0, or -EINVAL.
 */
int rf_xoff_words(char **argv, uint32_t *quanta, struct rf_why *why)
{
	*quanta = RDMAFAULT_QUANTA_MAX;
	return rf_args_take(xoff_args, argv, quanta, why);
}

static int take_for(void *to, const char *s)
{
	return rf_pause_time(s, &((struct rf_storm_spec *)to)->duration);
}

static int take_storm_quanta(void *to, const char *s)
{
	return rf_pause_quanta(s, &((struct rf_storm_spec *)to)->quanta);
}

static int take_turn(const char *s, uint64_t *ns)
{
	return rf_pause_time(s, ns) || *ns < RF_STORM_PACE ? -EINVAL : 0;
}

/* ON/OFF */
static int take_duty(void *to, const char *s)
{
	const char *slash = strchr(s, '/');
	struct rf_storm_spec *spec = to;
	char on[RF_FMT_LEN];

	if (!slash || (size_t)(slash - s) >= sizeof(on))
		return -EINVAL;
	memcpy(on, s, slash - s);
	on[slash - s] = '\0';
	if (take_turn(on, &spec->on_time))
		return -EINVAL;
	return take_turn(slash + 1, &spec->off_time);
}

static int take_forever(void *to, const char *s)
{
	(void)s;
	((struct rf_storm_spec *)to)->flags |= RDMAFAULT_STORM_FLAG_FOREVER;
	return 0;
}

static int take_frames(void *to, const char *s)
{
	(void)s;
	((struct rf_storm_spec *)to)->flags |= RDMAFAULT_STORM_FLAG_FRAMES;
	return 0;
}

static int take_persist(void *to, const char *s)
{
	(void)s;
	((struct rf_storm_spec *)to)->flags |= RDMAFAULT_STORM_FLAG_PERSIST;
	return 0;
}

static const struct rf_arg storm_args[] = {
	{ "for", RF_PAUSE_TIME_FORM, take_for },
	{ "forever", NULL, take_forever },
	{ "quanta", RF_PAUSE_QUANTA_FORM, take_storm_quanta },
	{ "duty", "ON/OFF, times of 20us to 86400s, as 10ms/5ms", take_duty },
	{ "frames", NULL, take_frames },
	{ "persist", NULL, take_persist },
	{ }
};

/**
 * rf_storm_words - the settings of a storm
 * @argv: the words behind "storm", up to a NULL
 * @spec: gets it; its priorities are set by the caller
 * @why: gets what is wrong with the words
 *
 * Return: 0, or -EINVAL.
 */
int rf_storm_words(char **argv, struct rf_storm_spec *spec, struct rf_why *why)
{
	int err = rf_args_take(storm_args, argv, spec, why);
	bool forever = spec->flags & RDMAFAULT_STORM_FLAG_FOREVER;

	if (!err && forever != !spec->duration)
		return rf_why_refuse(why, "storm: want for TIME or forever, got %s",
				     forever ? "both" : "neither");
	return err;
}

struct guard {
	struct rf_queue_change *change;
	bool off;
};

static int take_off(void *to, const char *s)
{
	struct guard *g = to;

	(void)s;
	g->off = true;
	g->change->watchdog |= RF_WATCHDOG_BIT(PRIOS);
	return 0;
}

static int take_prios(void *to, const char *s)
{
	struct guard *g = to;

	g->change->watchdog |= RF_WATCHDOG_BIT(PRIOS);
	return rf_take_prios(s, &g->change->conf.watchdog.prios);
}

static int take_detect(void *to, const char *s)
{
	struct guard *g = to;

	g->change->watchdog |= RF_WATCHDOG_BIT(DETECT);
	return rf_pause_time(s, &g->change->conf.watchdog.detect);
}

static int take_restore(void *to, const char *s)
{
	struct guard *g = to;

	g->change->watchdog |= RF_WATCHDOG_BIT(RESTORE);
	return rf_pause_time(s, &g->change->conf.watchdog.restore);
}

static int take_poll(void *to, const char *s)
{
	struct guard *g = to;

	g->change->watchdog |= RF_WATCHDOG_BIT(POLL);
	return rf_pause_time(s, &g->change->conf.watchdog.poll);
}

static int take_action(void *to, const char *s)
{
	struct guard *g = to;

	g->change->watchdog |= RF_WATCHDOG_BIT(ACTION);
	return rf_take_name(rf_guard_names, s, &g->change->conf.watchdog.action);
}

static const struct rf_arg watchdog_args[] = {
	{ "off", NULL, take_off },
	{ "prio", "0 to 7, with commas, or all", take_prios },
	{ "detect", RF_PAUSE_TIME_FORM, take_detect },
	{ "restore", RF_PAUSE_TIME_FORM, take_restore },
	{ "poll", RF_PAUSE_TIME_FORM, take_poll },
	{ "action", "drop, forward or alert", take_action },
	{ }
};

/**
 * rf_watchdog_words - the settings of the PFC watchdog
 * @argv: the words behind "watchdog", up to a NULL
 * @c: what they say is added to this
 * @why: gets what is wrong with them
 *
 * Return: 0, or -EINVAL.
 */
int rf_watchdog_words(char **argv, struct rf_queue_change *c,
		      struct rf_why *why)
{
	struct guard guard = { .change = c };
	int err = rf_args_take(watchdog_args, argv, &guard, why);

	if (!err && guard.off && argv[1])
		return rf_why_refuse(why, "off: want it alone, got other words");
	return err;
}
