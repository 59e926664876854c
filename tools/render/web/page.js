// SPDX-License-Identifier: GPL-2.0
//
// Builds the page of a run, or of the comparison of two runs, from its summary: sections,
// captions, legends and tables. figures.js draws the figures.

const CARDS_MAX = 12;	// cases on the first screen, and with details
const ROWS = 40;	// of a table of steps, if there are more than twice as many

// ---- elements ----

// el(NAME, ATTRIBUTES, CHILD...): an HTML element; a child is text, an element or a list
function el(name, attributes, ...children) {
	const e = document.createElement(name);

	for (const key in attributes)
		if (attributes[key] !== undefined)
			e.setAttribute(key, attributes[key]);
	e.append(...children.flat(Infinity).filter(c => c !== undefined && c !== null));
	return e;
}

function verdict(word, look) {
	return el("span", { class: "verdict " + (look || word) }, word);
}

function rowName(...children) {
	return el("th", { scope: "row" }, ...children);
}

// table(CAPTION, HEADS, ROWS): a row is a list of texts or cells
function table(caption, heads, rows) {
	const cell = c => c instanceof HTMLTableCellElement ? c : el("td", {}, c);

	return el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": caption },
		el("table", {}, el("caption", {}, caption),
			el("thead", {}, el("tr", {}, heads.map(h => el("th", { scope: "col" }, h)))),
			el("tbody", {}, rows.map(row => el("tr", {}, row.map(cell))))));
}

// a case without a fault that had an effect, and without a straggler; what happens in it is noise
function isClean(testCase) {
	return testCase.faults && testCase.faults.every(f => f.hits === 0) &&
		(testCase.clean_case === undefined || testCase.metrics["lost_time.straggler"] === null);
}

// figure(KIND, CASE, TITLE, WORDS, KEYS, HEADS, ROWS): a figure with its legend and its table.
// KEYS is a list of looks and words, or an element.
function figure(kind, of, title, words, keys, heads, rows) {
	return el("figure", { "data-figure": kind, "data-case": of,
		"data-clean": run.cases[of] && isClean(run.cases[of]) ? "" : undefined },
		el("figcaption", {}, el("b", {}, title), " ", el("span", {}, words)),
		el("div", { class: "drawing" }),
		Array.isArray(keys) ? el("ul", { class: "legend" }, keys.map(([look, text]) =>
			el("li", {}, el("i", { class: look }), text))) : keys,
		heads && el("details", {}, el("summary", {}, "as a table"), table(title, heads, rows)));
}

// the shades of a figure, between the words of the smallest and of the largest value
function scale(from, to) {
	return el("p", { class: "scale" }, from, [1, 2, 3, 4, 5, 6, 7, 8].map(g => el("i", { class: "g" + g })), " " + to);
}

function section(title, ...children) {
	return el("section", {}, el("h2", {}, title), ...children);
}

// ---- numbers in words ----

const nsTime = ns => time(ns / 1000);
const hex = psn => "0x" + psn.toString(16).padStart(6, "0");

