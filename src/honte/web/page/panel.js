// Everything beside the board: players and clocks, buttons, analysis, graph, moves.

import { byId, el, memory } from "./dom.js";
import { drawCandidates } from "./candidates.js";
import { dressFor } from "./cells.js";
import { drawGraph } from "./graph.js";
import { MoveList } from "./move_list.js";
import { chance, clockText, short } from "./numbers.js";
import { positionWords, sourceWords } from "./verdict.js";
import { gameText, t } from "./words.js";

export class Panel {
  /** `show(line or null)`: a candidate is hovered; `pick(move)`: plays it. */
  constructor({ play, thinking, review, show, pick }) {
    Object.assign(this, { play, thinking, review, show, pick });
    this.list = new MoveList(byId("moves"), play);
    this.byLead = memory.get("graphLead", true); // in games with a score
  }

  draw() {
    this.drawPlayers();
    this.drawButtons();
    this.drawSteps();
    this.drawMoves();
    this.drawThinking();
  }

  drawPlayers() {
    const { play } = this;
    const { session } = play;
    const { state } = session;
    if (!state) return;
    const { game } = session;
    dressFor(game);
    for (const side of [0, 1]) {
      const row = byId(`player-${side}`);
      row.querySelector(".token").className = `token ${game.sides[side].color}`;
      const plain = session.players.every((player) => player === "person") && !session.names?.[side];
      // The token shows the colour; the word is for screen readers.
      const word = plain ? null : el("span", { class: "unseen", text: ` · ${play.side(side)}` });
      const name = plain ? play.side(side) : play.name(side);
      row.querySelector(".name").replaceChildren(...(word ? [name, word] : [name]));
      row.title = plain ? "" : `${name} · ${play.side(side)}`;
      row.querySelector(".count").textContent = game.counts ? state.counts[side] : "";
      row.classList.toggle("active", !state.over && !session.ended && state.to_move === side);
    }
    this.drawClocks();
    byId("status").textContent = play.verdict();
    byId("status").classList.toggle("over", state.over || Boolean(session.ended));
  }

  drawClocks() {
    for (const side of [0, 1]) {
      const left = this.play.clock.left(side);
      const node = byId(`player-${side}`).querySelector(".clock");
      node.textContent = left === null ? "" : clockText(left);
      node.classList.toggle("short", left !== null && left < 20000);
    }
  }

  drawButtons() {
    const { play } = this;
    const { session } = play;
    const { state } = session;
    if (!state) return;
    byId("undo").disabled = !play.mayUndo;
    byId("redo").disabled = !session.redo.length || Boolean(session.main);
    const mayPass = play.mayMove && state.legal.some(([cell]) => cell < 0);
    byId("pass").disabled = !mayPass;
    byId("pass").hidden = !session.game.passes;
    byId("pass").classList.toggle("primary", mayPass && play.mustPass(state));
    byId("resign").disabled = !session.live || !session.withPerson;
    const engines = session.players.some((player) => player !== "person");
    byId("pause").hidden = !engines || !session.live || (session.withPerson && !session.paused);
    byId("pause").textContent = t(session.paused ? "resume" : "pause");
    byId("move-now").hidden = !play.mayHurry;
    byId("move-now").disabled = !play.canHurry;
    byId("rematch").hidden = session.live || Boolean(session.main) || Boolean(session.names) || !session.played;
    const { main } = session;
    byId("variation").hidden = !main;
    if (main) byId("variation-text").textContent = t("variation", { n: main.from + 1 });
  }

  drawSteps() {
    const { session } = this.play;
    const slider = byId("ply");
    slider.max = session.moves.length;
    slider.value = session.at;
    slider.setAttribute("aria-valuetext", `${t("moveN", { n: session.at })} ${t("of", { n: session.moves.length })}`);
    byId("ply-text").textContent = `${session.at} / ${session.moves.length}`;
    byId("to-start").disabled = byId("back").disabled = session.at === 0;
    byId("to-end").disabled = byId("forth").disabled = session.at === session.moves.length;
  }

