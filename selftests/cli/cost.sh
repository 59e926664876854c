#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# rdmafault cost: figures of the course's pages come out, options do what they
# say, bad ones are refused.
. "$(dirname "$0")/../lib/lib.sh"

# of FILTER OPTION...: from the JSON
of()
{
	rdmafault --json cost "${@:2}" | jq -c "$1"
}

is "the pages' own: 14 s, and 1.75 s with 8 NICs" '[14,1.75,7]' \
	"$(of '.network.once | [.one_nic_s, .all_nics_s, .nics_needed]')"
is "in a ring of 1,000 nearly twice that" '[27.972,3.4965,14]' \
	"$(of '.network.ring | [.one_nic_s, .all_nics_s, .nics_needed]')"
is "GPUs by the hour, minute and second" \
	'[[256,7680,128],[1024,30720,512],[4096,122880,2048]]' \
	"$(of '[.cost[] | [.gpus, .hour, .minute]]')"
is "70 B parameters in BF16 at 100 Gbit/s" '[140000000000,11.2]' \
	"$(of '[.model.gradient_bytes, .network.once.all_nics_s]' \
		--params 70B --bytes 2 --nics 1 --nic-rate 100gbit)"
is "a gradient in place of a model" '[262144,null]' \
	"$(of '[.model.gradient_bytes, .model.params]' --gradient 256KiB)"
is "a stall of a minute" '[512,512]' \
	"$(of '.cost[] | [.minute, .stall]' --gpus 1024 --stall 60s)"
is "a tenth slower for an hour" '3072' \
	"$(of '.cost[].stall' --gpus 1024 --slower 10% --for 3600s)"
is "a day with one such stall each minute, or each hour" '[[7372.8],[122.88]]' \
	"$(jq -sc . <(of '[.cost[].day]' --gpus 1024 --stall 600ms) \
		<(of '[.cost[].day]' --gpus 1024 --stall 600ms --stall-every 3600s))"
is "a day of a job that is slower by a tenth" '73728' \
	"$(of '.cost[].day' --gpus 1024 --slower 10% --for 3600s)"
is "what is assumed is printed" 1 \
	"$(rdmafault cost --stall 1s --stall-every 90s | grep -c 'a day, one in each 90.0 s$')"
is "at another rate" '206' "$(of '.cost[].hour' --gpus 100 --gpu-rate 2.06)"
is "without a stall there is none" 'null' "$(of '.cost[0].stall')"
is "in less time it takes more NICs" '14' \
	"$(of '.network.once.nics_needed' --every 1s)"

is "200 us of computing, 2 ms of network: GPUs compute an eleventh" '0.0909' \
	"$(of '.network.once.computing * 10000 | floor / 10000' --nics 1 \
		--nic-rate 100gbit --gradient 25000000 --compute 200us)"
is "without computing there is no share" 'null' "$(of '.network.once.computing')"

is "text and JSON tell the same" "14.0 s" \
	"$(rdmafault cost | awk '/the gradient once/ {print $4, $5}')"

ok "the largest of all is computed" rdmafault cost --params 1000T --bytes 8 \
	--nics 1 --nic-rate 1mbit --every 1us --gpus 4294967295 --gpu-rate 1000000 \
	--stall 18000000000s --ranks 1000000