function count(n) {
	return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

function things(n, noun) {
	return count(n) + " " + noun + (n === 1 ? "" : "s");
}

function percent(share) {
	return Math.round(100 * share) + "%";
}

function signedTime(ns) {
	return (ns < 0 ? "" : "+") + nsTime(ns);
}

function dollars(v) {
	if (v > 0 && v < 0.01)
		return "$" + (v < 0.00001 ? v.toPrecision(2) : v.toFixed(5));
	if (v >= 1e15)
		return "$" + v.toPrecision(3);
	const [whole, cents] = v.toFixed(2).split(".");

	return "$" + count(whole) + "." + cents;
}

function range(least, most) {
	if (!most)
		return "not finished";
	return time(least) === time(most) ? time(most) : time(least) + " to " + time(most);
}

// groups(N): the steps 1 to N as groups [first, last], one per row of a table
function groups(n) {
	const each = n <= 2 * ROWS ? 1 : Math.ceil(n / ROWS), all = [];

	for (let from = 1; from <= n; from += each)
		all.push([from, Math.min(from + each - 1, n)]);
	return all;
}

function groupName([from, to]) {
	return from === to ? from : from + " to " + to;
}

// rangeOf(STEPS, LEAST, MOST, GROUP): the range of the values of the steps in a group
function rangeOf(steps, least, most, [from, to]) {
	let a = Infinity, b = 0;

	(steps || []).forEach((step, i) => {
		if (step >= from && step <= to && most[i] > 0) {
			a = Math.min(a, least[i]);
			b = Math.max(b, most[i]);
		}
	});
	return range(a, b);
}

// ---- figures of a case ----

function fabricFigure(testCase, of) {
	const ports = [...new Set(testCase.faults.map(f => f.port))], said = [testCase.captions.where];
	const ladder = testCase.figures.ladder, others = ports.filter(p => ladder && p !== ladder.port);

	if (others.length)
		said.push(`Violet: ${others.length > 1 ? "other ports with faults" : "another port with a fault"}: ${others.join(", ")}.`);
	if (!ladder) {
		if (testCase.faults.length === 1)
			said.push(`Violet: port with a fault (${testCase.faults[0].do}).`);
		else if (ports.length)
			said.push(`Violet: ports with faults: ${ports.join(", ")}.`);
		else if (!said[0])
			said.push("No fault is injected in this case.");
		const port = ports.find(p => run.fabric.nodes.some(node => node.switch_port === p));

		if (port)
			said.push(`${port} is a port of the ${run.fabric.remote ? "bridge" : "switch"}.`);
	}
	const loads = linkLoads(testCase), most = loads && Math.max(...Object.values(loads));

	if (most)
		said.push(`Thickness of a fabric link: bytes sent; most by ${Object.keys(loads).find(p => loads[p] === most)} (${bytes(most)}).`);
	return figure("fabric", of, "Where", said.filter(s => s).join(" "), null,
		["node", "rank", "port of the node", run.fabric.remote ? "port of the bridge" : "port of the switch"],
		run.fabric.nodes.map(n => {
			const rank = rankOf(testCase, n);

			return [rowName(n.node), rank < 0 ? "none" : rank, n.port || "NIC", n.switch_port];
		}));
}

function ranksFigure(testCase, of) {
	const f = testCase.figures.ranks;

	if (!f)
		return null;
	const sum = (step, kind) => nsTime(Math.round(1000 * step.spans.filter(s => s[0] === kind)
		.reduce((us, [, from, to]) => us + to - from, 0)));

	const clean = isClean(testCase);
	const legend = f.of_command ? Object.entries(commandKinds).filter(([kind]) => kind !== "waiting" || !clean) :
		[["transfer", "transfer"],
			...clean ? [["wait", "waiting"]] : [["wait", "waiting, as long as in a clean step"],
				["waiting", "waiting longer than in a clean step"]],
			["compute", "computing"], ["barrier", "barrier"]];
	const columns = f.of_command ? [["transfer", "in the collective"], ["waiting", "longer than clean"], ["compute", "between collectives"]] :
		[["transfer", "transfer"], ["wait", "waiting"], ["waiting", "longer waits"], ["compute", "computing"], ["barrier", "barrier"]];
	const omitted = f.ranks.flatMap(rank => rank.steps).reduce((n, step) => n + (step.waits_omitted || 0), 0);

	return figure("ranks", of, `Case "${testCase.label}": ${f.first_step === f.last_step ? "step" : `steps ${f.first_step} to`} ${f.last_step}, by rank`,
		[testCase.captions.first_wait, "Time 0 is " + (f.zero === "hit" ? "when the packet was hit." : "the start of the first of these steps."),
			omitted ? `${things(omitted, "short wait")} ${omitted === 1 ? "is" : "are"} not drawn.` : ""].join(" ").trim(),
		legend, ["rank", "step", ...columns.map(([, name]) => name)],
		f.ranks.flatMap(rank => rank.steps.map(step => [rowName(rank.rank), step.step,
			...columns.map(([kind]) => sum(step, kind))])));
}

function ladderFigure(testCase, of) {
	const f = testCase.figures.ladder;

	return f ? figure("ladder", of, "The packet",
		["Time runs down, not to scale; it is counted from the hit.", testCase.captions.others].join(" ").trim(), null,
		["after the hit", "at", "event"],
		f.packets.map(p => [nsTime(p.leave_ns === undefined ? p.arrive_ns : p.leave_ns), p.from,
			el("td", { class: "wrap" }, p.words)])) : null;
}

function spreadFigure(testCase, of) {
	if (!testCase.figures.pauses)
		return null;
	const single = intervals(testCase).length === 1;

	return figure("spread", of, single ? "Paused ports" : "Paused ports over time",
		(single ? "The fabric while ports were paused." :
			"The fabric in intervals of the time in which ports were paused.") +
		(testCase.figures.ranks ? " Time 0 is that of the ranks." : " Time 0 is the start of the first step.") +
		" The longer a port was paused in the interval, the thicker its end of the link.");
}

function pausesFigure(testCase, of) {
	const f = testCase.figures.pauses;

	return f ? figure("pauses", of, "Pauses by priority",
		"Each row is a priority of a port. The priority is paused where the row is filled." +
			(f.more ? " More paused priorities are in events.jsonl." : ""), null,
		["port", "priority", "pauses", "paused in total", "share of the case", "longest", "storms detected"],
		f.rows.map(r => [r.port, r.prio, r.pauses, time(r.paused_us), (100 * r.paused_us / f.span_us).toFixed(1) + "%",
			time(r.longest_us), r.storms_detected])) : null;
}

function stepsFigure(testCase, of) {
	const s = testCase.figures.steps;

	if (!s)
		return null;
	const clean = s.clean_us ? [s.clean_step, s.clean_us] : null;
	const keys = [[true, "job", "this case: from the start of the first rank to the end of the last rank"],
		[true, "range", "this case: range from the fastest to the slowest rank"],
		[clean, "clean", "clean case"],
		[s.lanes.some(l => !l.planned), "hit", "from the hit of a packet to its retransmission; one row per sending rank"],
		[s.lanes.some(l => l.planned), "plan", "a fault at this port, from its start to its end"],
		[testCase.faults.some(f => f.began_ns !== null), "flag", "the begin of a fault, or its first hit, with the number of the fault"]];
	const hits = group => s.hits.reduce((n, [step, k]) => n + (step >= group[0] && step <= group[1] ? k : 0), 0);

	return figure("steps", of, "Step time over time",
		"A step ends when the last rank has left the step. High points are steps in which ranks waited." +
			(s.thinned ? ` Of ${s.steps} steps, only the shortest and the longest of each interval of the time axis are drawn.` : ""),
		keys.filter(k => k[0]).map(k => k.slice(1)),
		["step", "this case", "its ranks", ...(clean ? ["clean case"] : []), "packets hit"],
		groups(s.steps).map(group => [groupName(group), rangeOf(s.step, s.job_us, s.job_us, group),
			rangeOf(s.step, s.least_us, s.most_us, group),
			...(clean ? [rangeOf(clean[0], clean[1], clean[1], group)] : []), hits(group)]));
}

const dotWords = { first: "first transmission", ack: "ACK; acknowledges all packets up to this PSN", again: "retransmitted",
	nak: "NAK: the PSN that the receiver requests", rnr: "RNR NAK: the receiver is not ready for this PSN",
	hit: "hit by a fault" };

function flowFigures(testCase, of) {
	const more = testCase.figures.more_flows;
	const all = testCase.figures.flows.map(f => figure("flow", of,
		"PSN over time, " + (f.rank === undefined ? "at port " + f.port : `rank ${f.rank} to rank ${f.peer}`),
		"The figure shows the recorded packets of the flow" + (f.around_loss ? " around the loss" :
			f.hits_drawn ? ` around the first ${f.hits_drawn} of ${f.hits} hits` : "") +
			". Packets that a fault hit and retransmitted packets are always recorded, other packets only in the steps that a fault of the scenario names." +
			(f.packets_drawn < f.packets ? ` Of ${f.packets} packets, ${f.packets_drawn} are shown.` : ""),
		f.dots.filter(d => d.t_ns.length).map(d => [dotLooks[d.kind], dotWords[d.kind]]),
		["after the first hit", "packet", "PSN", "from the flow's first", "opcode", "transmission", "step", "IP length"],
		[...f.rows.map(([t, what, psn, rel, opcode, attempt, step, length]) => [nsTime(t), what,
			hex(psn), "+" + rel, opcode, attempt, step, length + " B"]),
		...(f.packets > f.rows.length ? [[`events.jsonl has ${f.packets - f.rows.length} more`]] : [])]));

	return [...all, more ? el("p", { class: "dim" },
		`Faults also hit packets of ${testCase.figures.more_flows_at_least ? "at least " : ""}${more} more flows, which are in events.jsonl.`) : null];
}

function waitsFigure(testCase, of) {
	const f = testCase.figures.waits;

	if (!f)
		return null;
	const columns = f.wait_us[0].length, rows = f.steps > 2 * ROWS ? ROWS : f.steps;
	const first = row => Math.ceil(row * f.steps / rows) + 1;
	const columnOf = step => Math.floor((step - 1) * columns / f.steps);
	const longest = (waits, from, to) => Math.max(...waits.slice(columnOf(from), columnOf(to) + 1));

	return figure("waits", of, "Waiting time by rank and step",
		"Each column is a step, each row a rank. Strong colors are long waits." + (f.wait_us.length === 1 ? "" :
			" In a column of strong colors, a pale cell is a rank that the other ranks wait for."),
		scale("waited 0 ", time(f.top_us)),
		["step", ...f.wait_us.map((_, rank) => "rank " + rank)],
		[...Array(rows).keys()].map(row => {
			const from = first(row), to = first(row + 1) - 1;

			return [groupName([from, to]), ...f.wait_us.map(waits => time(longest(waits, from, to)))];
		}));
}

function ratesFigure(testCase, of) {
	const f = testCase.figures.rates, most = 80;

	return f && f.step && f.step.length ? figure("rates", of, "Data rate and queues over time",
		"The upper curve is the data rate of the job in the transfer of each step: the size of the collective divided by the time of the transfer." +
			(f.queues.length ? " The dots below are the lengths of queues when a packet was marked or dropped." : ""), null,
		["step", "data rate"],
		[...f.step.slice(0, most).map((step, i) => [step, Number(f.mbit[i].toPrecision(4)) + " Mbit/s"]),
			...(f.step.length > most ? [[`summary.json has ${f.step.length - most} more`]] : [])]) : null;
}

// how many bytes the ranks sent to each other
function trafficFigure(testCase, of) {
	const rows = testCase.traffic_bytes;

	return rows ? figure("traffic", of, "Traffic between ranks",
		"Each row is a sender, each column a receiver. Strong colors are many bytes; grey: none. The bytes are those of all packets that the rank's port sent, with IP headers: data, also retransmitted, and ACKs, which are pale. The warm-up is included.",
		scale("sent 0 ", bytes(Math.max(...rows.flat()))),
		["sender", "sent", "receivers"],
		rows.map((row, rank) => ["rank " + rank, bytes(row.reduce((sum, sent) => sum + sent, 0)),
			row.map((sent, peer) => [sent, peer]).filter(([sent]) => sent).sort((a, b) => b[0] - a[0]).slice(0, 8)
				.map(([sent, peer]) => `${peer}: ${bytes(sent)}`).join(", ")])) : null;
}

// the rate and the queue of each port, in each time between two samples
function loadsFigure(testCase, of) {
	const f = testCase.figures.loads;

	if (!f)
		return null;
	const top = key => Math.max(...f.ports.flatMap(port => port[key]));
	const mean = values => values.reduce((sum, v, i) => sum + v * (f.t_us[i + 1] - f.t_us[i]), 0) / (f.t_us.at(-1) - f.t_us[0]);

	return figure("loads", of, "Rate and queue of each port over time",
		`Each row is a port, each column ${time((f.t_us.at(-1) - f.t_us[0]) / (f.t_us.length - 1))}. Upper part: the mean rate at which the port sent. Lower part: the most bytes that waited in it to be sent. Grey: none.` +
			(f.more ? " Other ports sent less." : ""),
		el("div", {}, scale("rate 0 ", mbits(top("mbit"))), scale("queue 0 ", bytes(top("bytes")))),
		["port", "mean rate", "largest rate", "longest queue"],
		f.ports.map(port => [port.port, mbits(mean(port.mbit)), mbits(Math.max(...port.mbit)), bytes(Math.max(...port.bytes))]));
}

// the rate of each flow at its changes
function dcqcnFigure(testCase, of) {
	const f = testCase.figures.dcqcn;

	if (!f)
		return null;
	const scales = [...new Set(f.flows.map(flow => flow.scale))];

	return figure("dcqcn", of, "Rates of flows over time",
		`The rate that DCQCN allows each flow, in Mbit/s. Time scale ${scales.join(", ")}: all times of DCQCN are multiplied by it, and rates divided.`,
		[["job", "rate of the flow"], ["clean", "alpha, from 0 to 1 at the top"]],
		["flow", "time scale", "changes", "lowest rate", "last rate", "last alpha"],
		f.flows.map(flow => [flowName(flow), flow.scale, flow.t_us.length - 1, mbits(Math.min(...flow.mbit)),
			mbits(flow.mbit.at(-1)), flow.alpha.at(-1).toFixed(3)]));
}

// ---- the details of a case ----

function faultLines(faults) {
	return faults.map(words => el("p", { class: "rule" }, el("code", {}, words)));
}

// the begin, the packets and the lost time of each fault
function faultTable(testCase) {
	const lost = testCase.metrics.lost_time, straggler = testCase.metrics["lost_time.straggler"];
	const part = ns => lost && ns !== null ? [nsTime(ns), percent(ns / lost)] : ["", ""];
	const rows = testCase.faults.map((f, i) => [i + 1, el("td", { class: "wrap" }, el("code", {}, f.do)), f.step || "",
		...(f.hits === undefined ? ["", "", ""] : [count(f.matched), f.hits ? count(f.hits) : "hit no packet",
			f.hit_share === null ? "" : Number((100 * f.hit_share).toPrecision(4)) + "%"]), ...part(f.lost_ns)]);

	if (!rows.length || !(lost || testCase.faults.some(f => f.hits !== undefined)))
		return null;
	if (lost && straggler !== null)
		rows.push(["", "straggler", "", "", "", "", ...part(straggler)]);
	if (lost)
		rows.push(["", "unexplained", "", "", "", "", ...part(testCase.metrics["lost_time.unexplained"])]);
	return table("Faults: packets and lost time",
		["number", "fault", "from step", "packets that matched", "packets hit", "share", "lost time", "of " + (lost ? nsTime(lost) : "the lost time")], rows);
}

function lostEvents(testCase) {
	return testCase.events_lost || testCase.flows_lost ? el("p", { class: "notmet" },
		`${testCase.events_lost} events were lost, and for ${testCase.flows_lost} packets, it is unknown whether they are retransmissions. Metrics that are computed from events are not valid. Step times and waiting times are valid, because the ranks record them.`) : null;
}

// the ranks that waited because of the first loss
function stalledRanks(testCase) {
	const ranks = testCase.stalled || [], each = "gives the cause of the wait, and how much longer the rank waited than in clean steps.";

	if (!testCase.hits || !ranks.length)
		return [];
	return [el("h3", {}, (ranks.length === 1 ? "Stalled rank" : "Stalled ranks") + (testCase.hits === 1 ? "" : " of the first hit")),
		el("p", { class: "dim" }, ranks.length === 1 ? "The list " + each :
			testCase.stalled_in_order ? "The nearest rank to the receiver of the lost packet is first, counted in queue pairs; ranks that waited only at the barrier are last. For each rank, the list " + each :
				"For each rank, the list " + each),
		el("ol", { class: "chain" }, ranks.map(r => el("li", {}, `rank ${r.rank}: ${r.waited_for} `,
			el("b", {}, "+" + nsTime(r.idle_ns)))))];
}

function impact(testCase) {
	return testCase.hits && testCase.idle_ns ? el("p", {}, "Additional waiting time of all ranks because of " +
		(testCase.hits === 1 ? "this packet" : "all hits") + ": " + nsTime(testCase.idle_ns) +
		(testCase.lost_bytes ? `, that is ${nsTime(Math.floor(testCase.idle_ns / testCase.lost_bytes))} per lost byte (${bytes(testCase.lost_bytes)} lost)` : "") + ".") : null;
}

function rankTable(testCase) {
	const stall = testCase.stall;

	if (!stall)
		return [];
	const cell = (rank, key) => `${nsTime(rank.step[key])} (${signedTime(rank.step[key] - rank.clean_median[key])})`;
	// a command records no waits
	const columns = [["step_ns", "step time"], ["wait_recv_ns", "wait for data"], ["wait_send_ns", "for ACKs"],
		["wait_sync_ns", "at the barrier"]].filter(([key]) => key in stall.ranks[0].step);

	return [el("h3", {}, `Step ${stall.step} per rank`),
		el("p", { class: "dim" }, "The value in brackets is the difference from the rank's median in the clean case."),
		table("Times of all ranks in the step in which a packet was hit",
			["rank", ...columns.map(([, name]) => name)],
			stall.ranks.map(rank => [rank.rank, ...columns.map(([key]) => cell(rank, key))]))];
}

function lossTable(testCase) {
	const never = ns => ns === null ? "never" : nsTime(ns);
	const between = (from, to) => from !== null && to !== null && to >= from ? nsTime(to - from) : "";

	if (!testCase.hits)
		return [];
	return [el("h3", {}, "Lost packets"), table("Packets hit by faults",
		["packet, PSN", "action", "flow", "step", "detected by", "NAK sent after", "NAK to retransmission",
			"retransmitted after", "delivered after", "retransmitted", "retransmitted bytes"],
		testCase.losses.map(l => [`${l.packet.opcode}, +${l.packet.psn_rel}`, l.action,
			l.rank === undefined ? "at " + l.packet.port : `rank ${l.rank} to ${l.peer}`, l.packet.step,
			l.detected_by === null ? "no value" : l.detected_by,
			between(l.revealed_after_ns, l.nak_sent_after_ns), between(l.nak_after_ns, l.first_resend_after_ns),
			never(l.lost_packet_retransmitted_after_ns),
			l.recovery_time_ns !== null || l.lost ? never(l.recovery_time_ns) : "", l.packets_retransmitted, bytes(l.bytes_retransmitted)])),
	testCase.hits > testCase.losses.length ? el("p", { class: "dim" },
		`events.jsonl has ${testCase.hits - testCase.losses.length} more.`) : null];
}

function flowTable(testCase) {
	const flows = testCase.flows, quiet = testCase.quiet_flows, looks = { conforms: "pass", violates: "fail" };

	if (!flows.length && !quiet)
		return [];
	return [el("h3", {}, "Go-back-N check"),
		el("p", { class: "dim" }, "The receiver has at most one NAK outstanding, for the first missing packet. The sender restarts exactly there; after a timeout, it restarts at the lost packet or earlier. Only recorded packets are checked."),
		flows.length ? table("Flows and the rules of go-back-N",
			["flow", "go-back-N", "recorded packets", "lost", "NAKs", "retransmissions", "timeouts", "retransmitted"],
			flows.map(f => [(f.rank === undefined ? `${f.source} to ${f.destination}` : `rank ${f.rank} to ${f.peer}`) + ", QP " + f.qp,
				el("td", {}, verdict(f.verdict, looks[f.verdict] || "open")),
				...[f.packets, f.lost, f.naks, f.restarts, f.timeouts, f.retransmitted].map(count)])) : null,
		quiet ? el("p", {}, (flows.length ? "The other " : "") + things(quiet, "flow") + " had no loss and violated no rule.") : null,
		flows.flatMap(f => [...f.breaches.map(b => el("p", { class: "notmet" },
			`QP ${f.qp} violated this rule: ${b.wants}; first at PSN ${hex(b.psn)}, expected PSN ${hex(b.wanted_psn)}; violations: ${b.times}`)),
		f.unjudged_text ? el("p", { class: "dim" }, `QP ${f.qp} has no verdict: ${f.unjudged_text}.`) : null])];
}

function portTable(testCase) {
	if (!testCase.ports.length)
		return null;
	return el("details", {}, el("summary", {}, "ports and priorities"), table("Ports and priorities",
		["port", "priority", "packets sent", "bytes", "marked", "dropped in the queue", "pauses", "paused"],
		testCase.ports.flatMap(port => port.prios.filter(p => p.packets || p.marked || p.dropped || p.pauses).map(p =>
			[port.port, p.prio, count(p.packets), bytes(p.bytes), count(p.marked), count(p.dropped), count(p.pauses), nsTime(p.paused_ns)]))));
}

function expectationTable(testCase) {
	return testCase.expectations.length ? [el("h3", {}, "Expectations"),
		table("Expectations and measured values", ["expectation", "measured", "verdict"],
			testCase.expectations.map(e => [e.expectation, e.measured,
				el("td", {}, verdict(e.met ? "met" : "not met", e.met ? "pass" : "fail"))]))] : [];
}

function processTable(testCase) {
	return testCase.processes ? [el("h3", {}, "Processes"),
		table("Processes of the command and their values", ["process", "values"],
			testCase.processes.map(p => [p.name, p.text]))] : [];
}

function jobTable(testCase) {
	return testCase.other_jobs ? [el("h3", {}, "Other jobs"),
		table("Jobs that ran beside job " + testCase.measured_job, ["job", "what it did"],
			testCase.other_jobs.map(j => [j.name, j.text]))] : [];
}

function caseDetails(testCase, of) {
	const figures = testCase.figures ? [ranksFigure, ladderFigure, spreadFigure, pausesFigure, stepsFigure, flowFigures,
		waitsFigure, ratesFigure, trafficFigure, loadsFigure, dcqcnFigure].map(make => make(testCase, of)).flat() : [];

	return el("details", { class: "case", id: "case" + of },
		el("summary", {}, el("b", {}, testCase.label), " ", verdict(testCase.verdict)),
		el("p", {}, testCase.text),
		testCase.job ? el("p", { class: "dim" }, testCase.job) : null,
		testCase.dcqcn ? el("p", { class: "dim" }, "DCQCN of the nodes: ", el("code", {}, testCase.dcqcn)) : null,
		faultLines(testCase.faults.map(f => f.do)), faultTable(testCase),
		testCase.failover ? el("p", {}, testCase.failover) : null,
		testCase.not_met.map(text => el("p", { class: "notmet" }, text)),
		lostEvents(testCase), chooser(testCase, of), figures, stalledRanks(testCase), impact(testCase), rankTable(testCase), lossTable(testCase),
		flowTable(testCase), portTable(testCase), processTable(testCase), jobTable(testCase), expectationTable(testCase));
}

// ---- the page of a run ----

// what each of several faults of a case did: when it began, and its part of the lost time
function faultParts(testCase) {
	const lost = testCase.metrics.lost_time, rest = testCase.metrics["lost_time.unexplained"];
	const part = ns => `${nsTime(ns)} of the lost time (${fixed(100 * ns / lost, 0)}\u00a0%)`;
	const none = f => f.do.startsWith("link down") ? "no packet left it; those to it are not counted" : "hit no packet";
	const line = (f, i) => [f.hits === 0 ? none(f) : f.began_ns === null ? "did not begin" : f.step ? `from step ${f.step} on` : "",
		lost && f.lost_ns !== null ? part(f.lost_ns) : ""].filter(s => s).join(": ");

	return testCase.faults.length < 2 || !testCase.figures ? null : el("ul", { class: "faults" },
		testCase.faults.map((f, i) => el("li", { title: f.do }, el("b", {}, faultName(testCase, i)), " ", line(f, i))),
		lost && rest !== null ? el("li", {}, "unexplained: " + (rest < 1 ? "nothing" : part(rest))) : null);
}

function card(of) {
	const c = run.cases[of], said = c.captions;

	return el("li", { "data-figure": "spark", "data-case": of },
		el("div", {}, el("a", { href: "#case" + of }, c.label), " ", verdict(c.verdict), el("span", { class: "cost" }, said.cost),
			el("p", {}, c.explain ? [c.explain, said.detected].join(" ").trim() : c.text), faultParts(c)),
		el("div", { class: "drawing" }));
}

function firstScreen(order) {
	const worst = run.cases[order[0]];

	return [el("div", { class: "first" }, fabricFigure(worst, order[0]), ranksFigure(worst, order[0])),
		el("div", { class: "second" }, (worst.hits ? ladderFigure : spreadFigure)(worst, order[0]),
			el("section", { class: "cards" }, el("h2", {}, "Cases, worst first"),
				el("p", { class: "dim" }, "The bars are step times, up to the longest of all cases." +
					(isClean(worst) ? "" : " Red: the worst step, and steps in which a packet was hit. The number of a fault is below the step in which it began.")),
				chooser(worst, order[0]),
				el("ol", {}, order.slice(0, CARDS_MAX).map(card))))];
}

function caseTable() {
	const number = v => v === undefined || v === null ? "" : v;
	const stall = c => c.first_loss === undefined || c.metrics.stall === null ? "" : nsTime(c.metrics.stall);

	return section("All cases in numbers", table("All cases",
		["case", "verdict", "time", "vs. clean", "packets hit", "NAKs", "timeouts", "retransmitted", "stall of first hit", "wrong results"],
		run.cases.map((c, i) => {
			const clean = run.cases[c.clean_job_case], m = c.metrics;

			return [rowName(c.label), el("td", {}, verdict(c.verdict)), c.time_ns ? nsTime(c.time_ns) : "",
				clean && c.clean_job_case !== i ? (c.time_ns / clean.time_ns).toFixed(2) + " ×" : "",
				...["faults.hit", "naks", "timeouts", "retransmitted"].map(key => number(m[key])),
				stall(c), number(m.wrong)];
		})), run.differs ? el("p", { class: "notmet" }, run.differs) : null);
}

function activityCells(times) {
	const all = parts.reduce((us, [key]) => us + times[key], 0);

	return [time(all), ...parts.map(([key]) => `${time(times[key])} (${percent(all ? times[key] / all : 0)})`)];
}

const activityHeads = parts.map(p => p[2]), activityKeys = parts.map(p => p.slice(1));

function moneyTable(cases) {
	const lost = cases.filter(c => c.lost_ns > 0 && c.cost && c.cost.length), every = nsTime(run.stall_every_ns);

	const money = lost.length ? [el("p", {}, `In a synchronous job, every GPU waits for the slowest GPU. Cost = lost time × GPUs × ${dollars(run.rate)} per GPU and hour. How often a stall happens was not measured: the cost per day assumes one stall every ${every} (cost: stall-every).`),
		table("Cost of the lost time", ["case", "time lost", "GPUs", "cost", `per day, 1 stall every ${every}`],
			lost.flatMap(c => c.cost.map(p => [c.label, nsTime(c.lost_ns), count(p.gpus), dollars(p.dollars), dollars(p.dollars_a_day)])))] : null;

	if (!money)
		return [];
	return run.scenario.priced ? [el("h3", {}, "Cost in dollars"), money] :
		el("details", {}, el("summary", {}, "Cost in dollars"), money);
}

// the time by activity, if the job records it, and what the additional time costs
function costSection() {
	const cases = run.cases.filter(c => c.round === 1 && c.figures);
	const known = cases.some(c => parts.some(([key]) => c.figures.activities[key])), money = moneyTable(cases);

	if (!known)
		return money.length ? section("Cost", money) : null;
	return section("Cost", figure("activities", undefined, "Time of the ranks by activity",
		"Each bar is the total time of all ranks in all steps of a case. Compare the waiting time with that of the clean case.",
		activityKeys, ["case", "time", "vs. clean case", "all ranks", ...activityHeads],
		cases.map(c => {
			const clean = run.cases[c.clean_job_case];

			return [c.label, nsTime(c.time_ns), clean ? signedTime(c.time_ns - clean.time_ns) : "", ...activityCells(c.figures.activities)];
		})), money);
}

function definitions(pairs) {
	return el("dl", {}, pairs.filter(p => p[1]).map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]).flat());
}

