// SPDX-License-Identifier: GPL-2.0
//
// Draws the figures of the page as SVG, from the summary of the run that the page contains
// (Documentation/summary.schema.json). Each mark has its values in data- attributes, and a
// title with the same values in words. Times in figures are in microseconds.
"use strict";
const run = JSON.parse(document.getElementById("summary").textContent);
const SVG = "http://www.w3.org/2000/svg";
const NARROW = 560;
const PAPER = 690;	// width of a figure on A4 and Letter, with the margins of browsers

// add(PARENT, NAME, ATTRIBUTES, TEXT): append an SVG element
function add(parent, name, attributes, text) {
	const e = document.createElementNS(SVG, name);

	for (const key in attributes)
		e.setAttribute(key, typeof attributes[key] === "number" ?
			Math.round(attributes[key] * 10) / 10 : attributes[key]);
	if (text !== undefined)
		e.textContent = text;
	parent.append(e);
	return e;
}

// mark(PARENT, NAME, ATTRIBUTES, VALUES, WORDS): append an element with values and a title
function mark(parent, name, attributes, values, words) {
	const e = add(parent, name, attributes);

	for (const key in values)
		e.dataset[key] = values[key];
	if (words)
		add(e, "title", {}, words);
	return e;
}

function drawing(width, height, label) {
	const svg = document.createElementNS(SVG, "svg");

	svg.setAttribute("viewBox", "0 0 " + width + " " + Math.ceil(height));
	svg.setAttribute("role", "img");
	svg.setAttribute("aria-label", label);
	return svg;
}

// fixed(V, DIGITS): V with a number of decimals. As in C, a tie is rounded to the even digit.
function fixed(v, digits) {
	const up = v.toFixed(digits), isTie = /^50*$/.test(v.toFixed(20).split(".")[1].slice(digits));

	return isTie && /[13579]$/.test(up) ? (up - 10 ** -digits).toFixed(digits) : up;
}

// time(US): a time in words, with three digits, as in the text of the page
function time(us) {
	const ns = Math.abs(us) * 1000, sign = us < 0 ? "-" : "";
	const units = [[3.6e12, "h"], [1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]];
	const unit = units.find(u => ns >= u[0] * 0.9995) || units[4];
	const v = ns / unit[0];

	if (!ns)
		return "0";
	return sign + fixed(v, unit[0] === 1 ? 0 : v < 9.995 ? 2 : v < 99.95 ? 1 : 0) + " " + unit[1];
}

// bytes(N): a size in words, with four digits
function bytes(n) {
	const units = ["B", "KiB", "MiB", "GiB"];
	let i = 0;

	for (; n >= 1024 && i < 3; i++)
		n /= 1024;
	return Number(n.toPrecision(4)) + " " + units[i];
}

// mbits(V): a rate in Mbit/s in words, with three digits
function mbits(v) {
	return Number(v.toPrecision(3)) + " Mbit/s";
}

// ticks(MIN, MAX, N): about N round numbers
function ticks(min, max, n) {
	const raw = (max - min) / n, power = Math.pow(10, Math.floor(Math.log10(raw)));
	const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= raw) || power * 10;
	const list = [];

	for (let v = Math.ceil(min / step - 1e-9) * step; v <= max + step * 1e-6; v += step)
		list.push(Math.abs(v) < step / 1e6 ? 0 : v);
	return list;
}

function timeUnit(us) {
	return us >= 2e6 ? [1e6, "s"] : us >= 2e3 ? [1e3, "ms"] : [1, "us"];
}

// timeAxis(SVG, BOX, MIN, MAX, WORDS): draw a time axis below BOX; returns the scale
function timeAxis(svg, box, min, max, words) {
	const unit = timeUnit(Math.max(Math.abs(min), Math.abs(max)));
	const x = us => box.left + (us - min) / (max - min || 1) * (box.right - box.left);

	for (const v of ticks(min / unit[0], max / unit[0], (box.right - box.left) / 90)) {
		const at = x(v * unit[0]), label = Number(v.toPrecision(6)) + " " + unit[1];

		add(svg, "path", { class: "grid", d: `M${at.toFixed(1)} ${box.top}V${box.bottom}` });
		const half = widthOf(label, PLAIN) / 2;

		// the first and the last label end before the edge of the drawing
		add(svg, "text", { class: "mid dim", x: Math.max(Math.min(at, box.right + 12 - half), half), y: box.bottom + 16 },
			label);
	}
	add(svg, "path", { class: "axis", d: `M${box.left} ${box.bottom}H${box.right}` });
	if (words)
		add(svg, "text", { class: "end dim", x: box.right, y: box.bottom + 32 }, words);
	return x;
}

// valueAxis(SVG, BOX, MIN, MAX, SHOW): draw a vertical axis; returns the scale
function valueAxis(svg, box, min, max, show) {
	const y = v => box.bottom - (v - min) / (max - min || 1) * (box.bottom - box.top);

	for (const v of ticks(min, max, Math.max(2, (box.bottom - box.top) / 50))) {
		add(svg, "path", { class: "grid", d: `M${box.left} ${y(v).toFixed(1)}H${box.right}` });
		add(svg, "text", { class: "end dim", x: box.left - 6, y: y(v) + 4 }, show(v));
	}
	return y;
}

const pen = document.createElement("canvas").getContext("2d");
const BOLD = "600 13px ", PLAIN = "12px ";	// of captions in drawings, as in report.css

// widthOf(TEXT, FONT): the width of a text in a drawing, in pixels
function widthOf(text, font) {
	pen.font = font + getComputedStyle(document.body).fontFamily;
	return pen.measureText(text).width;
}

// lines(TEXT, WIDTH, FONT): break a text into lines of at most WIDTH pixels
function lines(text, width, font = BOLD) {
	const all = [""];

	for (const word of text.split(" ")) {
		const last = all[all.length - 1];

		if (last && widthOf(last + " " + word, font) > width)
			all.push(word);
		else
			all[all.length - 1] = last ? last + " " + word : word;
	}
	return all;
}

function say(svg, attributes, text, width) {
	const all = lines(text, width, attributes.class.includes("alarm") ? BOLD : PLAIN);

	all.forEach((line, i) => add(svg, "text",
		Object.assign({}, attributes, { y: attributes.y + i * 16 }), line));
	return all.length * 16;
}

// placeOfStep(STEPS, TIMES, END, X, BOX, STEP): the place of a step in a figure over time, if it
// is drawn
function placeOfStep(all, times, end, x, box, step) {
	const i = all.indexOf(step);

	return i < 0 ? null : { x: x(times[i]), y: box.top,
		width: Math.max(x(i + 1 < times.length ? times[i + 1] : end) - x(times[i]), 2), height: box.bottom - box.top };
}

// ---- the faults of a case on a time axis ----

// faultName(CASE, I): a short name: the number of the fault, what it does, and its port
function faultName(testCase, i) {
	return `${i + 1} ${testCase.faults[i].name}`;
}

function faultTitle(testCase, i) {
	const f = testCase.faults[i];

	return `fault ${i + 1}, from ${time(f.began_ns / 1000)}${f.step ? ` (step ${f.step})` : ""} on: ${f.do}`;
}

