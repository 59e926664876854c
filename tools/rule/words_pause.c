// SPDX-License-Identifier: GPL-2.0
/* Parse the words of the command pause, for XOFF, storms and the PFC watchdog. */
#include <errno.h>
#include <string.h>

#include "kmod/pfc/fsm.h"
#include "units.h"
#include "words.h"

const struct rf_name rf_guard_names[] = {
	{ "drop", RDMAFAULT_WATCHDOG_ACTION_DROP },
	{ "forward", RDMAFAULT_WATCHDOG_ACTION_FORWARD },
	{ "alert", RDMAFAULT_WATCHDOG_ACTION_ALERT },
	{ }
};

#define QUANTA_FORM	"1 to 65535"
#define WATCHDOG_TIME_FORM	"1ms to 86400s, for example 200ms"
#define PAUSE_TIME_FORM	"1ns to 86400s, for example 200ms"

/* Parse the pause time of an XOFF, in quanta. Return: 0, or -EINVAL. */
static int pause_quanta(const char *s, uint32_t *quanta)
{
	uint32_t v;

	if (rf_parse_u32(s, &v) || !v || v > RDMAFAULT_QUANTA_MAX)
		return -EINVAL;
	*quanta = v;
	return 0;
}

/* Parse a time above 0. Return: 0, or -EINVAL. */
static int pause_time(const char *s, uint64_t *ns)
{
	uint64_t v;

	if (rf_parse_time(s, &v) || !v || v > RDMAFAULT_TIME_MAX)
		return -EINVAL;
	*ns = v;
	return 0;
}

static int take_quanta(void *to, const char *s)
{
	return pause_quanta(s, to);
}

const struct rf_arg rf_xoff_args[] = {
	{ "quanta", QUANTA_FORM, take_quanta,
	  "pause time, in units of 512 bit times", "65535" },
	{ }
};

/**
 * rf_xoff_words - parse the words of xoff
 * @argv: the words after "xoff"; a NULL follows the last one
 * @quanta: gets the pause time; by default the maximum
 * @why: gets the text of an error
 *
 * Return: 0, or -EINVAL.
 */
int rf_xoff_words(char **argv, uint32_t *quanta, struct rf_why *why)
{
	*quanta = RDMAFAULT_QUANTA_MAX;
	return rf_args_take(rf_xoff_args, argv, quanta, why);
}

static int take_for(void *to, const char *s)
{
	return pause_time(s, &((struct rf_storm_spec *)to)->duration);
}

static int take_storm_quanta(void *to, const char *s)
{
	return pause_quanta(s, &((struct rf_storm_spec *)to)->quanta);
}

static int take_turn(const char *s, uint64_t *ns)
{
	return pause_time(s, ns) || *ns < RF_XOFF_MIN_INTERVAL ? -EINVAL : 0;
}

/* Parse ON/OFF, two times. */
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

const struct rf_arg rf_storm_args[] = {
	{ "for", PAUSE_TIME_FORM, take_for,
	  "duration of the storm; required without forever", NULL },
	{ "forever", NULL, take_forever,
	  "no end until stop or Ctrl-C; required without for", NULL },
	{ "quanta", QUANTA_FORM, take_storm_quanta,
	  "pause time of each XOFF, in units of 512 bit times",
	  "65535 with frames, otherwise the whole storm" },
	{ "duty", "ON/OFF, each 20us to 86400s, for example 10ms/5ms", take_duty,
	  "XOFF for the time ON, then XON for the time OFF, repeatedly",
	  "XOFF all the time" },
	{ "frames", NULL, take_frames,
	  "send PFC frames to the link partner", "pause this port, send no frames" },
	{ "persist", NULL, take_persist,
	  "exit at once; the storm continues until its end or stop",
	  "the storm ends with the command" },
	{ }
};

/**
 * rf_storm_words - parse the settings of a storm
 * @argv: the words after "storm"; a NULL follows the last one
 * @spec: gets the settings; the caller sets the priorities
 * @why: gets the text of an error
 *
 * Return: 0, or -EINVAL.
 */
int rf_storm_words(char **argv, struct rf_storm_spec *spec, struct rf_why *why)
{
	int err = rf_args_take(rf_storm_args, argv, spec, why);
	bool forever = spec->flags & RDMAFAULT_STORM_FLAG_FOREVER;

	if (!err && forever != !spec->duration)
		return rf_why_refuse(why, forever ?
				     "storm: for and forever exclude each other" :
				     "storm: duration missing; for TIME, for example for 2s, or forever");
	return err;
}

struct guard {
	struct rf_queue_change *change;
	bool off;
};

static int take_watchdog_off(void *to, const char *s)
{
	struct guard *g = to;

	(void)s;
	g->off = true;
	g->change->watchdog |= RF_WATCHDOG_BIT(PRIOS);
	return 0;
}

static int take_watchdog_prios(void *to, const char *s)
{
	struct guard *g = to;

	g->change->watchdog |= RF_WATCHDOG_BIT(PRIOS);
	return rf_take_prios(s, &g->change->conf.watchdog.prios);
}

static int take_detect(void *to, const char *s)
{
	struct guard *g = to;

	g->change->watchdog |= RF_WATCHDOG_BIT(DETECT);
	return pause_time(s, &g->change->conf.watchdog.detect);
}

static int take_restore(void *to, const char *s)
{
	struct guard *g = to;

	g->change->watchdog |= RF_WATCHDOG_BIT(RESTORE);
	return pause_time(s, &g->change->conf.watchdog.restore);
}

static int take_poll(void *to, const char *s)
{
	struct guard *g = to;

	g->change->watchdog |= RF_WATCHDOG_BIT(POLL);
	return pause_time(s, &g->change->conf.watchdog.poll);
}

static int take_watchdog_action(void *to, const char *s)
{
	struct guard *g = to;

	g->change->watchdog |= RF_WATCHDOG_BIT(ACTION);
	return rf_take_name(rf_guard_names, s, &g->change->conf.watchdog.action);
}

const struct rf_arg rf_watchdog_args[] = {
	{ "off", NULL, take_watchdog_off,
	  "disable the watchdog on all priorities; this is the default", NULL },
	{ "prio", RF_PRIOS_FORM, take_watchdog_prios,
	  "enable it on these priorities, disable it on the others", "none" },
	{ "detect", WATCHDOG_TIME_FORM, take_detect,
	  "a priority that stays paused this long, with packets queued, is in a storm",
	  "200ms" },
	{ "restore", WATCHDOG_TIME_FORM, take_restore,
	  "a storm is over when no XOFF was in effect for this long", "200ms" },
	{ "poll", WATCHDOG_TIME_FORM, take_poll,
	  "interval of the checks, at most detect and restore", "100ms" },
	{ "action", "drop, forward or alert", take_watchdog_action,
	  "what to do with the packets of a priority in a storm", "drop" },
	{ }
};

/**
 * rf_watchdog_words - parse the settings of the PFC watchdog
 * @argv: the words after "watchdog"; a NULL follows the last one
 * @c: the changed settings; gets the values of the words
 * @why: gets the text of an error
 *
 * Return: 0, or -EINVAL.
 */
int rf_watchdog_words(char **argv, struct rf_queue_change *c,
		      struct rf_why *why)
{
	struct guard guard = { .change = c };
	int err = rf_args_take(rf_watchdog_args, argv, &guard, why);

	if (!err && guard.off && argv[1])
		return rf_why_refuse(why, "off: cannot be combined with other words");
	return err;
}
