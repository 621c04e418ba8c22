// Is one version of a bot better than another? Buttons that start the match, and its result.
//   const comparison = new Comparison({ socket, look, say })
//   comparison.button(version, before, found)   comparison.choice(found)   comparison.draw(found)
// `found` is the answer of `bots`; `look` requests the next one.

import { byId, el } from "./dom.js";
import { drawSprt } from "./standings.js";
import { language, t } from "./words.js";
import { serverWords } from "./words_errors.js";

const KINDS = { better: "good", worse: "bad" };
const WORDS = { better: "verdict.better", worse: "verdict.worse", "no better": "verdict.noBetter", unsure: "verdict.unsure" };

const percent = (share) => `${(100 * share).toFixed(0)}\u202f%`;

export class Comparison {
  constructor({ socket, look, say }) {
    Object.assign(this, { socket, look, say });
    this.asked = false; // just started from this page
    this.chosen = null; // the numbers of two versions
    byId("comparison-stop").addEventListener("click", () => this.request("compare_stop"));
  }

  async request(name, fields = {}) {
    try {
      await this.socket.request(name, fields);
      this.say("");
    } catch (error) {
      this.asked = false;
      this.say(error.message);
    }
    this.look();
  }

  begin(a, b) {
    this.asked = true;
    this.request("compare", { a, b, lang: language() });
  }

  /** "Better than v6?" */
  button({ number }, before, { running }) {
    if (!before) return null;
    const act = () => this.begin(number, before.number);
    return el("button", { type: "button", "data-key": `better${number}`, disabled: running, onclick: act }, t("bots.better", { b: `v${before.number}` }));
  }

  /** A choice of two versions, if there are more than two. */
  choice({ versions, running }) {
    if (versions.length < 3) return [];
    const newest = versions.map(({ number }) => number).reverse();
    const chosen = this.chosen ?? [newest[0], newest.at(-1)];
    const numbers = () => pair.map(({ value }) => Number(value));
    const check = () => (go.disabled = running || pair[0].value === pair[1].value);
    const choose = () => {
      this.chosen = numbers();
      check();
    };
    const select = (key, at) =>
      el("select", { "data-key": key, "aria-label": t("bots.version"), onchange: choose },
        ...newest.map((number) => el("option", { value: number, selected: number === chosen[at] }, `v${number}`)));
    const pair = [select("compare-a", 0), select("compare-b", 1)];
    const go = el("button", { type: "button", "data-key": "compare", onclick: () => this.begin(...numbers()) }, t("bots.compare"));
    check();
    return [el("p", { class: "compare-any" }, t("bots.any"), pair[0], t("bots.with"), pair[1], go)];
  }

  draw({ comparison, running, job, before = null }) {
    const of = (kind) => comparison.find((one) => one.event === kind);
    const standing = of("standing");
    const refused = of("refused");
    const end = of("end");
    const live = running && job === "compare";
    byId("comparison").hidden = !live && !standing && !refused;
    byId("comparison-title").textContent = standing ? t("bots.question", standing) : t("bots.comparison");
    const put = (id, words) => {
      if (byId(id).textContent !== words) byId(id).textContent = words; // announce it only once
    };
    byId("comparison-verdict").className = `rating ${KINDS[end?.verdict] ?? ""}`;
    put("comparison-verdict", refused ? serverWords(refused.words)
      : live && before !== null ? t("bots.queued", { n: before }) : this.verdict(standing, end, live));
    put("comparison-score", standing?.games ? t(live ? "bots.standing" : "bots.final", {
      ...standing, score: percent(standing.score), error: percent(standing.score_error), tally: tally(standing),
    }) : "");
    put("comparison-early", live && standing && standing.games < standing.least ? t("bots.early", { n: standing.least }) : "");
    const picture = byId("comparison-sprt");
    picture.hidden = !standing?.sprt.curve.length;
    if (!picture.hidden) drawSprt(picture, standing.sprt);
    const stop = byId("comparison-stop");
    byId("comparison-acts").hidden = !live;
    if (live && this.asked) {
      this.asked = false;
      byId("comparison").scrollIntoView({ block: "nearest" });
      stop.focus({ preventScroll: true }); // the pressed button is disabled now
    }
  }

  verdict(standing, end, live) {
    if (live) return t(!standing?.games ? "bots.beginning" : standing.no_better ? "bots.orWorse" : "bots.undecided");
    if (!standing) return "";
    if (!end) return t("bots.stopped", standing);
    if (end.verdict === "broken") return end.words;
    return t(WORDS[end.verdict], { ...standing, tally: tally(standing), elo: standing.sprt.elo1 });
  }
}

const tally = ({ wins, draws, losses }) => `+${wins} −${losses} =${draws}`;
