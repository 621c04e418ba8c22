// The game clock: each side's time left, and whose time is running.

export class Clock {
  constructor(play) {
    this.play = play;
    this.since = null; // when the current move began; null while the clock is stopped
  }

  get session() {
    return this.play.session;
  }

  /** Start the clock of the side to move, if the game has a clock. */
  start() {
    const { session } = this;
    const running = session.clock && session.live && !session.paused && session.moves.length > 0;
    this.since = running ? (this.since ?? performance.now()) : null;
  }

  stop() {
    this.since = null;
  }

  /** A side's time left, including the move in progress. */
  left(side) {
    const { session } = this;
    if (!session.clock) return null;
    const mover = session.states[session.moves.length]?.to_move;
    const running = this.since !== null && mover === side && session.live;
    return session.clock.left[side] - (running ? performance.now() - this.since : 0);
  }

  /** Charge a side for its move, and add the increment. */
  charge(side, ply) {
    const { clock } = this.session;
    if (!clock) return;
    clock.past = [...(clock.past ?? []).slice(0, ply)];
    clock.past[ply] = [...clock.left];
    const used = this.since === null ? 0 : performance.now() - this.since;
    clock.left[side] += clock.increment * 1000 - used;
    this.stop();
  }

  /** Restore the time of a move that is taken back. */
  turnBack(ply) {
    const { clock } = this.session;
    if (!clock?.past?.[ply]) return;
    clock.left = clock.past[ply];
    clock.past = clock.past.slice(0, ply);
    this.stop();
  }

  /** Save before unload: a reload does not give back the time of the current move. */
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