  drawMoves() {
    const { game, state } = this.play.session;
    if (!state) return;
    const costs = game.unit ? this.review.costs : new Map();
    this.list.draw(new Map(this.review.marks.map(({ ply, mark }) => [ply, mark])), costs);
  }

  /** The value of each ply; the review covers only the game, not its variations. */
  values() {
    const { play, thinking, review } = this;
    return thinking.values(play.session.main ? null : review);
  }

  /** The lead of each ply in the game's unit, likewise. */
  leads() {
    const { play, thinking, review } = this;
    return thinking.leads(play.session.main ? null : review);
  }

  /** Switch the graph between the lead and the chances. */
  switchGraph() {
    this.byLead = !this.byLead;
    memory.set("graphLead", this.byLead);
    this.drawGraph();
  }

  drawGraph() {
    const { play, review } = this;
    const { session } = play;
    const { game } = session;
    const leads = game.unit ? this.leads() : [];
    const known = leads.some(Number.isFinite);
    const byLead = known && this.byLead;
    byId("graph-unit").hidden = !known;
    byId("graph-unit").textContent = byLead ? t("showChances") : gameText(game, game.unit);
    byId("graph-name").textContent = t(byLead ? "graphLead" : "graph");
    drawGraph(byId("graph"), {
      values: byLead ? leads : this.values(),
      unit: byLead ? gameText(game, game.unit) : "",
      marks: session.main ? [] : review.marks,
      at: session.at,
      names: [play.side(0), play.side(1)],
      onPick: (ply) => play.step(ply),
    });
  }

  drawThinking() {
    const { play, thinking } = this;
    const { session } = play;
    const { state } = session;
    if (!state) return;
    const { on, report } = thinking;
    byId("analysis").setAttribute("aria-checked", String(on));
    byId("analysis-idle").hidden = on;
    byId("analysis-body").hidden = !on;
    byId("territory").hidden = !on || !session.game.ownership;
    byId("territory").setAttribute("aria-pressed", String(thinking.territory));
    byId("tree").hidden = !on;
    byId("tree").disabled = !report;
    this.drawGraph();
    this.drawBar(on);
    if (!on) return;
    const mover = play.side(state.to_move);
    byId("verdict").textContent = this.verdict(state, report);
    byId("verdict").classList.toggle("with-lead", Boolean(session.game.unit));
    byId("expected").textContent = report?.pv?.length ? t("line", { line: report.pv.slice(0, 10).join(" ") }) : "";
    byId("expected").title = byId("expected").textContent;
    byId("searched").textContent = report ? sourceWords(report, short) : "";
    byId("searched").title = byId("searched").textContent;
    byId("paused").hidden = !thinking.paused;
    byId("paused-text").textContent = t("paused", { n: thinking.paused });
    // Keep the height until the first report of a position, to avoid a layout shift.
    const place = byId("candidates");
    place.style.minHeight = report || state.over ? "" : `${place.offsetHeight}px`;
    drawCandidates(place, {
      report: state.over ? null : report, game: session.game, most: 5,
      onShow: (line) => this.show(line),
      onPick: (move) => this.pick(move),
    });
    place.setAttribute("aria-label", t("chances", { who: mover, p: report ? chance(report.value) : 50 }));
  }

  verdict(state, report) {
    const { play } = this;
    if (state.over) return play.verdict(state);
    if (!report) return "…";
    return positionWords(report, play.session.game, state.to_move, (player) => play.side(player));
  }

  /** Draw the value bar: player 0's share from the bottom up. */
  drawBar(on) {
    const { play } = this;
    const { session } = play;
    const value = this.values()[session.at];
    const bar = byId("bar");
    bar.hidden = false;
    bar.setAttribute("aria-hidden", String(!on));
    const p = chance(value ?? 0);
    bar.className = `value-bar ${on ? "" : "off"} ${(value ?? null) === null ? "unknown" : ""}`;
    byId("bar-first").style.height = `${p}%`;
    bar.setAttribute("aria-label", t("valueBar", { who: play.side(0), p }));
  }
}
