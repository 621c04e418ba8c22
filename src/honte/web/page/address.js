// The address of a game: the fragment of a link to the board. It is written and read only here.
//   game=SPEC       the rules and the board
//   moves=4,4,5     in the game's notation
//   start=TEXT      the position before the moves, if it is not the game's own
//   players=A,B     person, best, level:40 or the name of a bot; default: two people
//   tree=TEXT       variations, comments and marks
//   review=first    or second, the side that lost: the game is reviewed at once, and the board goes to the
//                   turning point of that side

export const PERSON = "person";
const SIDES = ["first", "second"];

// Colons, commas and the like may stand in a fragment and keep the link readable.
const plain = (text) => encodeURIComponent(text).replace(/%(3A|2C|3D|2F|2B|5B|5D|7B|7D)/g, decodeURIComponent);

/** "#game=SPEC&moves=4,4" of {game, moves, …}; fields that are null, undefined or "" are left out, except moves. */
export function writeAddress({ review = null, ...parts }) {
  const given = Object.entries(parts).filter(([key, value]) => value || (key === "moves" && value === ""));
  if (review !== null) given.push(["review", SIDES[review]]);
  return `#${given.map(([key, value]) => `${key}=${plain(value)}`).join("&")}`;
}

/** The fields of a session, or null if the address names no game. */
export function readAddress(hash) {
  const parts = {};
  for (const item of hash.replace(/^#/, "").split("&")) {
    const [key, value = ""] = item.split(/=(.*)/s);
    try {
      parts[key] = decodeURIComponent(value);
    } catch {
      return null;
    }
  }
  if (!parts.game) return null;
  const players = (parts.players ?? "").split(/,(?!lenient=)/); // a level's style belongs to it
  return {
    spec: parts.game,
    start: parts.start || null,
    moves: (parts.moves ?? "").split(",").filter(Boolean),
    players: players.length === 2 ? players.map((name) => name || PERSON) : [PERSON, PERSON],
    ...(parts.tree ? { tree: parts.tree } : {}),
    ...(SIDES.includes(parts.review) ? { review: SIDES.indexOf(parts.review) } : {}),
  };
}
