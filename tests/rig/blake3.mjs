// BLAKE3, which Node does not have, for files that a test writes as the program would: the plain hash, and no more of it.

const IV = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const ORDER = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const [CHUNK_START, CHUNK_END, PARENT, ROOT] = [1, 2, 4, 8];
const CHUNK = 1024;
const BLOCK = 64;

const v = new Uint32Array(16);

function mix(a, b, c, d, x, y) {
  v[a] = v[a] + v[b] + x;
  v[d] = rotated(v[d] ^ v[a], 16);
  v[c] = v[c] + v[d];
  v[b] = rotated(v[b] ^ v[c], 12);
  v[a] = v[a] + v[b] + y;
  v[d] = rotated(v[d] ^ v[a], 8);
  v[c] = v[c] + v[d];
  v[b] = rotated(v[b] ^ v[c], 7);
}

const rotated = (word, by) => (word >>> by) | (word << (32 - by));

/** Which words of the block each round takes. */
const ROUNDS = [Array.from({ length: 16 }, (_, at) => at)];
while (ROUNDS.length < 7) ROUNDS.push(ORDER.map((at) => ROUNDS.at(-1)[at]));

/** The chaining value after one block. */
function compress(chain, m, counter, length, flags) {
  for (let at = 0; at < 8; at += 1) v[at] = chain[at];
  for (let at = 0; at < 4; at += 1) v[at + 8] = IV[at];
  v[12] = counter;
  v[13] = counter / 2 ** 32;
  v[14] = length;
  v[15] = flags;
  for (const at of ROUNDS) {
    mix(0, 4, 8, 12, m[at[0]], m[at[1]]);
    mix(1, 5, 9, 13, m[at[2]], m[at[3]]);
    mix(2, 6, 10, 14, m[at[4]], m[at[5]]);
    mix(3, 7, 11, 15, m[at[6]], m[at[7]]);
    mix(0, 5, 10, 15, m[at[8]], m[at[9]]);
    mix(1, 6, 11, 12, m[at[10]], m[at[11]]);
    mix(2, 7, 8, 13, m[at[12]], m[at[13]]);
    mix(3, 4, 9, 14, m[at[14]], m[at[15]]);
  }
  const out = new Uint32Array(8);
  for (let at = 0; at < 8; at += 1) out[at] = v[at] ^ v[at + 8];
  return out;
}

const block = Buffer.alloc(BLOCK);
const words = new Uint32Array(16);

function wordsOf(bytes, from, to) {
  block.fill(0);
  bytes.copy(block, 0, from, to);
  for (let at = 0; at < 16; at += 1) words[at] = block.readUInt32LE(at * 4);
  return words;
}

function chunk(bytes, from, to, counter, root) {
  let chain = IV;
  for (let at = from; ; at += BLOCK) {
    const end = Math.min(at + BLOCK, to);
    const last = end >= to;
    const flags = (at === from ? CHUNK_START : 0) | (last ? CHUNK_END | root : 0);
    chain = compress(chain, wordsOf(bytes, at, end), counter, end - at, flags);
    if (last) return chain;
  }
}

/** The largest power of two of chunks that leaves something for the right side. */
function leftLength(length) {
  let left = CHUNK;
  while (left * 2 < length) left *= 2;
  return left;
}

function tree(bytes, from, to, counter, root) {
  if (to - from <= CHUNK) return chunk(bytes, from, to, counter, root);
  const middle = from + leftLength(to - from);
  const left = tree(bytes, from, middle, counter, 0);
  const right = tree(bytes, middle, to, counter + (middle - from) / CHUNK, 0);
  return compress(IV, [...left, ...right], 0, BLOCK, PARENT | root);
}

/** The hash in hexadecimal. @param {string | Buffer} content */
export function blake3(content) {
  const bytes = Buffer.from(content);
  const out = Buffer.alloc(32);
  for (const [at, word] of tree(bytes, 0, bytes.length, 0, ROOT).entries()) out.writeUInt32LE(word, at * 4);
  return out.toString("hex");
}