function setupSection() {
	const clean = run.cases[0].clean_median_ns;

	return section("Test setup", definitions([
		["job", run.scenario.job],
		["measured", run.fabric.remote ? `on a bridge between other machines: ${run.machine}` :
			`with software RDMA (rxe) on ${run.machine}` + (clean ? `: a clean step takes ${nsTime(clean)}; hardware NICs are much faster` : "") +
			". On hardware, times are different, but a loss is detected in the same way, the same packets are retransmitted, and the same ranks wait."],
		["ports", run.ports],
		["scenario", run.scenario.file],
		["records", `${run.directory}: summary.json has all metrics; in the directory of each case, events.jsonl has all packets and timeline.jsonl all steps`],
		["words", "A rank is one process of the job. A step is one iteration of the job; all ranks wait for each other at its end (barrier). A clean step is a step of a case without faults."],
		["drawn by", run.program]]));
}

// the page has the step times of the clean case once; the figures of other cases need them, too
function shareCleanSteps() {
	for (const testCase of run.cases) {
		const clean = run.cases[testCase.clean_case], s = testCase.figures && testCase.figures.steps;

		if (s && !s.clean_t_us && clean && clean.figures && clean.figures.steps)
			Object.assign(s, { clean_t_us: clean.figures.steps.t_us, clean_us: clean.figures.steps.job_us,
				clean_step: clean.figures.steps.step, clean_end_us: clean.figures.steps.end_us });
	}
}

