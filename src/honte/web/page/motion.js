// Animations of pieces: falling, placing, flipping and removal.

export function fall(piece, height) {
  const time = 130 + 9 * Math.sqrt(height) * 1.6;
  const at = (offset, y, easing) => ({ offset, transform: `translateY(${-y}px)`, easing });
  piece.firstChild.animate(
    [at(0, height, "cubic-bezier(.5,0,.9,.6)"), at(0.72, 0, "cubic-bezier(.1,.6,.5,1)"),
      at(0.86, Math.min(14, height / 12), "cubic-bezier(.5,0,.9,.4)"), at(1, 0)],
    { duration: time },
  );
}

export function drop(piece) {
  piece.firstChild.animate(
    [{ transform: "scale(1.25)", opacity: 0.4 }, { transform: "scale(1)", opacity: 1 }],
    { duration: 140, easing: "ease-out" },
  );
}

export function turn(old, fresh, steps) {
  const delay = 45 * (steps - 1);
  const half = 130;
  const flat = { transform: "scaleX(.02)" };
  const full = { transform: "scaleX(1)" };
  fresh.firstChild.animate([flat, full], { duration: half, delay: delay + half, fill: "backwards", easing: "ease-out" });
  fresh.animate([{ opacity: 0 }, { opacity: 0 }], { duration: delay + half });
  old.firstChild.animate([full, flat], { duration: half, delay, fill: "both", easing: "ease-in" })
    .finished.finally(() => old.remove());
}

export function leave(old, moving, falls, y) {
  if (!moving) {
    old.remove();
    return;
  }
  const gone = falls ? `translateY(${-y}px)` : "scale(.7)";
  old.firstChild.animate(
    [{ transform: "none", opacity: 1 }, { transform: gone, opacity: 0 }],
    { duration: 260, easing: "ease-in", fill: "forwards" },
  ).finished.finally(() => old.remove());
}