// flags(CASE, X): the faults that had an effect, with the place X of their begin on the axis
function flags(testCase, x) {
	return testCase.faults.map((f, i) => ({ i, at: f.began_ns === null ? null : x(f.began_ns / 1000) }))
		.filter(f => f.at !== null).sort((a, b) => a.at - b.at);
}

// flagRows(CASE, BOX, MIN, MAX): the begin of each fault, and the row above BOX in which its
// name does not touch another name
function flagRows(testCase, box, min, max) {
	const ends = [], all = flags(testCase, us => box.left + (us - min) / (max - min || 1) * (box.right - box.left));

	for (const f of all) {
		f.name = faultName(testCase, f.i);
		const wide = f.name.length * 7 + 8;

		f.left = Math.max(Math.min(f.at, box.right - wide), 0);
		f.row = ends.findIndex(end => end <= f.left);
		f.row = f.row < 0 ? ends.length : f.row;
		ends[f.row] = f.left + wide;
	}
	return all;
}

const FLAG = 15;	// height of a row of names

function flagsHigh(rows) {
	return FLAG * (Math.max(-1, ...rows.map(f => f.row)) + 1);
}

// putFlags(SVG, CASE, ROWS, TOP, BOTTOM): a line at the begin of each fault, with its name above TOP
function putFlags(svg, testCase, rows, top, bottom) {
	const high = flagsHigh(rows);

	for (const f of rows) {
		const y = top - high + f.row * FLAG;

		mark(svg, "path", { class: "flag", d: `M${f.at.toFixed(1)} ${y + 2}V${bottom}` },
			{ fault: f.i + 1, at: testCase.faults[f.i].began_ns / 1000 }, faultTitle(testCase, f.i));
		add(svg, "text", { class: "flag", x: f.left + 4, y: y + 11 }, f.name);
	}
}

function cross(svg, x, y, size, values, words) {
	const d = `M${(x - size).toFixed(1)} ${(y - size).toFixed(1)}l${2 * size} ${2 * size}m${-2 * size} 0l${2 * size} ${-2 * size}`;

	add(svg, "path", { class: "cross halo", d });
	return mark(svg, "path", { class: "cross", d }, values, words);
}

// ---- ranks over time ----

const kinds = { transfer: "transfer", waiting: "waiting longer than in a clean step", wait: "waiting",
	compute: "computing", barrier: "barrier" };
// a command records the start and the end of its collectives, but no waits
const commandKinds = { transfer: "in the collective", waiting: "in the collective, longer than in a clean step",
	compute: "between collectives" };

// causeOf(CAUSE, PEER): what a rank waited for
function causeOf(cause, peer) {
	const from = peer === undefined ? "" : " from rank " + peer;

	if (cause === "sync")
		return peer === undefined ? "the barrier" : `rank ${peer} at the barrier`;
	return (cause === "recv" ? "data" : "ACKs") + from;
}

function ranks(testCase, width) {
	const f = testCase.figures.ranks, names = f.of_command ? commandKinds : kinds;
	const n = f.ranks.length, high = n <= 6 ? 24 : n <= 16 ? 15 : n <= 32 ? 9 : 6;
	const pitch = high + (n <= 6 ? 12 : n <= 16 ? 5 : 1);
	const box = { left: f.pauses.length ? 76 : n > 9 ? 62 : 56, right: width - 12, top: 26 };
	const silence = f.silence, text = silence ? time(silence.to_us - silence.from_us) +
		(silence.why.startsWith("until") ? " " : ": ") + silence.why : "";

	const lanes = box.top + n * pitch;
	box.bottom = lanes + (f.pauses.length ? f.pauses.length * 16 + 4 : 0);
	const room = silence ? 18 + 16 * lines(text, Math.min(width, 420)).length : 0;
	const svg = drawing(width, box.bottom + 24 + room,
		"Ranks over time: " + Object.values(names).join(", "));
	const x = timeAxis(svg, box, f.from_us, f.to_us, "");
	const row = rank => box.top + rank * pitch;

	for (const rank of f.ranks) {
		const y = row(rank.rank);

		if (n <= 16 || rank.rank % 8 === 0)
			add(svg, "text", { class: "end name", x: box.left - 8, y: y + high / 2 + 4 },
				"rank " + rank.rank);
		for (const step of rank.steps)
			for (const [kind, from, to, cause, peer] of step.spans)
				mark(svg, "rect", { class: kind, x: x(from), y,
					width: Math.max(x(to) - x(from) - (to - from > 0 ? 0.4 : 0), 0.3),
					height: high },
				Object.assign({ rank: rank.rank, step: step.step, kind, from, to },
					cause ? { cause } : {}, peer === undefined ? {} : { peer }),
				`rank ${rank.rank}, step ${step.step}: ${names[kind]} for ${time(to - from)}` +
					(cause ? ", for " + causeOf(cause, peer) : ""));
	}
	// the number of each step above its first rank
	for (let step = f.first_step; step <= f.last_step; step++) {
		const spans = f.ranks.map(r => r.steps.find(s => s.step === step))
			.filter(s => s && s.spans.length).map(s => s.spans);

		if (!spans.length)
			continue;
		const from = Math.min(...spans.map(s => s[0][1])), to = Math.max(...spans.map(s => s[s.length - 1][2]));

		add(svg, "text", { class: step === f.step ? "mid name" : "mid dim",
			x: Math.min((x(from) + x(to)) / 2, width - 24), y: 14 }, "step " + step);
		if (step > f.first_step)
			add(svg, "path", { class: "edge", d: `M${x(from).toFixed(1)} ${box.top - 8}V${box.bottom}` });
	}
	f.pauses.forEach((paused, i) => {
		const y = lanes + i * 16;

		add(svg, "text", { class: "end dim tiny", x: box.left - 8, y: y + 10 }, paused.port + " paused");
		for (const [, from, to] of paused.spans)
			mark(svg, "rect", { class: "stopped", x: x(from), y, width: Math.max(x(to) - x(from), 0.6), height: 12 },
				{ port: paused.port, prio: paused.prio, from, to },
				`priority ${paused.prio} of port ${paused.port} was paused for ${time(to - from)}`);
	});
	for (const hit of f.hits) {
		const at = x(hit.t_us), values = { hit: hit.t_us, psn: hit.psn, port: hit.port };
		const words = `PSN +${hit.psn} ${hit.what} at port ${hit.port}, ${time(hit.t_us)}`;

		if (hit.rank === undefined) {
			cross(svg, at, box.top - 4, 4, values, words);
			continue;
		}
		const a = row(hit.rank) + high / 2, b = row(hit.peer) + high / 2;

		values.rank = hit.rank;
		values.peer = hit.peer;
		if (f.hits.length <= 3 && n <= 16) {
			add(svg, "path", { class: "flight halo", d: `M${at.toFixed(1)} ${a}V${b}` });
			add(svg, "path", { class: "flight", d: `M${at.toFixed(1)} ${a}V${b}` });
			add(svg, "circle", { class: "end-of-flight", cx: at, cy: a, r: 3 });
		}
		cross(svg, at, f.hits.length <= 3 && n <= 16 && Math.abs(a - b) <= pitch ? (a + b) / 2 : a,
			n <= 6 ? 6 : 4, values, words);
	}
	if (silence) {
		const from = Math.max(x(silence.from_us), box.left), to = Math.min(x(silence.to_us), box.right);
		const y = box.bottom + 22, middle = Math.min(Math.max((from + to) / 2, Math.min(210, width / 2)),
			Math.max(width - 210, width / 2));

		mark(svg, "path", { class: "bracket", d: `M${from.toFixed(1)} ${y}v8H${to.toFixed(1)}v-8` },
			{ silence: silence.to_us - silence.from_us, from: silence.from_us, to: silence.to_us },
			text);
		say(svg, { class: "mid alarm", x: middle, y: y + 22 }, text, Math.min(width, 420));
	}
	return svg;
}

