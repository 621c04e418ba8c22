// A tuning study of an engine's settings, drawn from the answer of `store`: the progress of the
// rounds, the current answer and its path, a sweep's curve, weights on the cells of the board.
//   drawStudy(element, study)      shortName(spec, study)

import { chart } from "./chart.js";
import { el, svg } from "./dom.js";
import { onWidth, whole } from "./figures.js";
import { ifNew } from "./standings.js";
import { gameText, t } from "./words.js";

const GAP = 16; // pixels between cards
const CARD = 34; // pixels taken by a card's own edges
const NARROW = 620; // below this width the cards are in one column
const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;
const range = (one) => `${(100 * one.score).toFixed(1)} ± ${(100 * one.error).toFixed(1)} %`;
const hue = (place, all) => `oklch(var(--trace-light) 0.14 ${Math.round((360 * place) / all + 20)})`;

const widths = new WeakMap();

export function drawStudy(element, study) {
  if (!widths.has(element)) {
    widths.set(element, { width: Math.floor(element.clientWidth) || 700, study });
    onWidth(element, (width) => {
      const kept = widths.get(element);
      kept.width = width;
      paint(element, kept.study, width);
    });
  }
  const kept = widths.get(element);
  kept.study = study;
  paint(element, study, kept.width);
}

function paint(element, study, width) {
  ifNew(element, [study, width], () => {
    if (study.trouble) {
      element.replaceChildren(card("study-trouble", t("study.title"), el("p", {}, t("study.trouble", { why: study.trouble }))));
      return;
    }
    const wide = width > NARROW;
    element.classList.toggle("wide", wide);
    const inner = Math.floor((wide ? (width - GAP) / 2 : width) - CARD);
    const cards = [summary(study), study.sweep.length ? sweep(study, inner) : rounds(study, inner)];
    if (study.board) cards.push(weights(study, inner));
    if (study.way.length && !study.sweep.length) cards.push(way(study, inner));
    if (study.acceptance.length) cards.push(acceptance(study, inner));
    element.replaceChildren(...cards);
  });
}

const card = (id, title, ...children) => el("section", { class: "card", id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), ...children);

/** The stage of an optimiser, in the user's language. */
function stageWords(stage) {
  const found = /^(last knock-out|knock-out|generation|round|step|trial|final|temperature)\D*?([\d.e-]+)(?: of (\d+))?$/.exec(stage);
  if (!found) return stage;
  return t(`study.stage.${found[1].replace(" ", "-")}`, { n: found[2] }) + (found[3] ? t("study.stage.of", { n: found[3] }) : "");
}

// -- the answer ---------------------------------------------------------------------------

function summary(study) {
  const { top, answer } = study;
  const changed = answer.filter((one) => one.value !== one.start);
  const table = el("table", { class: "answer" },
    el("thead", {}, el("tr", {}, ...["setting", "value", "from"].map((key) => el("th", { scope: "col" }, t(`study.${key}`))))),
    el("tbody", {}, ...answer.map((one) => el("tr", { class: one.value !== one.start ? "moved" : "" },
      el("th", { scope: "row" }, settingName(study, one.name)), el("td", {}, minus(one.value)), el("td", {}, minus(one.start))))));
  return card("study-answer", t(study.ended ? "study.answer" : "study.soFar"),
    el("p", { class: "study-stage" }, el("b", {}, study.optimiser), ` · ${study.engine} · ${study.ended ? t("study.searched") : stageWords(study.stage)}`),
    ...(top ? [el("p", {}, `${t(study.sweep.length ? "study.bestPoint" : "study.bestOfRound")} `, el("b", {}, range(top)), ` ${t("study.of", { n: whole(top.games) })}`)] : []),
    ...(study.verification.length ? [verification(study)] : []),
    // A long list of settings is folded; the picture beside it shows them.
    answer.length > 6 ? el("details", {}, el("summary", {}, t("study.settings", { n: changed.length })), table) : table);
}

