// A writer of animated GIFs: one palette, and only the changed part of each frame.

const SHIFT = 3; // colours are compared by their upper five bits

const key = (data, i) => ((data[i] >> SHIFT) << 10) | ((data[i + 1] >> SHIFT) << 5) | (data[i + 2] >> SHIFT);

/** The most frequent colours of some pictures, at most 256. */
function paletteOf(pictures) {
  const counts = new Map(); // key -> [count, red, green, blue]
  for (const { data } of pictures) {
    for (let i = 0; i < data.length; i += 4) {
      const k = key(data, i);
      const found = counts.get(k);
      if (found) found[0]++;
      else counts.set(k, [1, data[i], data[i + 1], data[i + 2]]);
    }
  }
  return [...counts.values()].sort((a, b) => b[0] - a[0]).slice(0, 256).map(([, ...color]) => color);
}

/** Variable-length-code LZW, as GIF packs its pixels: 8 bits a pixel. */
function pack(pixels) {
  const [CLEAR, END] = [256, 257];
  const bytes = [];
  let [held, bits, width] = [0, 0, 9];
  const write = (code) => {
    held |= code << bits;
    bits += width;
    for (; bits >= 8; bits -= 8, held >>>= 8) bytes.push(held & 255);
  };
  let table = new Map();
  let next = END + 1;
  write(CLEAR);
  let prefix = pixels[0];
  for (let i = 1; i < pixels.length; i++) {
    const longer = (prefix << 8) | pixels[i];
    const known = table.get(longer);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    write(prefix);
    if (next === 4096) {
      write(CLEAR);
      table = new Map();
      [next, width] = [END + 1, 9];
    } else {
      table.set(longer, next++);
      if (next > 1 << width && width < 12) width++;
    }
    prefix = pixels[i];
  }
  write(prefix);
  write(END);
  if (bits) bytes.push(held & 255);
  return bytes;
}

export class Gif {
  /** Pictures are ImageData of one size; the palette is that of `samples`, and colours of small marks. */
  constructor(width, height, samples, marks = []) {
    this.width = width;
    this.height = height;
    this.palette = [...marks, ...paletteOf(samples)].slice(0, 256);
    this.nearest = new Int16Array(1 << 15).fill(-1); // key -> place in the palette
    this.parts = [];
    this.last = null;
    const table = new Uint8Array(768);
    this.palette.forEach((color, i) => table.set(color, 3 * i));
    const short = (n) => [n & 255, n >> 8];
    this.bytes([...ascii("GIF89a"), ...short(width), ...short(height), 0xf7, 0, 0]);
    this.parts.push(table);
    this.bytes([0x21, 0xff, 11, ...ascii("NETSCAPE2.0"), 3, 1, 0, 0, 0]); // loop forever
  }

  bytes(list) {
    this.parts.push(new Uint8Array(list));
  }

  index(data, i) {
    const k = key(data, i);
    let found = this.nearest[k];
    if (found < 0) {
      let least = Infinity;
      this.palette.forEach(([r, g, b], n) => {
        const far = (r - data[i]) ** 2 + (g - data[i + 1]) ** 2 + (b - data[i + 2]) ** 2;
        if (far < least) [least, found] = [far, n];
      });
      this.nearest[k] = found;
    }
    return found;
  }

  /** Add a frame with a delay in hundredths of a second. */
  add({ data }, delay) {
    const { width, height, last, lastRaw } = this;
    const all = new Uint8Array(width * height);
    const raw = new Uint32Array(data.buffer);
    let [left, top, right, bottom] = [width, height, -1, -1];
    for (let p = 0; p < all.length; p++) {
      if (last && lastRaw[p] === raw[p]) {
        all[p] = last[p];
        continue;
      }
      all[p] = this.index(data, 4 * p);
      if (last && last[p] === all[p]) continue;
      const [x, y] = [p % width, (p / width) | 0];
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    if (right < 0) [left, top, right, bottom] = [0, 0, 0, 0]; // a pass: one pixel
    const [w, h] = [right - left + 1, bottom - top + 1];
    const changed = new Uint8Array(w * h);
    for (let y = 0; y < h; y++) changed.set(all.subarray((top + y) * width + left, (top + y) * width + left + w), y * w);
    const short = (n) => [n & 255, n >> 8];
    this.bytes([0x21, 0xf9, 4, 4, ...short(delay), 0, 0, 0x2c, ...short(left), ...short(top), ...short(w), ...short(h), 0, 8]);
    const packed = pack(changed);
    for (let i = 0; i < packed.length; i += 255) {
      const block = packed.slice(i, i + 255);
      this.bytes([block.length, ...block]);
    }
    this.bytes([0]);
    this.last = all;
    this.lastRaw = raw;
  }

  blob() {
    return new Blob([...this.parts, new Uint8Array([0x3b])], { type: "image/gif" });
  }
}

const ascii = (text) => [...text].map((letter) => letter.charCodeAt(0));
