// The clock of a game that is played: what each side has left, and whose time runs.

export class Clock {
  constructor(play) {
    this.play = play;
    this.since = null; // when the running move began; null while no time runs
  }

  get session() {
    return this.play.session;
  }

  /** Let the time of the side to move run, if anybody's does. */
  start() {
    const { session } = this;
    const running = session.clock && session.live && !session.paused && session.moves.length > 0;
    this.since = running ? (this.since ?? performance.now()) : null;
  }

  stop() {
    this.since = null;
  }

  /** What a side has left, the running move counted in. */
  left(side) {
    const { session } = this;
    if (!session.clock) return null;
    const mover = session.states[session.moves.length]?.to_move;
    const running = this.since !== null && mover === side && session.live;
    return session.clock.left[side] - (running ? performance.now() - this.since : 0);
  }

  /** A side has moved: take the time from it, and add the increment. */
  charge(side, ply) {
    const { clock } = this.session;
    if (!clock) return;
    clock.past = [...(clock.past ?? []).slice(0, ply)];
    clock.past[ply] = [...clock.left];
    const used = this.since === null ? 0 : performance.now() - this.since;
    clock.left[side] += clock.increment * 1000 - used;
    this.stop();
  }

  /** A move that is taken back gives its time back too. */
  turnBack(ply) {
    const { clock } = this.session;
    if (!clock?.past?.[ply]) return;
    clock.left = clock.past[ply];
    clock.past = clock.past.slice(0, ply);
    this.stop();
  }

  /** Before the page goes: what this move has used so far is not given back by a reload. */
  keep() {
    const { session } = this;
    if (!session.clock || this.since === null) return;
    const side = session.states[session.moves.length].to_move;
    session.clock.left[side] = this.left(side);
    this.since = performance.now();
    session.save();
  }

  tick() {
    const { session } = this;
    if (!session.clock || this.since === null || !session.live) return;
    const side = session.states[session.moves.length].to_move;
    this.play.tell("tick");
    if (this.left(side) > 0) return;
    session.clock.left[side] = 0;
    this.stop();
    this.play.loseOnTime(side);
  }
}