// ---- the fabric ----

// layout(WIDTH): positions of nodes and switches
function layout(width, small) {
	const f = run.fabric, n = f.nodes.length, box = { w: small ? 30 : 66, h: small ? 18 : 30 };
	const place = { nodes: [], switches: [], box, width, labels: !small && n <= 8 };

	if (f.shape === "star" && n <= 8) {
		const height = small ? 104 : n <= 4 ? 218 : 270;
		const rx = width / 2 - box.w / 2 - 3, ry = height / 2 - box.h / 2 - 3;

		place.height = height;
		f.nodes.forEach((node, i) => {
			const angle = -Math.PI * 0.75 + 2 * Math.PI * i / n;
			const c = Math.cos(angle), s = Math.sin(angle);
			const k = n === 4 ? Math.SQRT2 : 1;

			place.nodes.push({ x: width / 2 + Math.max(-1, Math.min(1, c * k)) * rx,
				y: height / 2 + Math.max(-1, Math.min(1, s * k)) * ry });
		});
		place.switches.push({ x: width / 2, y: height / 2 });
		return place;
	}
	// a link that passes other switches of its row is drawn as a roof above them
	const roof = link => f.switches[link.a].level === f.switches[link.b].level && link.b - link.a > 1 ?
		(small ? 4 : 9) * (link.b - link.a) : 0;
	const levels = Math.max(...f.switches.map(s => s.level)) + 1, gap = small ? 34 : 62;
	const top = Math.max(0, ...f.links.map(roof));
	const lower = f.switches.filter(s => !s.level).length;

	f.switches.forEach((s, i) => {
		const of = f.switches.filter(o => o.level === s.level).length;
		const at = s.level ? i - lower : i;

		place.switches.push({ x: width * (at + 0.5) / of, y: top + box.h / 2 + 3 + (levels - 1 - s.level) * gap });
	});
	const share = width / lower, columns = Math.max(1, Math.floor(share / (small ? 13 : 26)));
	let deepest = 0;

	f.nodes.forEach(node => {
		const mates = f.nodes.filter(o => o.switch === node.switch), at = mates.indexOf(node);
		const wide = Math.min(columns, mates.length), line = Math.floor(at / wide);

		deepest = Math.max(deepest, line);
		place.nodes.push({ x: share * node.switch + share * (at % wide + 0.5) / wide,
			y: top + levels * gap + (small ? 8 : 22) + line * (small ? 14 : 28) });
	});
	const crowded = Math.max(lower, f.switches.length - lower);

	place.box = { w: small ? 11 : 24, h: small ? 11 : 22, sw: Math.min(small ? 30 : 60, width / crowded - 4),
		sh: small ? 16 : 28 };
	place.tiny = true;
	place.roof = roof;
	place.height = top + levels * gap + (deepest + 1) * (small ? 14 : 28) + (small ? 6 : 22);
	return place;
}

// guestOf(CASE, NODE): the job beside the measured one that has a rank on a node: its name, and the rank
function guestOf(testCase, node) {
	for (const job of testCase.other_jobs || []) {
		const rank = job.nodes.findIndex(nodes => nodes.includes(node.node));

		if (rank >= 0)
			return { job: job.name, rank };
	}
	return null;
}

// rankOf(CASE, NODE): the rank on a node, or -1
function rankOf(testCase, node) {
	return testCase.nodes.findIndex(all => all.includes(node.node));
}