function runPage() {
	const order = run.summary.order, shown = order.slice(0, CARDS_MAX);

	shareCleanSteps();
	return [...(order.length ? firstScreen(order) : []),
		section("Details of each case", shown.map(of => caseDetails(run.cases[of], of)),
			order.length > shown.length ? el("p", { class: "dim" },
				`This list is not complete: ${order.length - shown.length} more cases are in summary.json.`) : null),
		caseTable(), costSection(), setupSection()];
}

// ---- the page that compares two runs ----

function letterHead(k) {
	return [el("i", { class: looks[k] }), letters[k]];
}

const letterHeads = () => run.runs.map((_, k) => letterHead(k));
const letterKeys = () => run.runs.map((name, k) => [looks[k], letters[k] + "  " + name]);

function withChange(value, change) {
	return change ? `${value} (${change})` : value;
}

function comparedCases() {
	const timed = run.cases.filter(c => c.time);

	return section("Cases", timed.length ? figure("compare_times", undefined, "Time per case",
		"From the start of the first step to the end of the last step. Compare the bars of A and B. If there are several rounds, a bar shows the median of all rounds.",
		letterKeys(), ["case", ...letterHeads()],
		timed.map(c => [rowName(c.label), c.time.values[0], withChange(c.time.values[1], c.time.change)])) : null,
	table("Verdicts of all cases", ["case", ...letterHeads()], run.cases.map((c, i) =>
		[rowName(c.stories ? el("a", { href: "#case" + i }, c.label) : c.label),
			...c.verdicts.map(v => el("td", {}, v ? verdict(v) : "not run"))])));
}

