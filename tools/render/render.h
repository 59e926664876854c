/* SPDX-License-Identifier: GPL-2.0 */
/* The files that are generated from the record of a run */
#ifndef RF_RENDER_H
#define RF_RENDER_H

#include <stdint.h>
#include "tools/run/run.h"

#define RF_FORMATS_ALL UINT32_MAX
const char *rf_formats_parse(const char *list, uint32_t *formats);
int rf_run_render(const struct rf_run *run, uint32_t formats);

#endif
