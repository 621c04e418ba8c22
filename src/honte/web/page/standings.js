// The tables and charts of a tournament, drawn from the answer of `store`.
//   drawRatings(element, players, firstMover)   drawCross(element, players, crosstable)
//   drawSprt(element, sprt)                     ifNew(element, data, draw)
// A table is redrawn only when what it shows has changed, so nothing flickers and nothing moves
// under the pointer.

import { stepOf } from "./chart.js";
import { el, svg } from "./dom.js";
import { onWidth, signed } from "./figures.js";
import { language, t } from "./words.js";

const shown = new WeakMap();

/** Draw unless the data has not changed since the last time. */
export function ifNew(element, data, draw) {
  const key = JSON.stringify([language(), data]);
  if (shown.get(element) === key) return;
  shown.set(element, key);
  draw();
}

const number = (x) => (x === Math.round(x) ? String(x) : x.toFixed(1)).replace(".5", "½").replace(/^0½/, "½");

export function drawRatings(element, players, extra) {
  ifNew(element, [players, extra], () => {
    const known = players.filter((one) => Number.isFinite(one.elo));
    let low = Math.min(...known.map((one) => one.elo - one.elo_error));
    let high = Math.max(...known.map((one) => one.elo + one.elo_error));
    const step = stepOf(Math.max(high - low, 50), 3);
    [low, high] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
    const x = (elo) => (100 * (elo - low)) / (high - low);
    const ticks = [];
    for (let elo = low; elo <= high; elo += step) ticks.push(elo);
    const bar = (one) => {
      const [a, b, at] = [x(one.elo - one.elo_error), x(one.elo + one.elo_error), x(one.elo)];
      const line = (d, kind) => svg("path", { class: kind, d });
      return el("div", { class: "elo-bar", "aria-hidden": "true" },
        svg("svg", { viewBox: "0 0 100 22", preserveAspectRatio: "none" },
          ...ticks.map((elo) => line(`M${x(elo)} 0V22`, elo === 0 ? "grid zero" : "grid")),
          line(`M${a} 11H${b}`, "whisker"), line(`M${a} 6V16M${b} 6V16`, "cap")),
        place(el("span", { class: "elo-dot" }), at));
    };
    const head = ["#", t("watch.player"), t("watch.points"), t("watch.wdl"), t("watch.elo"), t("watch.error")];
    const scale = el("div", { class: "elo-scale", "aria-hidden": "true" }, ...ticks.map((elo) => place(el("span", { class: elo === 0 ? "zero" : "" }, String(elo).replace("-", "−")), x(elo))));
    const rows = players.map((one, index) => {
      const faults = Object.values(one.faults ?? {}).reduce((a, b) => a + b, 0);
      const note = one.retired ? t("watch.retired") : faults ? t("watch.faults", { n: faults }) : "";
      return el("tr", { class: one.you ? "you" : null },
        el("td", { class: "place" }, String(index + 1)),
        el("th", { scope: "row", class: "who", title: one.player }, el("span", {}, one.player), note ? el("span", { class: "fault", title: one.retired ?? "" }, note) : null),
        el("td", { class: "points" }, `${number(one.points)}`, el("small", {}, `/${one.games}`)),
        el("td", { class: "wdl" }, `${one.wins}–${one.draws}–${one.losses}`),
        el("td", { class: "elo" }, signed(one.elo, 0), el("small", {}, ` ± ${Math.round(one.elo_error)}`)),
        el("td", { class: "bars" }, bar(one)));
    });
    const kinds = ["place", "who", "points", "wdl", "elo", "bars"];
    element.replaceChildren(
      el("table", { class: "ratings" },
        el("thead", {}, el("tr", {}, ...head.map((text, i) => el("th", { scope: "col", class: kinds[i] }, text)))),
        el("tbody", {}, ...rows),
        el("tfoot", {}, el("tr", {}, el("td", { colspan: 5, class: "note" }, extra ? t("watch.firstMover", extra) : ""), el("td", { class: "bars" }, scale)))));
  });
}

function place(node, percent) {
  node.style.left = `${percent}%`;
  return node;
}

export function drawCross(element, players, cells) {
  ifNew(element, [players.map((one) => one.player), cells], () => {
    const head = el("tr", {}, el("td", {}), el("td", {}), ...players.map((one, i) => el("th", { scope: "col", title: one.player }, String(i + 1))));
    const rows = players.map((one, i) =>
      el("tr", {},
        el("td", { class: "place" }, String(i + 1)),
        el("th", { scope: "row", title: one.player }, one.player),
        ...cells[i].map((cell, j) => crossCell(cell, one.player, players[j].player))));
    element.replaceChildren(el("table", { class: "cross" }, el("thead", {}, head), el("tbody", {}, ...rows)));
  });
}