function stories(c) {
	const same = key => JSON.stringify(c.stories[0][key]) === JSON.stringify(c.stories[1][key]);

	return [same("faults") ? faultLines(c.stories[0].faults) : null,
		el("dl", { class: "stories" }, c.stories.flatMap((s, k) => [el("dt", {}, letterHead(k)),
			el("dd", {}, same("job") ? null : el("p", { class: "dim" }, s.job), same("faults") ? null : faultLines(s.faults),
				s.text + " ", verdict(c.verdicts[k]))]))];
}

function comparedSteps(c, of) {
	const all = c.figures.compare_steps, most = Math.max(...all.map(s => s ? s.steps : 0));

	return most ? figure("compare_steps", of, "Step time over time",
		"A step ends when the last rank has left the step. Below the axis, each run has a row: a red bar lasts from the hit of a packet to its retransmission, a yellow bar from the start of a fault to its end.",
		letterKeys(), ["step", ...letterHeads()],
		groups(most).map(group => [rowName(groupName(group)),
			...all.map(s => s ? rangeOf(s.step, s.job_us, s.job_us, group) : "not finished")])) : null;
}

function comparedActivities(c, of) {
	const all = c.figures.compare_activities;

	return all.some(times => parts.some(([key]) => times[key])) ? figure("compare_activities", of, "Time of the ranks by activity",
		"Each bar is the total time of all ranks in all steps. Compare the waiting time of the two runs.",
		activityKeys, ["run", "all ranks", ...activityHeads],
		all.map((times, k) => [rowName(letters[k]), ...activityCells(times)])) : null;
}

