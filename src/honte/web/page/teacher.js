// Teaching mode: before a move that would be a mistake is made, the page asks whether you are sure.

import { costWords } from "./costs.js";
import { dialog } from "./dialog.js";
import { byId, el, memory } from "./dom.js";
import { judge } from "./judge.js";
import { t } from "./words.js";

const SECONDS = 0.3;
const STOPS = ["mistake", "blunder"];

export class Teacher {
  constructor({ play, thinking, review, board, socket, say }) {
    Object.assign(this, { play, thinking, review, board, socket, say });
    this.on = memory.get("teaching", false);
  }

  toggle() {
    this.on = !this.on;
    memory.set("teaching", this.on);
    this.look();
    this.say(t(this.on ? "teach.on" : "teach.off"));
  }

  /** Whether moves of the game on the board are checked first; not with a clock, which would not wait. */
  get watches() {
    const { play, review } = this;
    const { session } = play;
    return this.on && session.live && !session.clock && session.at === session.moves.length
      && play.mayMove && session.state.legal.length > 1 && !review.running;
  }

  /** Play a person's `move`: at once, or after the question. */
  async move(move) {
    const { play, board } = this;
    const { session } = play;
    const found = session.state?.legal.find(([, text]) => text === move);
    if (!found || !this.watches) {
      if (!this.asking) play.play(move);
      return;
    }
    if (this.asking) return;
    this.asking = true;
    const turn = play.turn;
    board.showPv([found]);
    try {
      const part = await judge(this, session.position(), move, SECONDS).catch(() => null); // then do not ask
      if (turn !== play.turn || play.session !== session) return;
      if (part && STOPS.includes(part.mark) && !(await this.sure(part, session.state.to_move))) return;
      if (turn === play.turn && play.session === session) play.play(move);
    } finally {
      this.asking = false;
      board.showPv([]);
    }
  }

  sure(part, mover) {
    return new Promise((resolve) => {
      let answer = false;
      const choose = (value) => () => {
        answer = value;
        box.close();
      };
      const words = t("teach.words", { move: part.move, kind: t(`a.${part.mark}`), cost: costWords(part, this.play.session.game, mover) });
      const body = el("div", { class: "stack" }, el("p", { text: words }),
        el("div", { class: "dialog-actions" },
          el("button", { id: "teach-play", onclick: choose(true), text: t("teach.play") }),
          el("button", { id: "teach-back", class: "primary", autofocus: true, onclick: choose(false), text: t("teach.back") })));
      const box = dialog("teach.sure", body, { onclose: () => resolve(answer) });
      box.showModal();
    });
  }

  look() {
    const clock = Boolean(this.play.session.clock);
    byId("teach").setAttribute("aria-pressed", String(this.on && !clock));
    byId("teach").disabled = clock;
    byId("teach").title = t(clock ? "teach.clock" : "teach.hint");
  }
}
