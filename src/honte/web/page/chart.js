// A plain chart: lines and bands over two axes, as wide as its container.
//   chart(width, { height, x, y, lines, bands, dots, xTicks, yTicks, xWord, yWord, log })
//     x, y: [lowest, highest]       lines: [{ kind, colour, points: [[x, y], …] }]
//     bands: [{ kind, points: [[x, low, high], …] }]    ticks: [[value, words], …], or nothing

import { svg } from "./dom.js";

/** Round steps for an axis: 100, 200, 500 … */
export function stepOf(span, most) {
  const raw = span / most;
  const ten = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((m) => m * ten).find((step) => step >= raw * 0.999);
}

/** Ticks at round numbers between two ends. */
export function roundTicks([low, high], most, words = (n) => String(Number(n.toPrecision(9)))) {
  const step = stepOf(Math.max(high - low, 1e-9), most);
  const ticks = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high * 1.0001; n += 1) ticks.push([n * step, words(n * step)]);
  return ticks;
}

export function chart(width, { height = 210, x, y, lines = [], bands = [], dots = [], xTicks, yTicks, xWord = "", yWord = "", log = false }) {
  const edge = { left: 40, right: 12, top: yWord ? 22 : 10, bottom: 36 };
  const scale = log ? Math.log : (value) => value;
  const share = (value) => (scale(value) - scale(x[0])) / (scale(x[1]) - scale(x[0]) || 1);
  const px = (value) => edge.left + (width - edge.left - edge.right) * share(value);
  const py = (value) => edge.top + (height - edge.top - edge.bottom) * (1 - (value - y[0]) / (y[1] - y[0] || 1));
  const at = (a, b) => `${px(a).toFixed(1)} ${py(b).toFixed(1)}`;
  const text = (left, top, words, anchor, kind = "tick") => svg("text", { x: left.toFixed(1), y: top.toFixed(1), class: kind, "text-anchor": anchor }, words);
  const right = width - edge.right;
  const foot = height - edge.bottom;
  const down = yTicks ?? roundTicks(y, 5);
  const along = xTicks ?? roundTicks(x, Math.max(2, width / 90));
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", class: "chart" },
    ...down.map(([value]) => svg("path", { class: "grid", d: `M${edge.left} ${py(value).toFixed(1)}H${right}` })),
    ...down.map(([value, words]) => text(edge.left - 6, py(value) + 4, words, "end")),
    ...along.map(([value, words]) => text(Math.min(px(value), right - 2 * words.length), foot + 15, words, "middle")),
    ...bands.map(({ kind = "", points }) => svg("path", { class: `band ${kind}`, d: `M${points.map(([a, , b]) => at(a, b)).join("L")}L${[...points].reverse().map(([a, b]) => at(a, b)).join("L")}Z` })),
    ...lines.filter(({ points }) => points.length).map(({ kind = "", colour, points }) => {
      const path = svg("path", { class: `line ${kind}`, d: points.length > 1 ? `M${points.map(([a, b]) => at(a, b)).join("L")}` : `M${at(...points[0])}h0.1` });
      if (colour) path.style.stroke = colour;
      return path;
    }),
    ...dots.map(([a, b]) => svg("circle", { class: "dot", cx: px(a).toFixed(1), cy: py(b).toFixed(1), r: 3.5 })),
    text(edge.left - 34, 12, yWord, "start"),
    text(right, height - 4, xWord, "end"));
}