const minus = (words) => words.replace(/^-/, "−");

/** `square 1/0` in the board's notation: b1, row and column counted from the corner. */
function settingName(study, name) {
  const found = /^square (\d)\/(\d)$/.exec(name);
  if (!found) return gameText(study, name);
  return `${"abcdefgh"[Number(found[2])]}${Number(found[1]) + 1}`;
}

/** A player's spec without the part common to all players of the study. */
export const shortName = (spec, study) => (study && spec.startsWith(`${study.engine},`) ? spec.slice(study.engine.length + 1) : spec);

function verification(study) {
  return el("div", { class: "verify" }, el("p", { class: "note" }, t("study.verify")),
    ...study.verification.map((one) => {
      const low = 100 * Math.max(0, one.score - one.error);
      const high = 100 * Math.min(1, one.score + one.error);
      const bar = svg("svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true", class: "verify-bar" },
        svg("path", { class: "axis", d: "M0 6H100M50 0V12" }),
        svg("path", { class: "span", d: `M${low} 6H${high}` }),
        svg("path", { class: "mean", d: `M${100 * one.score} 1V11` }));
      return el("p", { class: "verify-row", title: one.against }, el("span", { class: "who" }, shortName(one.against, study)), bar,
        el("b", {}, range(one)), el("small", {}, t("study.games", { n: whole(one.games), of: whole(one.of) })));
    }));
}

// -- pictures -----------------------------------------------------------------------------

const legend = (...entries) => el("ul", { class: "legend" }, ...entries.map(({ kind = "", colour, words }) => {
  const mark = el("span", { class: `swatch ${kind}` });
  if (colour) mark.style.background = colour;
  return el("li", {}, mark, words);
}));

const hundred = (step = 25) => [0, 1, 2, 3, 4].map((n) => [n * 25, String(n * 25)]).filter(([value]) => value % step === 0);

function rounds(study, width) {
  const list = study.rounds;
  const id = "study-rounds";
  if (!list.length) return card(id, t("study.rounds"), el("p", { class: "note" }, t("study.noRound")));
  const x = [0, Math.max(...list.map((one) => one.games))];
  const axes = { x, y: [0, 100], yTicks: hundred(), xWord: t("study.gamesAxis"), yWord: "%" };
  const last = list.at(-1);
  const noted = (name) => list.filter((one) => name in one.notes).map((one) => [one.games, 100 * one.notes[name]]);
  const children = noted("children who won");
  if (children.length) {
    const [won, spread] = [children, noted("spread")].map((points) => percent(points.at(-1)[1] / 100, 0));
    return card(id, t("study.rounds"),
      chart(width, { ...axes, lines: [{ kind: "best", points: children }, { kind: "mean", points: noted("spread") }] }),
      legend({ kind: "best", words: t("study.children") }, { kind: "mean", words: t("study.spread") }),
      el("p", { class: "note" }, t("study.childrenNow", { won, spread })));
  }
  const of = (key) => list.map((one) => [one.games, 100 * one[key]]);
  return card(id, t("study.rounds"),
    chart(width, { ...axes, bands: [{ points: list.map((one) => [one.games, 100 * one.worst, 100 * one.best]) }], lines: [{ kind: "best", points: of("best") }, { kind: "mean", points: of("mean") }] }),
    legend({ kind: "best", words: t("study.best") }, { kind: "mean", words: t("study.mean") }, { kind: "band", words: t("study.worstToBest") }),
    el("p", { class: "note" }, t("study.roundNow", { best: percent(last.best, 0), mean: percent(last.mean, 0), worst: percent(last.worst, 0) })));
}

