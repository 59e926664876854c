// SPDX-License-Identifier: GPL-2.0
//
// Appended to a copy of a report by scripts/look-at-report, in a frame of the width of a screen.
// Opens all details, and sends the faults of the layout to the page with the frame: texts of
// drawings that touch each other or the edge of a box, texts that are clipped, and a page or a
// caption wider than the screen; and whether a chosen step is marked in all figures.
"use strict";
{
	const faults = [];
	// letters do not fill their box: two lines of a text may touch
	const boxOf = text => {
		const b = text.getBoundingClientRect();

		return { left: b.left + 1, right: b.right - 1, top: b.top + 2.5, bottom: b.bottom - 2.5 };
	};
	const touch = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
	const holds = (a, b) => a.left <= b.left && a.right >= b.right && a.top <= b.top && a.bottom >= b.bottom;
	const place = svg => {
		const f = svg.closest("[data-figure]");

		return `${f.dataset.figure}${f.dataset.case ? " of case " + f.dataset.case : ""}: `;
	};
	const look = svg => {
		const texts = [...svg.querySelectorAll("text")].filter(t => t.textContent), edge = svg.getBoundingClientRect();
		const boxes = texts.map(boxOf), frames = [...svg.querySelectorAll(".node, .switch")].map(r => r.getBoundingClientRect());

		texts.forEach((text, i) => {
			const words = `"${text.firstChild.textContent}"`;

			if (!holds({ left: edge.left - 2, right: edge.right + 2, top: edge.top - 2, bottom: edge.bottom + 2 }, boxes[i]))
				faults.push(place(svg) + words + " is clipped");
			for (let k = i + 1; k < texts.length; k++)
				if (touch(boxes[i], boxes[k]))
					faults.push(place(svg) + words + ` is over "${texts[k].firstChild.textContent}"`);
			for (const frame of frames)
				if (touch(boxes[i], frame) && !holds(frame, boxes[i]))
					faults.push(place(svg) + words + " is over the edge of a box");
		});
	};

	document.querySelectorAll("details").forEach(d => { d.open = true; });
	renderAll();
	document.querySelectorAll(".drawing svg").forEach(look);
	document.querySelectorAll("figcaption, .legend, .cards li, h1, .lead, .over, p").forEach(e => {
		if (e.scrollWidth > e.clientWidth && getComputedStyle(e).display !== "inline")
			faults.push(`"${e.textContent.slice(0, 40)}" is wider than its box`);
	});
	if (document.documentElement.scrollWidth > innerWidth)
		faults.push(`the page is ${document.documentElement.scrollWidth} pixels wide`);
	// a step that is chosen with the keyboard is marked in all figures of its case
	const of = run.summary ? run.summary.order[0] : undefined, input = document.querySelector(`[data-choose="${of}"]`);

	if (input) {
		input.value = run.cases[of].figures.ranks.step;
		input.dispatchEvent(new Event("input", { bubbles: true }));
		for (const kind of ["ranks", "spark", "steps", "waits", "rates"])
			if (document.querySelector(`[data-figure="${kind}"][data-case="${of}"] svg`) &&
			    !document.querySelector(`[data-figure="${kind}"][data-case="${of}"] svg .chosen`))
				faults.push(`${kind}: a chosen step is not marked`);
	}
	parent.postMessage(faults.slice(0, 5).map(f => `${location.pathname.replace(/.*labels-/, "")} at ${innerWidth} pixels: ${f}. `).join(""), "*");
}