function crossCell(cell, a, b) {
  if (!cell) return el("td", { class: "self" });
  const games = cell.wins + cell.draws + cell.losses;
  if (!games) return el("td", { class: "unplayed" }, "–");
  const points = cell.wins + cell.draws / 2;
  const share = points / games;
  const words = t("watch.crossCell", { a, b, points: number(points), games, w: cell.wins, d: cell.draws, l: cell.losses });
  const bar = el("span", { class: "share" });
  bar.style.width = `${100 * share}%`;
  const node = el("td", { title: words, "aria-label": words }, el("span", { class: "score" }, number(points), el("small", {}, `/${games}`)), el("span", { class: "share-track" }, bar));
  // Blue for points won, orange for points lost: safe for colour blindness, and the bar shows it too.
  const tone = share >= 0.5 ? "var(--won)" : "var(--lost)";
  node.style.background = `color-mix(in srgb, ${tone} ${Math.round(8 + 72 * Math.abs(share - 0.5))}%, transparent)`;
  return node;
}

const sprtWidths = new WeakMap();

/** The log-likelihood ratio after every pair of games, between the bounds that end the test. */
export function drawSprt(element, sprt) {
  if (!sprtWidths.has(element)) {
    sprtWidths.set(element, { width: Math.floor(element.clientWidth) || 480, sprt });
    onWidth(element, (width) => {
      const kept = sprtWidths.get(element);
      kept.width = width;
      if (kept.sprt) paintSprt(element, kept.sprt, width);
    });
  }
  const kept = sprtWidths.get(element);
  kept.sprt = sprt;
  paintSprt(element, sprt, kept.width);
}

function paintSprt(element, sprt, width) {
  ifNew(element, [sprt, width], () => {
    const { bound } = sprt;
    const curve = sprt.curve; // [pairs, log-likelihood ratio]
    const height = 190;
    const edge = { left: 34, right: 12, top: 12, bottom: 22 };
    const most = Math.max(bound * 1.25, ...curve.map(([, llr]) => Math.abs(llr)));
    const [pairs, at] = curve.at(-1);
    const last = Math.max(10, pairs);
    const x = (n) => edge.left + ((width - edge.left - edge.right) * n) / last;
    const y = (llr) => edge.top + ((height - edge.top - edge.bottom) * (most - llr)) / (2 * most);
    const right = width - edge.right;
    const text = (px, py, words, kind, anchor = "start") => svg("text", { x: px, y: py, class: kind, "text-anchor": anchor }, words);
    const step = stepOf(last, Math.max(2, width / 90));
    const ticks = [];
    for (let n = 0; n <= last; n += Math.max(1, step)) ticks.push(text(x(n), height - 6, String(n), "tick", "middle"));
    const points = [`${x(0)} ${y(0)}`, ...curve.map(([n, llr]) => `${x(n).toFixed(1)} ${y(llr).toFixed(1)}`)];
    const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", class: "sprt" },
      svg("rect", { class: "accept h1", x: edge.left, y: edge.top, width: right - edge.left, height: Math.max(0, y(bound) - edge.top) }),
      svg("rect", { class: "accept h0", x: edge.left, y: y(-bound), width: right - edge.left, height: Math.max(0, height - edge.bottom - y(-bound)) }),
      svg("path", { class: "zero", d: `M${edge.left} ${y(0)}H${right}` }),
      svg("path", { class: "bound", d: `M${edge.left} ${y(bound)}H${right}M${edge.left} ${y(-bound)}H${right}` }),
      ...[bound, 0, -bound].map((v) => text(edge.left - 5, y(v) + 4, v ? signed(v, 1) : "0", "tick", "end")),
      ...ticks,
      svg("path", { class: "curve", d: `M${points.join("L")}` }),
      svg("circle", { class: "now", cx: x(pairs), cy: y(at), r: 4 }),
      text(edge.left + 6, y(bound) - 5, t("watch.sprtH1", { elo: signed(sprt.elo1, 0) }), "label"),
      text(edge.left + 6, y(-bound) + 14, t("watch.sprtH0", { elo: signed(sprt.elo0, 0) }), "label"),
      text(right, height - edge.bottom - 4, t("watch.pairs"), "tick", "end"));
    const verdict = sprt.verdict ? t("watch.sprtDone", { verdict: sprt.verdict }) : t("watch.sprtOpen");
    const words = t("watch.sprtNow", { a: sprt.players?.[0] ?? "A", b: sprt.players?.[1] ?? "B", llr: signed(at), bound: bound.toFixed(2), n: pairs });
    element.replaceChildren(picture, el("p", { class: "note" }, `${words} `, el("b", {}, verdict)));
  });
}