// fabricDrawing(SVG, PLACE, CASE, LOOK): draw the fabric; LOOK(PORT) gives class, values and words
function fabricDrawing(svg, place, testCase, look, marked) {
	const f = run.fabric, box = place.box;
	const half = (port, a, b) => {
		const l = look(port), m = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };

		mark(svg, "path", { class: `wire ${l.class} ${l.load || ""}`,
			d: `M${a.x.toFixed(1)} ${a.y.toFixed(1)}L${m.x.toFixed(1)} ${m.y.toFixed(1)}` },
		Object.assign({ port }, l.values), l.words);
		return l;
	};
	const badges = [], taken = [], labels = [];
	const boxAt = (at, w, h) => ({ left: at.x - w / 2, right: at.x + w / 2, top: at.y - h / 2, bottom: at.y + h / 2 });
	const touch = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
	// the distance of a place from the half of a link at FROM
	const distance = (at, from, to) => {
		const dx = (to.x - from.x) / 2, dy = (to.y - from.y) / 2;
		const k = Math.max(0, Math.min(1, ((at.x - from.x) * dx + (at.y - from.y) * dy) / (dx * dx + dy * dy || 1)));

		return Math.hypot(at.x - from.x - k * dx, at.y - from.y - k * dy);
	};
	// the name of a port, beside its end of the link: at the first place where it touches neither
	// a box, a badge nor another name, and is not nearer to the end of another port to which
	// something happened; without such a place, only the title of the link has the name
	const label = (l, port, from, to) => {
		const d = Math.hypot(to.x - from.x, to.y - from.y) || 1, c = (to.x - from.x) / d, s = (to.y - from.y) / d;
		const wide = widthOf(port, l.class ? BOLD : PLAIN) + 4, high = 15;
		const across = (l.badge ? 9 : 4) + wide / 2 * Math.abs(s) + high / 2 * Math.abs(c);

		for (let along = 10; along < d * 0.6; along += 4)
			for (const side of c > 0 === s > 0.1 ? [1, -1] : [-1, 1]) {
				const at = { x: from.x + c * along - s * side * across, y: from.y + s * along + c * side * across };
				const b = boxAt(at, wide, high);

				if (b.left < 0 || b.right > place.width || b.top < 0 || b.bottom > place.height || taken.some(t => touch(b, t)) ||
				    labels.some(([look, other, start, end]) => look.class && other !== port && distance(at, start, end) < distance(at, from, to)))
					continue;
				taken.push(b);
				add(svg, "text", { class: "mid port " + (l.class ? "alarm" : "dim"), x: at.x, y: at.y + 4 }, port);
				return;
			}
	};

	place.nodes.forEach(at => taken.push(boxAt(at, box.w + 2, box.h + 2)));
	place.switches.forEach(at => taken.push(boxAt(at, (box.sw || box.w) + 2, (box.sh || box.h) + 2)));

	f.links.forEach(link => {
		const a = place.switches[link.a], b = place.switches[link.b], up = 2 * place.roof(link);

		for (const [port, from, end] of [[link.a_port, a, b], [link.b_port, b, a]]) {
			const to = { x: end.x, y: end.y - up };
			const l = half(port, from, to);

			if (l.class && !place.small)
				labels.push([l, port, from, to]);
			if (l.badge)
				badges.push([l, from, to]);
		}
	});
	f.nodes.forEach((node, i) => {
		const a = place.nodes[i], b = place.switches[node.switch];

		for (const [port, from, to] of [[node.port || "NIC", a, b], [node.switch_port, b, a]]) {
			const l = half(port, from, to);

			if (l.class ? !place.small : port === (node.port || node.switch_port) && place.labels)
				labels.push([l, port, from, to]);
			if (l.badge)
				badges.push([l, from, to]);
		}
	});
	const ofBadge = ([, from, to]) => ({ x: from.x + (to.x - from.x) * 0.42, y: from.y + (to.y - from.y) * 0.42 });

	badges.forEach(badge => taken.push(boxAt(ofBadge(badge), 12, 12)));
	// first the names of ports that something happened to
	labels.sort((a, b) => !a[0].class - !b[0].class).forEach(of => label(...of));
	for (const badge of badges) {
		const [l] = badge, { x, y } = ofBadge(badge);

		if (l.badge === "x")
			cross(svg, x, y, place.tiny ? 5 : 7, Object.assign({ badge: "hit" }, l.values), l.words);
		else
			mark(svg, "circle", { class: "badge", cx: x, cy: y, r: place.tiny ? 4 : 5 },
				Object.assign({ badge: l.badge }, l.values), l.words);
	}
	f.switches.forEach((s, i) => {
		const at = place.switches[i], w = box.sw || box.w, h = box.sh || box.h;

		add(svg, "rect", { class: "switch", x: at.x - w / 2, y: at.y - h / 2, width: w, height: h, rx: 6 });
		// without room for it, only the ports of the links have the name
		if (w >= 18)
			add(svg, "text", { class: place.small || w < 34 ? "mid tiny" : "mid", x: at.x, y: at.y + 4 },
				f.shape === "star" ? (place.small ? "" : f.remote ? s.name : "switch") : s.name);
	});
	f.nodes.forEach((node, i) => {
		const at = place.nodes[i], rank = rankOf(testCase, node), guest = rank < 0 ? guestOf(testCase, node) : null;
		const name = guest ? `rank ${guest.rank} of job ${guest.job}` : rank < 0 ? "node " + node.node : "rank " + rank;
		const short = guest ? guest.job.slice(0, 1) + guest.rank : rank < 0 ? "–" : rank;

		mark(svg, "rect", { class: "node " + (marked(node) || ""), x: at.x - box.w / 2, y: at.y - box.h / 2,
			width: box.w, height: box.h, rx: place.tiny ? 3 : 6 }, { node: node.node },
		`${name}: node ${node.node}, port ${node.port || "NIC"}, switch port ${node.switch_port}`);
		if (!place.tiny && !place.small)
			add(svg, "text", { class: "mid name", x: at.x, y: at.y + 4 }, guest ? short : name);
		else if (place.small ? !place.tiny : String(short).length < 3)
			add(svg, "text", { class: "mid tiny", x: at.x, y: at.y + 4 }, short);
	});
}

function grade(share) {
	return share <= 0 ? 0 : Math.min(8, 1 + Math.floor(share * 7.99));
}

// linkLoads(CASE): the bytes that each end of a fabric link sent; null without their counters
function linkLoads(testCase) {
	const ends = run.fabric.links.flatMap(link => [link.a_port, link.b_port]), loads = {};

	for (const port of testCase.ports)
		if (ends.includes(port.port))
			loads[port.port] = port.prios.reduce((sum, prio) => sum + prio.bytes, 0);
	return ends.length && ends.every(port => port in loads) ? loads : null;
}

function fabric(testCase, width) {
	const ladder = testCase.figures.ladder, pauses = testCase.figures.pauses;
	const paused = {}, faulty = new Set(testCase.faults.map(f => f.port.replace(/^rxe/, "v")));
	const place = layout(Math.min(width, 420), false);
	const svg = drawing(Math.min(width, 420), place.height, "The fabric: " + run.fabric.text);

	for (const row of pauses ? pauses.rows : [])
		paused[row.port] = Math.max(paused[row.port] || 0, row.paused_us);
	const most = Math.max(1, ...Object.values(paused));
	const loads = linkLoads(testCase) || {}, busiest = Math.max(1, ...Object.values(loads));
	const at = rank => testCase.nodes[rank] && testCase.nodes[rank][ladder.rail || 0];

	fabricDrawing(svg, place, testCase, port => {
		if (ladder && ladder.port === port)
			return { class: "lossy", badge: "x", values: { psn: ladder.psn },
				words: `PSN +${ladder.psn} was hit at port ${port}` };
		if (paused[port])
			return { class: "paused", badge: faulty.has(port) ? "fault" : "", values: { paused: paused[port] },
				words: `port ${port} was paused for ${time(paused[port])}` };
		if (faulty.has(port))
			return { class: "faulty", badge: "fault", values: { fault: port }, words: "fault at port " + port };
		if (port in loads)
			return { class: "", load: "load" + grade(loads[port] / busiest), values: { bytes: loads[port] },
				words: `port ${port} sent ${bytes(loads[port])} over this fabric link, the busiest one sent ${bytes(busiest)}` };
		return { class: "", words: "port " + port };
	}, node => ladder && (at(ladder.sender) === node.node ? "from" : at(ladder.receiver) === node.node ? "to" : ""));
	return svg;
}

// intervals(CASE): the time in which ports were paused, in six intervals; intervals in which all
// ports look the same are joined. SHARE has the share of the interval for which a port was paused.
function intervals(testCase) {
	const rows = testCase.figures.pauses.rows, spans = [].concat(...rows.map(r => r.spans)), parts = 6, all = [];
	const from = Math.min(...spans.map(s => s[0])), to = Math.max(...spans.map(s => s[1]));
	const edge = i => from + (to - from) * i / parts;
	const shares = (a, b) => {
		const share = {};

		for (const row of rows) {
			const sum = row.spans.reduce((s, [p, q]) => s + Math.max(0, Math.min(q, b) - Math.max(p, a)), 0);

			share[row.port] = Math.max(share[row.port] || 0, sum / (b - a || 1));
		}
		return share;
	};
	const look = share => Object.values(share).map(grade).join(" ");

	for (let i = 0; i < parts; i++) {
		const last = all[all.length - 1], now = shares(edge(i), edge(i + 1));

		if (last && look(last.share) === look(now))
			Object.assign(last, { to: edge(i + 1), share: shares(last.from, edge(i + 1)) });
		else
			all.push({ from: edge(i), to: edge(i + 1), share: now });
	}
	return all;
}

