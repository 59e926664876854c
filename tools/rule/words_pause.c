// SPDX-License-Identifier: GPL-2.0
/* Parse the words of the command pause, for XOFF, storms and the PFC watchdog. */
#include <errno.h>
#include <stddef.h>
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

const struct rf_key rf_xoff_args[] = {
	{ "quanta", QUANTA_FORM,
	  &rf_kind_u32, .at = 0, 1, RDMAFAULT_QUANTA_MAX,
	  .help = "pause time, in units of 512 bit times; default: 65535" },
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
	return rf_args_take(rf_xoff_args, argv, quanta, rf_key_take, why);
}

static int parse_duty_time(const char *s, uint64_t *ns)
{
	return rf_parse_time(s, ns) || *ns < RF_XOFF_MIN_INTERVAL || *ns > RDMAFAULT_TIME_MAX ?
	       -EINVAL : 0;
}

/* Parse ON/OFF, two times. */
static int duty_take(const struct rf_key *key, const char *s, void *to)
{
	const char *slash = strchr(s, '/');
	struct rf_storm_spec *spec = to;
	char on[RF_FMT_LEN];

	(void)key;
	if (!slash || (size_t)(slash - s) >= sizeof(on))
		return -EINVAL;
	memcpy(on, s, slash - s);
	on[slash - s] = '\0';
	if (parse_duty_time(on, &spec->on_time))
		return -EINVAL;
	return parse_duty_time(slash + 1, &spec->off_time);
}

static const struct rf_kind duty_kind = { .take = duty_take };

#define STORM_AT(member) .at = offsetof(struct rf_storm_spec, member)
#define FLAG(flag) &rf_kind_flag, STORM_AT(flags), .max = RDMAFAULT_STORM_FLAG_ ## flag

const struct rf_key rf_storm_args[] = {
	{ "for", PAUSE_TIME_FORM,
	  &rf_kind_time, STORM_AT(duration), 1, RDMAFAULT_TIME_MAX,
	  .help = "duration of the storm; required without forever" },
	{ "forever", NULL, FLAG(FOREVER),
	  .help = "no end until stop or Ctrl-C; required without for" },
	{ "quanta", QUANTA_FORM,
	  &rf_kind_u32, STORM_AT(quanta), 1, RDMAFAULT_QUANTA_MAX,
	  .help = "pause time of each XOFF, in units of 512 bit times; default: 65535 with frames, otherwise the whole storm" },
	{ "duty", "ON/OFF, each 20us to 86400s, for example 10ms/5ms", &duty_kind,
	  .help = "XOFF for the time ON, then XON for the time OFF, repeatedly; default: XOFF all the time" },
	{ "frames", NULL, FLAG(FRAMES),
	  .help = "send PFC frames to the link partner; default: pause this port, send no frames" },
	{ "persist", NULL, FLAG(PERSIST),
	  .help = "exit at once; the storm continues until its end or stop; default: the storm ends with the command" },
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
	int err = rf_args_take(rf_storm_args, argv, spec, rf_key_take, why);
	bool forever = spec->flags & RDMAFAULT_STORM_FLAG_FOREVER;

	if (!err && forever != !spec->duration)
		return rf_why_refuse(why, forever ?
				     "storm: for and forever exclude each other" :
				     "storm: duration missing; for TIME, for example for 2s, or forever");
	return err;
}

#define W(attr, member) \
	.set = offsetof(struct rf_queue_change, watchdog), .bit = RDMAFAULT_A_WATCHDOG_ ## attr, \
	.at = offsetof(struct rf_queue_change, conf.watchdog.member)

const struct rf_key rf_watchdog_args[] = {
	{ "off", NULL,
	  &rf_kind_flag, W(PRIOS, prios),
	  .help = "disable the watchdog on all priorities; this is the default" },
	{ "prio", RF_PRIOS_FORM,
	  &rf_kind_prios, W(PRIOS, prios),
	  .help = "enable it on these priorities, disable it on the others; default: none" },
	{ "detect", WATCHDOG_TIME_FORM,
	  &rf_kind_time, W(DETECT, detect), 1, RDMAFAULT_TIME_MAX,
	  .help = "a priority that stays paused this long, with packets queued, is in a storm; default: 200ms" },
	{ "restore", WATCHDOG_TIME_FORM,
	  &rf_kind_time, W(RESTORE, restore), 1, RDMAFAULT_TIME_MAX,
	  .help = "a storm is over when no XOFF was in effect for this long; default: 200ms" },
	{ "poll", WATCHDOG_TIME_FORM,
	  &rf_kind_time, W(POLL, poll), 1, RDMAFAULT_TIME_MAX,
	  .help = "interval of the checks, at most detect and restore; default: 100ms" },
	{ "action", "drop, forward or alert",
	  &rf_kind_name, W(ACTION, action), .names = rf_guard_names,
	  .help = "what to do with the packets of a priority in a storm; default: drop" },
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
	int i, err = rf_args_take(rf_watchdog_args, argv, c, rf_key_take, why);

	for (i = 0; !err && argv[i]; i++)
		if (!strcmp(argv[i], "off") && argv[1])
			return rf_why_refuse(why, "off: cannot be combined with other words");
	return err;
}
