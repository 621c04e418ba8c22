// The reviewer's remark on one move, played or not: a short search, marked on the review's scale.

/** The remark on `move` in `position`; the analysis pauses meanwhile. */
export async function judge({ socket, thinking }, position, move, seconds) {
  const moves = [...position.moves, move];
  let found = null;
  thinking.hold(true);
  try {
    const stream = socket.stream("review", { ...position, moves, first: moves.length, seconds }, (part) => {
      if (part.ply !== undefined) found = part;
    });
    await stream.done;
  } finally {
    thinking.hold(false);
  }
  return found;
}