function sweep(study, width) {
  const list = study.sweep.filter((one) => Number.isFinite(one.score));
  const top = list.reduce((a, b) => (b.score > a.score ? b : a), list[0]);
  const xTicks = list.map((one, place) => [place, one.at]);
  const every = Math.ceil((list.length * Math.max(...list.map((one) => one.at.length + 1)) * 6.5) / (width - 52));
  return card("study-sweep", t("study.sweep"),
    chart(width, {
      x: [0, Math.max(1, list.length - 1)], y: [0, 100], yTicks: hundred(), yWord: "%", xWord: study.names.map((name) => settingName(study, name)).join(" "),
      xTicks: xTicks.filter((_, place) => place % every === 0),
      bands: [{ points: list.map((one, place) => [place, 100 * Math.max(0, one.score - one.error), 100 * Math.min(1, one.score + one.error)]) }],
      lines: [{ kind: "mean", points: list.map((one, place) => [place, 100 * one.score]) }],
      dots: list.map((one, place) => [place, 100 * one.score]),
    }),
    legend({ kind: "mean", words: t("study.score") }, { kind: "band", words: t("study.interval") }),
    ...(top ? [el("p", { class: "note" }, t("study.sweepNow", { at: top.at, score: range(top), n: whole(top.games) }))] : []));
}

function way(study, width) {
  const all = study.names.length;
  const x = [0, Math.max(...study.rounds.map((one) => one.games))];
  const lines = study.names.map((name, place) => ({ colour: hue(place, all), points: study.way.map((point, n) => [study.rounds[n].games, point[place]]) }));
  return card("study-way", t("study.way"), el("p", { class: "note" }, t("study.wayHint")),
    chart(width, { x, y: [0, 1], yTicks: [[0, t("study.low")], [1, t("study.high")]], xWord: t("study.gamesAxis"), lines }),
    legend(...study.names.map((name, place) => ({ colour: hue(place, all), words: settingName(study, name) }))));
}

function acceptance(study, width) {
  const heats = study.acceptance.map(([heat]) => heat);
  const x = [Math.max(...heats), Math.min(...heats)];
  const words = (heat) => String(Number(heat.toPrecision(2)));
  const middle = Math.sqrt(x[0] * x[1]);
  return card("study-heat", t("study.heat"),
    chart(width, {
      x, y: [0, 100], yTicks: hundred(), yWord: "%", xWord: t("study.temperature"), log: true,
      xTicks: [x[0], middle, x[1]].map((heat) => [heat, words(heat)]),
      lines: [{ kind: "mean", points: study.acceptance.map(([heat, share]) => [heat, 100 * share]) }],
      dots: study.acceptance.map(([heat, share]) => [heat, 100 * share]),
    }),
    el("p", { class: "note" }, t("study.heatNow", { share: percent(study.acceptance.at(-1)[1], 0), heat: words(heats.at(-1)) })));
}

/** The weight of every cell of the board, and the terms that belong to no cell. */
function weights(study, width) {
  const { cells, terms } = study.board;
  const most = Math.max(1, ...cells.flat().map(Math.abs));
  const size = Math.min(42, (width - 4) / cells[0].length);
  const squares = cells.flatMap((line, row) => line.flatMap((value, column) => {
    const square = svg("rect", { x: column * size + 2, y: row * size + 2, width: size - 1.5, height: size - 1.5, rx: 3, class: "square" });
    const tone = value >= 0 ? "var(--won)" : "var(--lost)";
    square.style.fill = `color-mix(in srgb, ${tone} ${Math.round((70 * Math.abs(value)) / most)}%, var(--raised))`;
    return [square, svg("text", { x: (column + 0.5) * size + 1, y: (row + 0.5) * size + 5, "text-anchor": "middle", class: "worth" }, minus(String(Math.round(value))))];
  }));
  const [across, down] = [cells[0].length * size + 3, cells.length * size + 3];
  const number = (value) => minus(String(Number(value.toFixed(1))));
  return card("study-weights", t("study.board"),
    svg("svg", { width: across, height: down, viewBox: `0 0 ${across} ${down}`, "aria-hidden": "true", class: "weights" }, ...squares),
    ...(terms.length ? [el("p", { class: "note" }, terms.map(([name, value]) => `${gameText(study, name)} ${number(value)}`).join(" · "))] : []));
}
