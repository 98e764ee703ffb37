// A PNG with a palette of at most 256 colours made of one with any number. Colours are taken into the palette one by one, the
// one that is missed most first: frequent, and far from all that are in it. Every other becomes the nearest of them. For
// screens, whose many colours are shades at the edges of letters.

import { deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const paletteSize = 256;

/** @param {Buffer} png with 8 bits a channel, RGB or RGBA without transparency, not interlaced */
export function withPalette(png) {
  const { width, height, colours } = pixelsOf(png);
  const { palette, places } = paletteFor(colours);
  // Each row begins with its filter, which is none: neighbours in a palette have nothing to do with each other.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = places.get(colours[y * width + x]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("PLTE", Buffer.from(palette.flatMap(channels))),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Every pixel as one number, red first. */
export function pixelsOf(png) {
  const chunks = chunksOf(png);
  const head = chunks.find(({ kind }) => kind === "IHDR").data;
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const [depth, colourKind, , , interlaced] = head.subarray(8);
  const size = { 2: 3, 3: 1, 6: 4 }[colourKind];
  if (depth !== 8 || size === undefined || interlaced !== 0) throw new Error("This kind of PNG is not read here.");
  const packed = Buffer.concat(chunks.filter(({ kind }) => kind === "IDAT").map(({ data }) => data));
  const bytes = unfiltered(inflateSync(packed), width * size, height, size);
  const table = chunks.find(({ kind }) => kind === "PLTE")?.data;
  const colours = new Uint32Array(width * height);
  for (let at = 0; at < colours.length; at += 1) {
    const [from, place] = colourKind === 3 ? [table, bytes[at] * 3] : [bytes, at * size];
    colours[at] = (from[place] << 16) | (from[place + 1] << 8) | from[place + 2];
  }
  return { width, height, colours };
}

function chunksOf(png) {
  const found = [];
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    found.push({
      kind: png.toString("latin1", at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return found;
}

/** Undoes the filters of the rows: each byte was told as its difference to neighbours. */
function unfiltered(rows, stride, height, size) {
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x >= size ? out[at - size] : 0;
      const up = y > 0 ? out[at - stride] : 0;
      const corner = x >= size && y > 0 ? out[at - stride - size] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      out[at] = rows[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return out;
}

function paeth(left, up, corner) {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** @returns the colours of the palette, and for each colour the place of the one that stands for it */
function paletteFor(colours) {
  const counts = new Map();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const all = [...counts].map(([colour, count]) => ({ colour, count, far: Number.POSITIVE_INFINITY, place: 0 }));
  const palette = [];
  let missed = all.reduce((most, one) => (one.count > most.count ? one : most));
  while (missed !== undefined && palette.length < paletteSize) {
    const { colour } = missed;
    missed = undefined;
    for (const one of all) {
      const far = distance(one.colour, colour);
      if (far < one.far) [one.far, one.place] = [far, palette.length];
      if (one.far > 0 && one.far * one.count > (missed === undefined ? 0 : missed.far * missed.count)) missed = one;
    }
    palette.push(colour);
  }
  return { palette, places: new Map(all.map(({ colour, place }) => [colour, place])) };
}

function distance(one, other) {
  const [red, green, blue] = channels(one);
  const [r, g, b] = channels(other);
  return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
}

function channels(colour) {
  return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];
}

function chunk(kind, data) {
  const named = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

/** Node has its own only since 20.15. */
function crc32(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
