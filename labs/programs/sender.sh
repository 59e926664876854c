#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Send messages of 1 MiB to node 1 from the node of this process, whose netdev is $RF_NETDEV. If the netdev
# is in the list $SENDERS (default: all), send until the run ends the process. If it is in the list
# $LATER, send from BEGIN to END seconds after the start. All others send nothing.
#
# Usage: sender.sh TCLASS [BEGIN END]
#
# TCLASS is the traffic class of the packets; 98 is DSCP 24 (priority 3) with ECT(0), 97 with ECT(1).
# The timeout of the queue pair is 4.3 s, longer than 64 packets take at the lowest rate of the scenarios.
set -euo pipefail

senders=${SENDERS-$RF_NETDEV}
send=(collperf broadcast -N 2 --device "$RF_DEVICE,rxe1" -b 1M -n 1000000 -w 0 -c 0 --chunk 8K
      --tclass "$1" --timeout 20 --deadline 600s)

case " $senders " in
*" $RF_NETDEV "*) exec "${send[@]}" ;;
esac
case " ${LATER-} " in
*" $RF_NETDEV "*)
	sleep "$2"
	timeout $(($3 - $2)) "${send[@]}" || [ $? -eq 124 ] ;;
esac
