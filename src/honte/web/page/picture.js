// Pictures to share: the position as SVG and PNG, the game as an animated GIF. Loaded on demand. A
// picture is self-contained: the styles of the page are inlined.

import { Board } from "./board.js";
import { el, svg } from "./dom.js";
import { Gif } from "./gif.js";
import { CELL } from "./ground.js";

const LONG = 1200; // pixels along the longer side of a PNG,
const SMALL = 480; // and of a GIF
const DELAY = 70; // hundredths of a second for a move,
const PAUSE = 300; // and for the last position
const MARK = [240, 86, 60]; // the last move
const BREATH = 8; // frames between two yields to the page
const STYLES = {
  fill: "rgb(0, 0, 0)", stroke: "none", "stroke-width": "1px", "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter",
  opacity: "1", "stop-color": "rgb(0, 0, 0)", "font-family": "", "font-size": "", "font-weight": "400", "text-anchor": "start",
};
const UNSEEN = "[role=row], .layer-hints, .layer-thoughts, .layer-ghosts";

/** A copy with inlined styles, without the elements that `unseen` selects. */
function standalone(node, unseen = UNSEEN) {
  const copy = node.cloneNode(true);
  const walk = (from, to) => {
    const look = getComputedStyle(from);
    for (const [name, usual] of Object.entries(STYLES)) {
      const value = look.getPropertyValue(name);
      const words = name.startsWith("font") && from.tagName !== "text";
      if (value && value !== usual && !words) to.setAttribute(name, value.replaceAll('"', "'"));
    }
    for (const { name } of [...to.attributes]) if (name === "class" || name === "tabindex" || name === "role" || /^(aria|data)-/.test(name)) to.removeAttribute(name);
    [...from.children].forEach((child, i) => walk(child, to.children[i]));
  };
  const gone = [...copy.querySelectorAll(unseen)]; // before their classes are removed
  walk(node, copy);
  for (const one of gone) one.remove();
  copy.removeAttribute("style");
  return copy;
}

/** The part of a board to export: without the strip over the columns, which is for hovering pieces. */
function cropped(board) {
  const top = board.shape === "columns" ? board.rim.top - 20 : 0;
  const long = Math.max(board.width, board.height - top);
  const sized = (side) => [board.width, board.height - top].map((length) => Math.round((length * side) / long));
  return { top, sized, scale: (side) => side / long, box: `0 ${top} ${board.width} ${board.height - top}` };
}

/** A board's picture without the elements that `unseen` selects. */
function drawn(board, unseen) {
  const copy = standalone(board.svg, unseen);
  copy.setAttribute("viewBox", cropped(board).box);
  return copy;
}

function source(node, width, height) {
  node.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  node.setAttribute("width", width);
  node.setAttribute("height", height);
  return new XMLSerializer().serializeToString(node);
}

async function image(node, width, height) {
  const found = new Image(width, height);
  found.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source(node, width, height))}`;
  await found.decode();
  return found;
}

function canvasOf(width, height) {
  const canvas = el("canvas", { width, height });
  return [canvas, canvas.getContext("2d", { willReadFrequently: true })];
}

export function svgOf(board) {
  return new Blob([source(drawn(board), ...cropped(board).sized(LONG))], { type: "image/svg+xml" });
}

export async function pngOf(board) {
  const [width, height] = cropped(board).sized(LONG);
  const [canvas, context] = canvasOf(width, height);
  context.drawImage(await image(drawn(board), width, height), 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** The whole game, one frame per position; `tell(done, of)` reports the progress. */
export async function gifOf({ game, states }, tell = () => {}) {
  const place = el("div", { class: "offstage", "aria-hidden": "true" });
  document.body.append(place);
  try {
    const board = new Board(place);
    const [first] = states;
    board.draw(game, { ...first, cells: first.cells.replace(/[XO]/g, "."), legal: [] }, { animate: false, hints: false });
    const { top, ...crop } = cropped(board);
    const [scale, [width, height]] = [crop.scale(SMALL), crop.sized(SMALL)];
    const at = (cell) => [board.x(cell) * scale, (board.y(cell) - top) * scale];
    // Ground, front and one piece of each side are drawn once; frames are composed from them.
    const layer = (other) => image(drawn(board, `${UNSEEN}, .layer-${other}`), width, height);
    const [ground, front] = [await layer("front"), await layer("ground")];
    const side = CELL * 1.1;
    const sprite = async (who) => {
      const picture = svg("svg", { viewBox: `0 0 ${side} ${side}`, class: board.svg.getAttribute("class") }, board.svg.querySelector("defs").cloneNode(true), board.piece(who, side / 2, side / 2));
      place.append(picture);
      const found = await image(standalone(picture), side * scale, side * scale);
      picture.remove();
      return found;
    };
    const pieces = { X: await sprite("X"), O: await sprite("O") };
    const [, context] = canvasOf(width, height);
    const paper = getComputedStyle(document.body).backgroundColor;
    Object.assign(context, { strokeStyle: "#fff", lineWidth: 12 * scale, lineCap: "round" });
    const frame = (state) => {
      context.fillStyle = paper;
      context.fillRect(0, 0, width, height);
      context.drawImage(ground, 0, 0);
      [...state.cells].forEach((what, cell) => {
        const [x, y] = at(cell);
        if (pieces[what]) context.drawImage(pieces[what], x - (side / 2) * scale, y - (side / 2) * scale);
      });
      context.drawImage(front, 0, 0);
      const last = state.last?.[0] ?? -1;
      context.beginPath();
      if (last >= 0) context.arc(...at(last), 14 * scale, 0, 7);
      context.fillStyle = `rgb(${MARK})`;
      context.fill();
      context.beginPath();
      for (const line of state.lines) line.forEach((cell, i) => (i ? context.lineTo(...at(cell)) : context.moveTo(...at(cell))));
      context.stroke();
      return context.getImageData(0, 0, width, height);
    };
    const gif = new Gif(width, height, [frame(first), frame(states.at(-1))], [MARK]);
    for (const [i, state] of states.entries()) {
      gif.add(frame(state), i === states.length - 1 ? PAUSE : DELAY);
      tell(i + 1, states.length);
      if (i % BREATH === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    return gif.blob();
  } finally {
    place.remove();
  }
}

export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
