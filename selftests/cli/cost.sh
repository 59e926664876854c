#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that rdmafault cost computes the figures that the pages of the course
# give, that its options have an effect, and that text and JSON have the same
# figures.
. "$(dirname "$0")/../lib/lib.sh"

# of FILTER OPTION...: prints the JSON output of rdmafault cost with these options, filtered
# by jq
of()
{
	rdmafault --json cost "${@:2}" | jq -c "$1"
}

is "cost: sending the default gradient once takes 14 s, 1.75 s with 8 NICs" '[14,1.75,7]' \
	"$(of '.network.once | [.one_nic_s, .all_nics_s, .nics_needed]')"
is "cost: a ring of 1,000 ranks takes nearly twice as long" '[27.972,3.4965,14]' \
	"$(of '.network.ring | [.one_nic_s, .all_nics_s, .nics_needed]')"
is "cost: three sizes of job have a price per hour and per minute" \
	'[[256,7680,128],[1024,30720,512],[4096,122880,2048]]' \
	"$(of '[.cost[] | [.gpus, .hour, .minute]]')"
is "cost: --params 70B --bytes 2 at 100 Gbit/s takes 11.2 s" '[140000000000,11.2]' \
	"$(of '[.model.gradient_bytes, .network.once.all_nics_s]' \
		--params 70B --bytes 2 --nics 1 --nic-rate 100gbit)"
is "cost: --gradient replaces the size of the model" '[262144,null]' \
	"$(of '[.model.gradient_bytes, .model.params]' --gradient 256KiB)"
is "cost: --stall 60s costs as much as a minute" '[512,512]' \
	"$(of '.cost[] | [.minute, .stall]' --gpus 1024 --stall 60s)"
is "cost: --slower 10% --for 3600s costs a tenth of an hour" '3072' \
	"$(of '.cost[].stall' --gpus 1024 --slower 10% --for 3600s)"
is "cost: the cost per day has one stall per minute, or one per --stall-every" \
	'[[7372.8],[122.88]]' \
	"$(jq -sc . <(of '[.cost[].day]' --gpus 1024 --stall 600ms) \
		<(of '[.cost[].day]' --gpus 1024 --stall 600ms --stall-every 3600s))"
is "cost: --slower 10% costs a tenth of each day" '73728' \
	"$(of '.cost[].day' --gpus 1024 --slower 10% --for 3600s)"
is "cost: the text says how often a stall is assumed" 1 \
	"$(rdmafault cost --stall 1s --stall-every 90s | grep -c 'per day: 1 stall every 90.0 s$')"
is "cost: --gpu-rate sets the price per GPU and hour" '206' \
	"$(of '.cost[].hour' --gpus 100 --gpu-rate 2.06)"
is "cost: without --stall the stall has no value" 'null' "$(of '.cost[0].stall')"
is "cost: a shorter --every needs more NICs" '14' \
	"$(of '.network.once.nics_needed' --every 1s)"

is "cost: with 200 us of computing and 2 ms of network, GPUs compute 1/11 of the time" \
	'0.0909' \
	"$(of '.network.once.computing * 10000 | floor / 10000' --nics 1 \
		--nic-rate 100gbit --gradient 25000000 --compute 200us)"
is "cost: without --compute the share of computing has no value" 'null' \
	"$(of '.network.once.computing')"

is "cost: text has the time of the JSON output" "14.0 s" \
	"$(rdmafault cost | awk '/the gradient once/ {print $4, $5}')"

ok "cost: the largest values of all options are accepted" rdmafault cost --params 1000T --bytes 8 \
	--nics 1 --nic-rate 1mbit --every 1us --gpus 4294967295 --gpu-rate 1000000 \
	--stall 18000000000s --ranks 1000000