function metricTable(caption, metrics) {
	return table(caption, ["metric", ...letterHeads(), "meaning"], metrics.map(m => [rowName(m.name), m.values[0],
		el("td", { class: m.moved ? "moved" : undefined }, m.values[1],
			m.change ? [" ", el("span", { class: "by" }, m.change)] : null),
		el("td", { class: "wrap dim" }, m.help)]));
}

function comparedCase(c, of) {
	const moved = c.metrics.filter(m => m.moved), still = c.metrics.filter(m => !m.moved);

	return el("section", { id: "case" + of }, el("h2", {}, c.label), stories(c), comparedSteps(c, of), comparedActivities(c, of),
		el("h3", {}, "Metrics that changed by 2 % or more"),
		moved.length ? metricTable("Changed metrics", moved) : el("p", {}, "None."),
		still.length ? el("details", {}, el("summary", {}, still.length + " other metrics"), metricTable("Unchanged metrics", still)) : null);
}

function runsTable() {
	const row = p => p.values[0] === p.values[1] ? [el("td", { class: "wrap", colspan: 2 }, p.values[0])] :
		p.values.map((v, k) => el("td", { class: k && p.name !== "records" ? "wrap moved" : "wrap" }, v));

	return section("Runs", table("Runs", ["run", ...letterHeads()], [
		[rowName("verdict"), ...run.verdicts.map(v => el("td", {}, verdict(v)))],
		...run.setup.map(p => [rowName(p.name), ...row(p)])]));
}