// the fabric in intervals of the time in which ports were paused; time 0 is that of the ranks
function spread(testCase, width) {
	const { pauses, ranks } = testCase.figures, all = intervals(testCase);
	const zero = ranks ? (ranks.zero_ns - pauses.begin_ns) / 1000 : pauses.first_step_us;
	const columns = width < NARROW ? 2 : 3, wide = (width - 12 * (columns - 1)) / columns;
	const place = layout(wide, true), high = place.height + 30;
	const svg = drawing(width, Math.ceil(all.length / columns) * high, "Paused ports over time");

	place.small = true;
	all.forEach((part, i) => {
		const g = add(svg, "g", { transform: `translate(${((i % columns) * (wide + 12)).toFixed(1)} ${(Math.floor(i / columns) * high + 20).toFixed(1)})` });

		add(g, "text", { class: "dim", x: 0, y: -6 }, `${time(part.from - zero)} to ${time(part.to - zero)}`);
		fabricDrawing(g, place, testCase, port => ({
			class: "shade" + grade(part.share[port] || 0), values: { interval: i, from: Math.round(part.from), to: Math.round(part.to),
				share: (part.share[port] || 0).toFixed(4) },
			words: `port ${port}: paused for ${Math.round(100 * (part.share[port] || 0))} % of this interval`,
		}), () => "");
	});
	return svg;
}

// ---- the ladder of a packet ----

function ladder(testCase, width) {
	const f = testCase.figures.ladder, narrow = width < 460;
	const left = narrow ? 80 : 104, right = narrow ? 164 : Math.min(260, width * 0.48);
	const room = width - right - 16;
	const name = who => f[who] === undefined ? who : "rank " + f[who];
	const svg = drawing(width, 10, "The packet between " + name("sender") + " and " + name("receiver"));
	const lost = f.packets.findIndex(p => p.kind === "lost");
	let y = 34, hit = y;

	const at = p => p.leave_ns === undefined ? p.arrive_ns : p.leave_ns;
	const rungs = add(svg, "g", {});

	f.packets.forEach((p, i) => {
		if (i === lost + 1 && lost >= 0 && at(p) > 2e5) {
			const label = time(at(p) / 1000);

			y += 26;
			mark(svg, "path", { class: "gapline", d: `M${left - 10} ${hit + 6}V${y + 2}` },
				{ silence: at(p) }, "silence for " + label);
			add(svg, "text", { class: "end alarm", x: left - 18, y: (hit + y) / 2 }, narrow ? "" : "silence");
			add(svg, "text", { class: "end alarm", x: left - 18, y: (hit + y) / 2 + 15 }, label);
			y += 12;
		}
		const from = p.from === "sender" ? left : right, to = p.from === "sender" ? right : left;
		const values = { kind: p.kind, from: p.from };
		const t = at(p), words = (t > 0 ? "+" : "") + time(t / 1000) + ": " + p.words;

		for (const key of ["leave_ns", "arrive_ns"])
			if (p[key] !== undefined)
				values[key.replace("_ns", "")] = p[key];
		if (p.kind === "lost") {
			const middle = from + (to - from) * 0.55;

			hit = y;
			add(rungs, "path", { class: "rung lost", d: `M${from} ${y}L${middle.toFixed(1)} ${y + 6}` });
			cross(rungs, middle, y + 6, 6, values, words);
		} else if (p.kind === "end") {
			mark(rungs, "path", { class: "edge", d: `M${left - 10} ${y}H${right + 10}` }, values, words);
		} else if (p.kind === "timer") {
			mark(rungs, "circle", { class: "timer", cx: from, cy: y, r: 6 }, values, words);
			add(rungs, "path", { class: "hands", d: `M${from} ${y - 3.5}V${y}h3` });
		} else {
			const tip = to > from ? -8 : 8;

			mark(rungs, "path", { class: "rung " + p.kind, d: `M${from} ${y}L${to} ${y + 8}m${tip} -5l${-tip} 5l${tip} 4` },
				values, words);
		}
		const high = say(svg, { class: p.kind === "lost" ? "alarm" : "", x: right + 14, y: y + 6 }, words, room);

		y += Math.max(28, high + 10);
	});
	for (const [x, who] of [[left, "sender"], [right, "receiver"]]) {
		add(svg, "text", { class: "mid name", x, y: 12 }, name(who));
		svg.insertBefore(add(svg, "path", { class: "life", d: `M${x} 20V${y}` }), rungs);
	}
	svg.setAttribute("viewBox", `0 0 ${width} ${y + 6}`);
	return svg;
}

// ---- step times ----

function hitSteps(testCase) {
	const s = testCase.figures.steps, hits = new Set();

	for (const [from, , lane] of s.bands) {
		if (!s.lanes[lane] || s.lanes[lane].planned)
			continue;
		for (let i = s.t_us.length - 1; i >= 0; i--)
			if (s.t_us[i] <= from) {
				hits.add(s.step[i]);
				break;
			}
	}
	if (testCase.worst_step)
		hits.add(testCase.worst_step.step);
	return hits;
}

// putFaultNumbers(SVG, CASE, X, Y): the numbers of the faults below the steps in which they
// began; the numbers of faults in neighboring places are in a row
function putFaultNumbers(svg, testCase, x, y) {
	const groups = [];

	for (const f of flags(testCase, us => us)) {
		const at = Math.max(x(testCase.faults[f.i]), 5), last = groups[groups.length - 1];

		add(svg, "path", { class: "flag", d: `M${at.toFixed(1)} ${y - 13}v4` });
		if (last && at < last.at + 9 * last.of.length + 4)
			last.of.push(f.i);
		else
			groups.push({ at, of: [f.i] });
	}
	for (const g of groups)
		add(add(svg, "text", { class: "flag tiny" + (g.of.length > 1 ? "" : " mid"), x: g.of.length > 1 ? g.at - 3 : g.at, y },
			g.of.map(i => i + 1).join(" ")), "title", {}, g.of.map(i => faultTitle(testCase, i)).join("; "));
}

// spark: the step times of a case as bars, with the same scale in all cards
function spark(testCase, width) {
	const s = testCase.figures.steps, high = 36, all = run.cases.filter(c => c.figures && c.figures.steps);
	const top = Math.max(...all.map(c => Math.max(...c.figures.steps.job_us)));

	if (!s || !s.job_us.length)
		return null;
	width = Math.min(width, 480);
	const n = Math.min(s.job_us.length, Math.floor((width - 46) / 2.5)), hits = hitSteps(testCase);
	const svg = drawing(width, high + 24, `Step times of case ${testCase.label}; the highest bar is ${time(Math.max(...s.job_us))}`);
	const bar = (width - 46) / n;

	for (let i = 0; i < n; i++) {
		const a = Math.floor(i * s.job_us.length / n), b = Math.max(a + 1, Math.floor((i + 1) * s.job_us.length / n));
		let best = a, hit = false;

		for (let k = a; k < b; k++) {
			best = s.job_us[k] > s.job_us[best] ? k : best;
			hit = hit || hits.has(s.step[k]);
		}
		const tall = Math.max(1, high * s.job_us[best] / top);

		mark(svg, "rect", { class: hit ? "hit" : testCase.faults.length ? "bar" : "bar clean", x: i * bar,
			y: 6 + high - tall, width: Math.max(bar - 0.7, 0.8), height: tall },
		{ step: s.step[best], us: s.job_us[best] }, `step ${s.step[best]}: ${time(s.job_us[best])}`);
	}
	add(svg, "path", { class: "axis", d: `M0 ${6 + high}H${width - 46}` });
	add(svg, "text", { class: "dim tiny", x: width - 42, y: 12 }, time(top));
	add(svg, "text", { class: "dim tiny", x: width - 42, y: 6 + high }, "0");
	putFaultNumbers(svg, testCase, f => {
		const before = s.step.filter(step => step <= f.step).length - 1;

		return (Math.max(0, Math.ceil((before + 1) * n / s.step.length) - 1) + 0.5) * bar;
	}, 20 + high);
	return svg;
}

