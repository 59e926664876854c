// SPDX-License-Identifier: GPL-2.0
/*
 * Interactive figures: values at the pointer and, if the page contains uPlot, zoom. All
 * data of the run is inserted as text, never as markup. Without this script the page
 * shows the same figures.
 */
(function () {
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const LANE = 9, GAP = 3;
let plots = [];

function colour(name) {
	return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

/* Format a time: 4200 us as "4.2 ms". */
function time(us) {
	const a = Math.abs(us);

	if (!a)
		return "0";
	if (a >= 1e6)
		return +(us / 1e6).toPrecision(4) + " s";
	return a >= 1e3 ? +(us / 1e3).toPrecision(4) + " ms" : +us.toPrecision(4) + " us";
}

function axis(format, extra) {
	return Object.assign({
		stroke: colour("dim"), font: "12px system-ui, sans-serif",
		grid: { stroke: colour("line"), width: 1 },
		ticks: { stroke: colour("line"), width: 1, size: 4 },
		values: (u, ticks) => ticks.map(v => v === null ? "" : format(v)),
	}, extra);
}

function options(el, height, below) {
	return {
		width: el.clientWidth, height, legend: { show: false },
		cursor: { drag: { x: true, y: false }, points: { size: 7 } },
		scales: { x: { time: false } },
		series: [{}],
		axes: [
			axis(time, { space: 80, size: 30, label: below, labelSize: 20, labelFont: "12px system-ui, sans-serif" }),
			axis(time, { size: 68 }),
		],
		hooks: {},
	};
}

/* Draw steps as stairs: the width of a step is its duration. */
function line(stroke, width) {
	return { stroke, width, spanGaps: true, points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }) };
}

/* Make the tooltip of a figure. Returns a function that shows a text near the pointer. */
function tipOf(fig) {
	const tip = document.createElement("div");

	tip.className = "tip";
	tip.hidden = true;
	fig.append(tip);
	return (text, x, y) => {
		tip.hidden = !text;
		if (!text)
			return;
		tip.textContent = text;
		const f = fig.getBoundingClientRect();

		tip.style.left = Math.max(4, Math.min(x - f.left + 14, f.width - tip.offsetWidth - 8)) + "px";
		tip.style.top = y - f.top + 16 + "px";
	};
}

/* Show a tooltip that follows the cursor; words(u, c) returns its text. */
function follow(o, el, words) {
	const show = tipOf(el.parentElement);

	o.hooks.setCursor = [u => {
		const box = u.over.getBoundingClientRect(), c = u.cursor;

		show(c.left < 0 ? null : words(u, c), box.left + c.left, box.top + c.top);
	}];
}

/* Index of the last element of a sorted list that is at most a value; -1: none */
function before(list, v) {
	let from = 0, to = list.length;

	while (from < to) {
		const mid = (from + to) >> 1;

		if (list[mid] <= v)
			from = mid + 1;
		else
			to = mid;
	}
	return from - 1;
}

/* Draw when faults were active: behind the curves, and in the lane of each rank or port. */
function drawBands(u, d) {
	const c = u.ctx, r = devicePixelRatio, b = u.bbox;

	c.save();
	c.beginPath();
	c.rect(b.left, 0, b.width, u.height * r);
	c.clip();
	for (const [from, to, lane] of d.bands) {
		const x = u.valToPos(from, "x", true);
		const w = Math.max(u.valToPos(to, "x", true) - x, 2 * r);
		const planned = lane < d.lanes.length && d.lanes[lane].planned;

		c.fillStyle = colour(planned ? "planband" : "band");
		c.fillRect(x, b.top, w, b.height);
		c.fillStyle = colour(planned ? "plan" : "hit");
		if (lane < d.lanes.length)
			c.fillRect(x, laneTop(u, lane, d) * r, w, LANE * r);
	}
	c.restore();
}

function laneTop(u, i, d) {
	return u.height - (d.lanes.length - i) * (LANE + GAP);
}

function drawLanes(u, d) {
	const c = u.ctx, r = devicePixelRatio, b = u.bbox;

	c.save();
	c.font = 12 * r + "px system-ui, sans-serif";
	c.textAlign = "right";
	c.textBaseline = "middle";
	d.lanes.forEach((lane, i) => {
		c.fillStyle = colour("lane");
		c.fillRect(b.left, laneTop(u, i, d) * r, b.width, LANE * r);
		c.fillStyle = colour("ink");
		c.fillText(lane.name, b.left - 6 * r, (laneTop(u, i, d) + LANE / 2) * r);
	});
	c.restore();
}

function stepWords(d, t) {
	const i = d.t ? before(d.t, t) : -1, j = d.clean ? before(d.clean_t, t) : -1;
	let text = "at " + time(t);

	if (i >= 0 && t <= d.end)
		text += "\nstep " + d.step[i] + ": " + time(d.job[i]) +
			"\nranks: " + time(d.least[i]) + " to " + time(d.most[i]);
	if (j >= 0 && t <= d.clean_end)
		text += "\nclean case then: " + time(d.clean[j]);
	return text;
}

function steps(el, d) {
	const lanes = d.lanes.length * (LANE + GAP) + (d.lanes.length ? 6 : 0);
	const o = options(el, 260 + lanes, "since the first step began"), last = list => list[list.length - 1];
	const tables = [];

	o.padding = [10, 18, lanes, 0];
	o.hooks.drawClear = [u => { drawLanes(u, d); drawBands(u, d); }];
	if (d.clean) {
		tables.push([[...d.clean_t, d.clean_end], [...d.clean, last(d.clean)]]);
		o.series.push(line(colour("clean"), 1.5));
	}
	if (d.t) {
		const least = o.series.length;

		tables.push([[...d.t, d.end], ...[d.least, d.most, d.job].map(v => [...v, last(v)])]);
		o.series.push(line(colour("range"), 1), line(colour("range"), 1), line(colour("job"), 2));
		o.bands = [{ series: [least + 1, least], fill: colour("range") }];
	}
	o.cursor.points = { show: false };
	o.scales.y = { range: (u, min, max) => [0, max * 1.05 || 1] };
	follow(o, el, (u, c) => stepWords(d, u.posToVal(c.left, "x")));
	return new uPlot(o, uPlot.join(tables), el);
}

/* Draw a lane for each of the two runs; hits of packets cover faults with start and end. */
function drawRunLanes(u, d) {
	const c = u.ctx, r = devicePixelRatio, b = u.bbox;
	const lanes = d.runs.map((run, i) => ({ name: String.fromCharCode(65 + i) }));

	drawLanes(u, { lanes });
	c.save();
	c.beginPath();
	c.rect(b.left, 0, b.width, u.height * r);
	c.clip();
	d.runs.forEach((run, i) => {
		for (const hits of [0, 1])
			for (const [from, to, planned] of run.bands) {
				if (planned === hits)
					continue;
				const x = u.valToPos(from, "x", true);

				c.fillStyle = colour(planned ? "plan" : "hit");
				c.fillRect(x, laneTop(u, i, { lanes }) * r,
					Math.max(u.valToPos(to, "x", true) - x, 2 * r), LANE * r);
			}
	});
	c.restore();
}

function runWords(d, t) {
	let text = "at " + time(t);

	d.runs.forEach((run, n) => {
		const i = before(run.t, t);

		if (i >= 0 && t <= run.end)
			text += "\n" + String.fromCharCode(65 + n) + ": step " + run.step[i] + ", " + time(run.job[i]);
	});
	return text;
}

function compare(el, d) {
	const lanes = d.runs.length * (LANE + GAP) + 6, o = options(el, 280 + lanes, "since the first step began");

	o.padding = [10, 18, lanes, 0];
	o.hooks.drawClear = [u => drawRunLanes(u, d)];
	o.cursor.points = { show: false };
	o.scales.y = { range: (u, min, max) => [0, max * 1.05 || 1] };
	d.runs.forEach((run, i) => o.series.push(line(colour("run" + i), 2.4 - .2 * i)));
	follow(o, el, (u, c) => runWords(d, u.posToVal(c.left, "x")));
	return new uPlot(o, uPlot.join(d.runs.map(run => [[...run.t, run.end], [...run.job, run.job.at(-1)]])), el);
}

const marks = {
	cross(c, x, y, s) { c.moveTo(x - s, y - s); c.lineTo(x + s, y + s); c.moveTo(x + s, y - s); c.lineTo(x - s, y + s); },
	nak(c, x, y, s) { c.moveTo(x - s, y); c.lineTo(x, y - s); c.lineTo(x + s, y); c.lineTo(x, y + s); c.closePath(); },
	again(c, x, y, s) { c.moveTo(x + s * .7, y); c.arc(x, y, s * .7, 0, 7); },
	first(c, x, y, s) { c.moveTo(x + s * .5, y); c.arc(x, y, s * .5, 0, 7); },
};
marks.ack = (c, x, y, s) => { c.moveTo(x - s * .8, y); c.lineTo(x + s * .8, y); };
const looks = { ack: "others", cross: "hit", nak: "nak", again: "again", first: "clean" };

function drawDots(u, i, dots) {
	const c = u.ctx, r = devicePixelRatio;

	if (!u.series[i].show)
		return;
	c.save();
	c.beginPath();
	c.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
	c.clip();
	c.beginPath();
	dots.t.forEach((t, n) => marks[dots.look](c, u.valToPos(t / 1e3, "x", true),
		u.valToPos(dots.psn[n], "y", true), 5 * r));
	c.lineWidth = 2 * r;
	c.strokeStyle = c.fillStyle = colour(looks[dots.look]);
	if (dots.look === "again" || dots.look === "first")
		c.fill();
	else
		c.stroke();
	c.restore();
}

/* Write the labels of a single loss. */
function drawWords(u, d) {
	const c = u.ctx, r = devicePixelRatio;
	const x = u.valToPos(0, "x", true), y = u.valToPos(d.lost_psn, "y", true);

	c.save();
	c.beginPath();
	c.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
	c.clip();
	c.font = 12.5 * r + "px system-ui, sans-serif";
	c.textAlign = "left";
	c.textBaseline = "alphabetic";
	c.fillStyle = colour("ink");
	c.fillText(d.lost, x + 10 * r, y - 9 * r);
	if (d.gap) {
		const to = u.valToPos(d.gap_ns / 1e3, "x", true);

		c.fillText(d.gap, x + 10 * r, y + 17 * r);
		c.strokeStyle = colour("dim");
		c.setLineDash([3 * r, 4 * r]);
		c.beginPath();
		c.moveTo(x + 8 * r, y);
		c.lineTo(to - 6 * r, y);
		c.stroke();
	}
	c.restore();
}

/* Find the packet nearest to the pointer, at most 20 pixels away. */
function nearest(u, used, c) {
	let best = 20 ** 2, found = null;

	for (const s of used)
		s.t.forEach((t, n) => {
			const x = u.valToPos(t / 1e3, "x") - c.left, y = u.valToPos(s.psn[n], "y") - c.top;

			if (x * x + y * y < best) {
				best = x * x + y * y;
				found = "PSN +" + s.psn[n] + ", at " + time(t / 1e3) + "\n" + s.words;
			}
		});
	return found;
}

function psn(el, d) {
	const o = options(el, 290, "after the first hit"), used = d.dots.filter(s => s.t.length);
	const around = (min, max, share, least) => {
		const room = Math.max((max - min) * share, least);

		return [min - room, max + room];
	};

	o.axes[1] = axis(v => "+" + v, { size: 68 });
	o.cursor.points = { show: false };
	for (const s of used)
		o.series.push({ stroke: colour(looks[s.look]), paths: () => null, points: { show: false } });
	const all = used.flatMap(s => [s.t[0], s.t[s.t.length - 1]]);
	const first = Math.min(...all) / 1e3, last = Math.max(...all) / 1e3;

	o.scales.x.range = (u, min, max) => min <= first && max >= last ? around(first, last, .05, 1) : [min, max];
	o.scales.y = { range: (u, min, max) => {
		const [from, to] = around(min, max, .1, 4);

		return [Math.max(from, 0), to];
	} };
	o.hooks.ready = [u => {
		const [min, max] = around(d.from_ns / 1e3, d.to_ns / 1e3, .05, 1);

		u.setScale("x", { min, max });
	}];
	o.hooks.draw = [u => {
		used.forEach((s, i) => drawDots(u, i + 1, s));
		if (d.lost)
			drawWords(u, d);
	}];
	follow(o, el, (u, c) => nearest(u, used, c));
	/* The script draws the dots: uPlot only needs the last value of each time. */
	const plot = new uPlot(o, uPlot.join(used.map(s => {
		const at = new Map(s.t.map((t, n) => [t / 1e3, s.psn[n]]));
		const t = [...at.keys()].sort((a, b) => a - b);

		return [t, t.map(x => at.get(x))];
	})), el);
	const [min, max] = around(d.from_ns / 1e3, d.to_ns / 1e3, .05, 1);

	plot.setScale("x", { min, max });
	return plot;
}

/* Tooltip text for a position in the heat map, or null */
function waits(d, x, y) {
	const rank = Math.floor(y * d.us.length), row = d.us[rank];

	if (!row)
		return null;
	const i = Math.min(Math.floor(x * row.length), row.length - 1);
	const from = Math.ceil(i * d.steps / row.length) + 1;
	const to = Math.max(Math.ceil((i + 1) * d.steps / row.length), from);

	return "rank " + rank + ", step " + from + (to > from ? " to " + to : "") +
		"\nwaited " + (to > from ? "up to " : "") + time(row[i]);
}

function pauses(d, x, y) {
	const i = Math.floor(y * d.names.length), row = d.paused[i];

	if (!row)
		return null;
	const n = Math.min(Math.floor(x * row.length), row.length - 1);

	return d.names[i] + ", at " + time(n / row.length * d.span_us) + "\nshut " + row[n] / 10 + "% of " +
		time(d.span_us / row.length);
}

function tooltip(fig, words) {
	const show = tipOf(fig);

	for (const svg of fig.querySelectorAll("svg")) {
		const s = svg.dataset;

		svg.addEventListener("pointerleave", () => show(null));
		svg.addEventListener("pointermove", e => {
			const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
			const x = ((e.clientX - box.left) * scale - s.left) / (s.right - s.left);
			const y = ((e.clientY - box.top) * scale - s.top) / (s.bottom - s.top);

			show(x < 0 || x >= 1 || y < 0 || y >= 1 ? null : words(x, y), e.clientX, e.clientY);
		});
	}
}

function place(id, make) {
	const fig = document.getElementById(id), el = document.createElement("div");

	el.className = "plot";
	el.setAttribute("role", "img");
	el.setAttribute("aria-label", fig.querySelector("svg").getAttribute("aria-label"));
	fig.querySelector(".drawing").after(el);
	fig.classList.add("live");
	plots.push({ el, make, plot: make(el, data[id]) });
}

function again() {
	for (const p of plots) {
		p.plot.destroy();
		for (const tip of p.el.parentElement.querySelectorAll(".tip"))
			tip.remove();
		p.plot = p.make(p.el, data[p.el.parentElement.id]);
	}
}

function fit() {
	for (const p of plots)
		if (p.el.clientWidth && p.el.clientWidth !== p.plot.width)
			p.plot.setSize({ width: p.el.clientWidth, height: p.plot.height });
}

for (const id in data) {
	const d = data[id], fig = document.getElementById(id);

	if (d.kind === "waits")
		tooltip(fig, (x, y) => waits(d, x, y));
	else if (d.kind === "pauses")
		tooltip(fig, (x, y) => pauses(d, x, y));
	else if (typeof uPlot !== "undefined")
		place(id, { steps, psn, compare }[d.kind]);
}
addEventListener("resize", fit);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
document.documentElement.dataset.plots = plots.length;
document.documentElement.dataset.ms = Math.round(performance.now());
})();