function comparePage() {
	const left = run.cases.filter(c => c.figures && !c.stories).length;

	return [comparedCases(), run.cases.map((c, of) => c.stories ? comparedCase(c, of) : null),
		left ? el("p", { class: "dim" }, `"rdmafault report A B" in a terminal compares ${left} more cases.`) : null,
		runsTable(), section("Test setup", definitions([
			["compared", "Cases are matched by name. Metrics are the median of all rounds, curves show the first round. Metrics that rest on lost records are omitted."],
			["drawn by", run.program]]))].flat();
}

// ---- a step that is marked in all figures ----

let chosen = null;	// the case and the step

// chooser(CASE, OF): a field for the step; a click on a mark of a figure has the same effect
function chooser(testCase, of) {
	const s = testCase.figures && testCase.figures.steps;

	return s && s.step.length ? el("p", { class: "dim" }, el("label", {}, `Mark a step in all figures of "${testCase.label}": `,
		el("input", { type: "number", min: 1, max: s.steps, placeholder: `1 to ${s.steps}`, "data-choose": of }))) : null;
}

function isChosen(e) {
	return chosen && Number(e.dataset.case) === chosen.of;
}

function showChosen() {
	document.querySelectorAll(".chosen").forEach(e => e.classList.remove("chosen"));
	document.querySelectorAll("rect.place").forEach(e => e.remove());
	if (!chosen)
		return;
	document.querySelectorAll("[data-figure]").forEach(figure => {
		const svg = figure.querySelector("svg"), place = svg && svg.placeOf && isChosen(figure) ? svg.placeOf(chosen.step) : null;

		if (!isChosen(figure))
			return;
		figure.querySelectorAll(`[data-step="${chosen.step}"]`).forEach(e => e.classList.add("chosen"));
		if (place)
			add(svg, "rect", Object.assign({ class: "place chosen" }, place));
		if (figure.dataset.figure === "ladder" && run.cases[chosen.of].figures.ladder.step === chosen.step)
			figure.classList.add("chosen");
	});
	document.querySelectorAll(`.cards li[data-case="${chosen.of}"], #case${chosen.of} > summary`).forEach(e => e.classList.add("chosen"));
	document.querySelectorAll(`[data-choose="${chosen.of}"]`).forEach(e => { e.value = chosen.step; });
}