function stairs(t, v, end, x, y) {
	return t.map((at, i) => (i ? "H" : "M") + x(at).toFixed(1) + (i ? "V" : " ") + y(v[i]).toFixed(1)).join("") +
		"H" + x(end).toFixed(1);
}

function steps(testCase, width) {
	const s = testCase.figures.steps, box = { left: 62, right: width - 12, top: 12, bottom: 212 };
	const span = Math.max(s.end_us || 0, s.clean_end_us || 0), faults = flagRows(testCase, box, 0, span);
	box.top += flagsHigh(faults);
	box.bottom += flagsHigh(faults);
	const top = Math.max(...s.job_us, ...(s.clean_us || [0]));
	const svg = drawing(width, box.bottom + 40 + 13 * s.lanes.length, "Step times over time");
	const unit = timeUnit(top);
	const y = valueAxis(svg, box, 0, top * 1.05 / unit[0], v => Number(v.toPrecision(4)) + " " + unit[1]);
	const yy = us => y(us / unit[0]);

	for (const [from, to, lane] of s.bands) {
		const planned = s.lanes[lane] && s.lanes[lane].planned;
		const at = box.left + from / span * (box.right - box.left), end = box.left + to / span * (box.right - box.left);

		mark(svg, "rect", { class: planned ? "planband" : "band", x: at, y: box.top, width: Math.max(end - at, 1),
			height: box.bottom - box.top }, { from, to, lane: s.lanes[lane] ? s.lanes[lane].name : "" },
		(planned ? "fault at port " : "hit to retransmission, ") + (s.lanes[lane] ? s.lanes[lane].name : "") + ": " + time(to - from));
	}
	const x = timeAxis(svg, box, 0, span, "since the first step began");

	if (s.clean_t_us)
		mark(svg, "path", { class: "clean", d: stairs(s.clean_t_us, s.clean_us, s.clean_end_us, x, yy) },
			{ series: "clean", us: s.clean_us.join(" ") }, "clean case");
	if (s.t_us.length) {
		let d = stairs(s.t_us, s.most_us, s.end_us, x, yy);

		for (let i = s.t_us.length - 1; i >= 0; i--)
			d += `V${yy(s.least_us[i]).toFixed(1)}H${x(s.t_us[i]).toFixed(1)}`;
		add(svg, "path", { class: "range", d: d + "z" });
		mark(svg, "path", { class: "job", d: stairs(s.t_us, s.job_us, s.end_us, x, yy) },
			{ series: "job", step: s.step.join(" "), us: s.job_us.join(" ") }, "this case");
	}
	s.lanes.forEach((lane, i) => {
		const at = box.bottom + 36 + i * 13;

		add(svg, "text", { class: "end dim tiny", x: box.left - 6, y: at + 9 }, lane.name);
		add(svg, "rect", { class: "lane", x: box.left, y: at, width: box.right - box.left, height: 9 });
		for (const [from, to, of] of s.bands)
			if (of === i)
				add(svg, "rect", { class: lane.planned ? "plan" : "hit", x: x(from), y: at,
					width: Math.max(x(to) - x(from), 1), height: 9 });
	});
	putFlags(svg, testCase, faults, box.top - 2, box.bottom);
	svg.placeOf = step => placeOfStep(s.step, s.t_us, s.end_us, x, box, step);
	return svg;
}

// ---- PSN over time ----

const shapes = {
	first: (x, y) => `M${x} ${y}h0`,
	again: (x, y) => `M${x} ${y}h0`,
	ack: (x, y) => `M${x - 4} ${y}h8`,
	nak: (x, y) => `M${x - 5} ${y}l5-5 5 5-5 5z`,
	cross: (x, y) => `M${x - 4} ${y - 4}l8 8m-8 0l8-8`,
};

// the look of each kind of packet
const dotLooks = { first: "first", ack: "ack", again: "again", nak: "nak", rnr: "nak", hit: "cross" };

function flow(testCase, width, index) {
	const f = testCase.figures.flows[index], box = { left: 52, right: width - 14, top: 14, bottom: 244 };
	const psns = [].concat(...f.dots.map(d => d.psn)), pad = Math.max((f.to_ns - f.from_ns) * 0.04, 1000);
	const low = Math.min(...psns), most = Math.max(...psns), dy = Math.max((most - low) * 0.12, 4);
	const svg = drawing(width, box.bottom + 40, "Packet sequence numbers over time");
	const y = valueAxis(svg, box, Math.max(low - dy, 0), most + dy, v => v % 1 ? "" : v);
	const x = timeAxis(svg, box, (f.from_ns - pad) / 1000, (f.to_ns + pad) / 1000, "after the first hit");

	f.dots.forEach(dots => {
		if (dots.t_ns.length)
			mark(svg, "path", { class: dotLooks[dots.kind], d: dots.t_ns.map((t, i) =>
				shapes[dotLooks[dots.kind]](Math.round(x(t / 1000) * 10) / 10, Math.round(y(dots.psn[i]) * 10) / 10)).join("") },
			{ kind: dots.kind, t: dots.t_ns.join(" "), psn: dots.psn.join(" ") });
	});
	if (f.lost)
		add(svg, "text", { class: "alarm", x: x(0) + 10, y: y(f.lost_psn) - 9 }, f.lost);
	if (f.gap) {
		add(svg, "path", { class: "gap", d: `M${(x(0) + 8).toFixed(1)} ${y(f.lost_psn).toFixed(1)}H${(x(f.gap_ns / 1000) - 6).toFixed(1)}` });
		add(svg, "text", { x: x(0) + 10, y: y(f.lost_psn) + 17 }, f.gap);
	}
	return svg;
}

// ---- waiting time by rank and step ----

function waits(testCase, width) {
	const f = testCase.figures.waits, n = f.wait_us.length, columns = f.wait_us[0].length;
	const high = n <= 16 ? 18 : 7, box = { left: 62, right: width - 20, top: 6, bottom: 6 + n * high };
	const svg = drawing(width, box.bottom + 36, "How long each rank waited in each step");
	const cell = (box.right - box.left) / columns;

	add(svg, "rect", { class: "lane", x: box.left, y: box.top, width: box.right - box.left, height: n * high });
	f.wait_us.forEach((row, rank) => {
		if (n <= 16 || rank % 8 === 0)
			add(svg, "text", { class: "end dim", x: box.left - 6, y: box.top + (rank + 0.5) * high + 4 }, "rank " + rank);
		row.forEach((us, i) => {
			if (us > 0)
				mark(svg, "rect", { class: "g" + grade(us / (f.top_us || 1)), x: box.left + i * cell,
					y: box.top + rank * high, width: cell + 0.3, height: high - (n <= 16 ? 1 : 0) },
				{ rank, column: i, us }, `rank ${rank}, step ${Math.ceil(i * f.steps / columns) + 1}: waited ${time(us)}`);
		});
	});
	for (const v of ticks(1, f.steps, (box.right - box.left) / 80))
		if (v % 1 === 0 && v >= 1)
			add(svg, "text", { class: "mid dim", x: box.left + (v - 0.5) / f.steps * (box.right - box.left),
				y: box.bottom + 16 }, v);
	add(svg, "text", { class: "end dim", x: box.right, y: box.bottom + 32 }, "step");
	svg.placeOf = step => ({ x: box.left + Math.floor((step - 1) * columns / f.steps) * cell, y: box.top, width: cell, height: n * high });
	return svg;
}

