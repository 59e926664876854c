/* SPDX-License-Identifier: GPL-2.0 */
/* The ports, queue pairs and rings of "rdmafault watch" */
#ifndef RF_CLI_FLIGHT_H
#define RF_CLI_FLIGHT_H

#include "port.h"
#include "tools/analysis/flight.h"

struct rf_nl;

/* A port that records packets. Its places are 2 * i (tx) and 2 * i + 1 (rx). */
struct rf_flight_port {
	struct rf_target t;
	bool added;			/* made a port for the recording */
	uint64_t went_down, paused;	/* counters at the beginning */
};

struct rf_flight_data {			/* records as they were read; packets point to them */
	struct rf_flight_data *next;
	size_t len;
	uint8_t bytes[];
};

struct rf_flight_rings {
	struct rf_nl *nl;
	struct rf_flight_port *port;
	size_t ports;
	struct rf_flight flight;
	struct rf_flight_data *data;
};

int rf_flight_open(struct rf_flight_rings *r, struct rf_nl *nl, char *const *names, int n);
int rf_flight_begin(struct rf_flight_rings *r, uint64_t packets, bool whole);
bool rf_flight_look(struct rf_flight_rings *r);
int rf_flight_read(struct rf_flight_rings *r);
void rf_flight_close(struct rf_flight_rings *r);

#endif