function choose(of, step) {
	chosen = step >= 1 ? { of, step } : null;
	showChosen();
}

// the step of the mark or the packet that was clicked
function chooseClicked(event) {
	const figure = event.target.closest("[data-figure]"), mark = event.target.closest("[data-step], [data-column], [data-psn], [data-leave]");

	if (!figure || !mark || figure.dataset.case === undefined || !run.cases[figure.dataset.case].figures)
		return;
	const { ladder, waits } = run.cases[figure.dataset.case].figures;
	const step = mark.dataset.column !== undefined ? Math.ceil(mark.dataset.column * waits.steps / waits.wait_us[0].length) + 1 :
		mark.dataset.step !== undefined ? Number(mark.dataset.step) : ladder ? ladder.step : NaN;

	if (step)
		choose(Number(figure.dataset.case), step);
}

// ---- drawing ----

let printing = false;

// draw each figure that is visible, unless it is drawn with this width; read all widths first,
// because the browser computes the layout again for a width that is read after a change
function renderAll() {
	const shown = [...document.querySelectorAll("[data-figure]")].filter(f => !f.closest("details:not([open])"));
	const widths = shown.map(f => printing && f.matches("figure") ? PAPER : Math.floor(f.querySelector(".drawing").clientWidth));

	shown.forEach((figure, i) => {
		const testCase = run.cases[figure.dataset.case], kind = figure.dataset.figure;

		if (!widths[i] || Number(figure.dataset.width) === widths[i])
			return;
		const mates = [...document.querySelectorAll(`figure[data-figure="flow"][data-case="${figure.dataset.case}"]`)];
		const svg = (testCase && testCase.figures) || !figure.dataset.case ? draw[kind](testCase, widths[i], mates.indexOf(figure)) : null;

		figure.dataset.width = widths[i];
		figure.querySelector(".drawing").replaceChildren(...(svg ? [svg] : []));
	});
	showChosen();
}

// open the sections that the address names: #case2, or #all
function openNamed() {
	const all = location.hash === "#all";

	document.querySelectorAll("details.case").forEach(d => {
		if (all || "#" + d.id === location.hash)
			d.open = true;
	});
	renderAll();
	const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
	if (target)
		target.scrollIntoView();
}

function start() {
	let timer;

	document.getElementById("no-script").replaceWith(...(run.runs ? comparePage() : runPage()).filter(e => e));
	// no line break between a number and its unit
	document.querySelectorAll("h1, .lead").forEach(e => {
		e.textContent = e.textContent.replace(/(\d) (?=(ns|us|ms|s|h)\b)/g, "$1\u00a0");
	});
	document.addEventListener("toggle", renderAll, true);
	addEventListener("hashchange", openNamed);
	document.addEventListener("click", chooseClicked);
	document.addEventListener("input", event => {
		if (event.target.dataset.choose !== undefined)
			choose(Number(event.target.dataset.choose), Number(event.target.value));
	});
	addEventListener("resize", () => {
		clearTimeout(timer);
		timer = setTimeout(renderAll, 100);
	});
	addEventListener("beforeprint", () => {
		printing = true;
		document.querySelectorAll("details.case").forEach(d => { d.open = true; });
		renderAll();
	});
	addEventListener("afterprint", () => {
		printing = false;
		renderAll();
	});
	openNamed();
}

start();
document.documentElement.dataset.figures = document.querySelectorAll("[data-figure] svg").length;
document.documentElement.dataset.ms = Math.round(performance.now());