// ---- pauses ----

function pauses(testCase, width) {
	const f = testCase.figures.pauses, box = { left: 66, right: width - 12, top: 6 };
	const zero = f.first_step_us, faults = flagRows(testCase, box, -zero, f.span_us - zero);
	box.top += flagsHigh(faults);
	box.bottom = box.top + f.rows.length * 20;
	const svg = drawing(width, box.bottom + 36, "Pauses of each priority over time");
	const scale = timeAxis(svg, box, -zero, f.span_us - zero, "since the first step began"), x = us => scale(us - zero);

	f.rows.forEach((row, i) => {
		const y = box.top + i * 20 + 1;

		add(svg, "text", { class: "end dim", x: box.left - 6, y: y + 13 }, `${row.port} p${row.prio}`);
		add(svg, "rect", { class: "lane", x: box.left, y, width: box.right - box.left, height: 17 });
		for (const [from, to] of row.spans)
			mark(svg, "rect", { class: "paused", x: x(from), y, width: Math.max(x(to) - x(from), 0.6), height: 17 },
				{ port: row.port, prio: row.prio, from, to },
				`priority ${row.prio} of ${row.port} was paused for ${time(to - from)}`);
	});
	putFlags(svg, testCase, faults, box.top, box.bottom);
	return svg;
}

// ---- rates and queues ----

function rates(testCase, width) {
	const f = testCase.figures.rates, box = { left: 62, right: width - 12, top: 14, bottom: 154 }, n = f.queues.length;
	const all = [].concat(...f.queues.map(q => q.t_us)), start = Math.min(0, ...all), end = Math.max(f.end_us, ...all);
	const faults = flagRows(testCase, box, start, end);
	box.top += flagsHigh(faults);
	box.bottom += flagsHigh(faults);
	const svg = drawing(width, box.bottom + 42 + n * 96, "Data rate and queue lengths over time");
	const top = Math.max(...f.mbit) * 1.05;
	const y = valueAxis(svg, box, 0, top, v => Number(v.toPrecision(3)));
	const x = timeAxis(svg, box, start, end, "since the first step began");

	add(svg, "text", { class: "dim", x: box.left + 4, y: box.top - 2 - flagsHigh(faults) }, "Mbit/s in transfers");
	mark(svg, "path", { class: "job", d: stairs(f.t_us, f.mbit, f.end_us, x, y) },
		{ series: "rate", step: f.step.join(" "), mbit: f.mbit.join(" ") }, "data rate of the job");
	f.queues.forEach((q, i) => {
		const b = { left: box.left, right: box.right, top: box.bottom + 48 + i * 96, bottom: box.bottom + 118 + i * 96 };
		const v = valueAxis(svg, b, 0, Math.max(...q.bytes, 1) * 1.1, value => bytes(Math.round(value)));

		add(svg, "path", { class: "axis", d: `M${b.left} ${b.bottom}H${b.right}` });
		add(svg, "text", { class: "dim", x: b.left + 4, y: b.top - 4 }, `queue of port ${q.port}, priority ${q.prio}`);
		mark(svg, "path", { class: "dots", d: q.t_us.map((t, k) => `M${x(t).toFixed(1)} ${v(q.bytes[k]).toFixed(1)}h0`).join("") },
			{ port: q.port, prio: q.prio, t: q.t_us.join(" "), bytes: q.bytes.join(" ") });
	});
	putFlags(svg, testCase, faults, box.top, box.bottom + n * 96 + (n ? 22 : 0));
	svg.placeOf = step => placeOfStep(f.step, f.t_us, f.end_us, x, box, step);
	return svg;
}

// ---- rates of flows ----

const flowName = flow => `port ${flow.port} to ${flow.destination}, QP ${flow.qp}`;

function dcqcn(testCase, width) {
	const f = testCase.figures.dcqcn, box = { left: 62, right: width - 12, top: 18 }, high = 84;
	const start = Math.min(0, ...f.flows.map(flow => flow.t_us[0])), top = Math.max(...f.flows.flatMap(flow => flow.mbit)) * 1.05;
	const faults = flagRows(testCase, box, start, f.end_us);
	box.top += flagsHigh(faults);
	box.bottom = box.top + f.flows.length * high;
	const svg = drawing(width, box.bottom + 36, "Rates of flows over time");
	const x = timeAxis(svg, box, start, f.end_us, "since the first step began");

	f.flows.forEach((flow, i) => {
		const b = { left: box.left, right: box.right, top: box.top + i * high + 6, bottom: box.top + (i + 1) * high - 20 };
		const y = valueAxis(svg, b, 0, top, v => Number(v.toPrecision(3)));

		add(svg, "path", { class: "axis", d: `M${b.left} ${b.bottom}H${b.right}` });
		add(svg, "text", { class: "dim", x: b.left + 4, y: b.top - 4 }, flowName(flow));
		add(svg, "path", { class: "clean", d: stairs(flow.t_us, flow.alpha, f.end_us, x, a => b.bottom - a * (b.bottom - b.top)) });
		mark(svg, "path", { class: "job", d: stairs(flow.t_us, flow.mbit, f.end_us, x, y) },
			{ port: flow.port, qp: flow.qp, t: flow.t_us.join(" "), mbit: flow.mbit.join(" ") }, flowName(flow));
	});
	putFlags(svg, testCase, faults, box.top, box.bottom);
	return svg;
}

// ---- the traffic between ranks ----

function traffic(testCase, width) {
	const rows = testCase.traffic_bytes, n = rows.length, most = Math.max(...rows.flat());
	const cell = Math.min(28, (width - 74) / n), box = { left: 62, top: 34 }, every = Math.ceil(24 / cell);
	const svg = drawing(width, box.top + n * cell + 8, "Bytes that the ranks sent to each other");

	add(svg, "text", { class: "dim", x: 0, y: box.top - 4 }, "sender");
	add(svg, "text", { class: "dim", x: box.left, y: 12 }, "receiver");
	add(svg, "rect", { class: "lane", x: box.left, y: box.top, width: n * cell, height: n * cell });
	rows.forEach((row, rank) => {
		if (rank % every === 0) {
			add(svg, "text", { class: "end dim", x: box.left - 6, y: box.top + (rank + 0.5) * cell + 4 }, rank);
			add(svg, "text", { class: "mid dim", x: box.left + (rank + 0.5) * cell, y: box.top - 4 }, rank);
		}
		row.forEach((sent, peer) => {
			if (sent)
				mark(svg, "rect", { class: "g" + grade(sent / most), x: box.left + peer * cell, y: box.top + rank * cell,
					width: cell - (n <= 32 ? 1 : 0), height: cell - (n <= 32 ? 1 : 0) },
				{ rank, peer, sent }, `rank ${rank} to rank ${peer}: ${bytes(sent)}`);
		});
	});
	return svg;
}

