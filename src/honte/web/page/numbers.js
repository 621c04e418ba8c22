// Number formats.

/** A value of −1…1 as the chances of winning in per cent. */
export const chance = (value) => Math.round((value + 1) * 50);

export const percent = (value) => `${chance(value)}%`;

/** 178572 as "179k". */
export function short(n) {
  if (n < 1000) return String(n);
  if (n < 9950) return `${(n / 1000).toFixed(1)}k`;
  if (n < 999500) return `${Math.round(n / 1000)}k`;
  return `${(n / 1e6).toFixed(n < 9.95e6 ? 1 : 0)}M`;
}

/** Seconds left as 4:05, and 0:09.3 when few are left. */
export function clockText(milliseconds) {
  const all = Math.max(0, milliseconds) / 1000;
  const minutes = Math.floor(all / 60);
  const rest = all - 60 * minutes;
  if (all < 20) return `0:${rest.toFixed(1).padStart(4, "0")}`;
  return `${minutes}:${String(Math.floor(rest)).padStart(2, "0")}`;
}
