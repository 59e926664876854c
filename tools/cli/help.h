/* SPDX-License-Identifier: GPL-2.0 */
/* Print the overview of all commands, or the help of one command. */
#ifndef RF_HELP_H
#define RF_HELP_H

#include "cmd.h"

void rf_help_overview(const struct rf_cmd *commands);
void rf_help_command(const struct rf_cmd *c, const struct rf_cmd *verb);

#endif