// ---- rates and queues of ports ----

// two grids: the rate of each port, and below it the queue; strong colors are large values
function loads(testCase, width) {
	const f = testCase.figures.loads, n = f.ports.length, high = n <= 16 ? 18 : 13, columns = f.t_us.length - 1;
	const start = f.t_us[0], end = f.t_us[columns], box = { left: 62, right: width - 20, top: 18 };
	const faults = flagRows(testCase, box, start, end);
	const first = box.top + flagsHigh(faults), second = first + n * high + 28;
	box.top = first;
	box.bottom = second + n * high;
	const svg = drawing(width, box.bottom + 36, "Rate and queue of each port over time");
	const x = timeAxis(svg, box, start, end, "since the first step began");

	for (const [top, key, title, text] of [[first, "mbit", "rate", mbits], [second, "bytes", "queue", bytes]]) {
		const most = Math.max(...f.ports.flatMap(port => port[key]));

		add(svg, "text", { class: "dim", x: box.left, y: top - 6 }, title);
		add(svg, "rect", { class: "lane", x: box.left, y: top, width: box.right - box.left, height: n * high });
		f.ports.forEach((port, row) => {
			add(svg, "text", { class: "end dim" + (n <= 16 ? "" : " tiny"), x: box.left - 6, y: top + (row + 0.5) * high + 4 }, port.port);
			port[key].forEach((v, i) => {
				if (v > 0)
					mark(svg, "rect", { class: "g" + grade(v / most), x: x(f.t_us[i]), y: top + row * high,
						width: x(f.t_us[i + 1]) - x(f.t_us[i]) + 0.3, height: high - 1 },
					{ port: port.port, column: i, [key]: v },
					`${title} of port ${port.port} from ${time(f.t_us[i])} to ${time(f.t_us[i + 1])}: ${text(v)}`);
			});
		});
	}
	putFlags(svg, testCase, faults, box.top, box.bottom);
	return svg;
}

// ---- activities ----

const parts = [["work_us", "compute", "computing, copying, adding"], ["data_us", "wait", "waiting for data"],
	["acks_us", "acks", "waiting for ACKs"], ["barrier_us", "barrier", "waiting at the barrier"]];

// bars(ROWS, WIDTH, LABEL): a bar per row, [name, activities]
function bars(rows, width, label) {
	const box = { left: 8, right: width - 12, top: 6, bottom: 6 + rows.length * 40 };
	const sum = times => parts.reduce((s, p) => s + times[p[0]], 0);
	const svg = drawing(width, box.bottom + 38, label);
	const x = timeAxis(svg, box, 0, Math.max(...rows.map(r => sum(r[1])), 1), "total of all ranks");

	rows.forEach(([name, times], i) => {
		let at = 0;

		add(svg, "text", { class: "name", x: box.left, y: box.top + i * 40 + 12 }, name);
		for (const [key, look, words] of parts) {
			const us = times[key];

			if (us > 0)
				mark(svg, "rect", { class: look, x: x(at), y: box.top + i * 40 + 18,
					width: Math.max(x(at + us) - x(at), 0.3), height: 16 },
				{ case: name, part: key, us }, `${name}: ${words} for ${time(us)}`);
			at += us;
		}
	});
	return svg;
}

function activities(testCase, width) {
	return bars(run.cases.filter(c => c.figures).map(c => [c.label, c.figures.activities]), width,
		"Time of all ranks by activity, for each case");
}

function compareActivities(testCase, width) {
	return bars(testCase.figures.compare_activities.map((a, i) => [letters[i] + " " + run.runs[i], a]), width,
		"Time of all ranks by activity, for each run");
}

// ---- comparison of two runs ----

const looks = ["run0", "run1"], letters = ["A", "B"];

function compareTimes(testCase, width) {
	const cases = run.cases.filter(c => c.figures && c.figures.compare_times);
	const box = { left: 26, right: width - 72, top: 4, bottom: 4 + cases.length * 62 };
	const svg = drawing(width, box.bottom + 24, "Time of each case in each run");
	const x = timeAxis(svg, box, 0, Math.max(...cases.map(c => Math.max(...c.figures.compare_times))), "");

	cases.forEach((c, i) => {
		const y = box.top + i * 62;

		add(svg, "text", { class: "name", x: box.left, y: y + 12 }, c.label);
		c.figures.compare_times.forEach((us, k) => {
			const top = y + 19 + k * 19;

			add(svg, "text", { class: "end dim", x: box.left - 8, y: top + 12 }, letters[k]);
			if (us === null)
				return;
			mark(svg, "rect", { class: looks[k], x: box.left, y: top, width: Math.max(x(us) - box.left, 0.5), height: 14 },
				{ case: c.label, run: letters[k], us }, `${c.label}, run ${letters[k]}: ${time(us)}`);
			add(svg, "text", { class: "dim", x: x(us) + 6, y: top + 12 }, time(us));
		});
	});
	return svg;
}

function compareSteps(testCase, width) {
	const runs = testCase.figures.compare_steps, box = { left: 62, right: width - 12, top: 12, bottom: 252 };
	const svg = drawing(width, box.bottom + 40 + 14 * runs.length, "Step times of the case in each run over time");
	const span = Math.max(...runs.map(s => s ? s.end_us : 0)), top = Math.max(...runs.map(s => s ? Math.max(...s.job_us) : 0));
	const unit = timeUnit(top);
	const y = valueAxis(svg, box, 0, top * 1.05 / unit[0], v => Number(v.toPrecision(4)) + " " + unit[1]);
	const x = timeAxis(svg, box, 0, span, "since the first step began");

	runs.forEach((s, k) => {
		const at = box.bottom + 36 + k * 14;

		add(svg, "text", { class: "end dim tiny", x: box.left - 6, y: at + 9 }, letters[k]);
		add(svg, "rect", { class: "lane", x: box.left, y: at, width: box.right - box.left, height: 10 });
		if (!s)
			return;
		mark(svg, "path", { class: looks[k], d: stairs(s.t_us, s.job_us, s.end_us, x, us => y(us / unit[0])) },
			{ series: "job", run: letters[k], step: s.step.join(" "), us: s.job_us.join(" ") }, "run " + letters[k]);
		for (const planned of [true, false])
			for (const [from, to, lane] of s.bands)
				if ((s.lanes[lane] ? s.lanes[lane].planned : false) === planned)
					mark(svg, "rect", { class: planned ? "plan" : "hit", x: x(from), y: at,
						width: Math.max(x(to) - x(from), 1), height: 10 }, { run: letters[k], from, to },
					`run ${letters[k]}, ${planned ? "fault" : "hit to retransmission"}: ${time(to - from)}`);
	});
	return svg;
}

const draw = { ranks, fabric, spread, ladder, spark, steps, flow, waits, pauses, rates, traffic, loads, dcqcn, activities,
	compare_times: compareTimes, compare_steps: compareSteps, compare_activities: compareActivities };
