// Bytes to messages, as the language server protocol frames them: a header with the length, a blank line, JSON. Bounded: what
// is no frame, or longer than any frame of ours, ends the reading with a reason.

import { t } from "./l10n";

const headerLimit = 4_096;
const frameLimit = 256 * 1024 * 1024;
const headerEnd = Buffer.from("\r\n\r\n");

export class FrameReader {
  private chunks: Buffer[] = [];
  private length = 0;
  /** How long the frame is that is being read; undefined while its header is. */
  private wanted: number | undefined;

  /** The messages that are complete with this chunk. @throws where the bytes are no frames */
  take(chunk: Buffer): unknown[] {
    this.chunks.push(chunk);
    this.length += chunk.length;
    const messages: unknown[] = [];
    while (this.wanted === undefined ? this.readHeader() : this.length >= this.wanted) {
      if (this.wanted === undefined || this.length < this.wanted) continue;
      messages.push(JSON.parse(this.cut(this.wanted).toString("utf8")));
      this.wanted = undefined;
    }
    return messages;
  }

  /** Whether there was a whole header. */
  private readHeader(): boolean {
    const bytes = this.joined();
    const end = bytes.indexOf(headerEnd);
    if (end === -1) {
      if (bytes.length > headerLimit) throw new Error(t("What came is no message: its header has no end."));
      return false;
    }
    const [, digits] = /^content-length:\s*(\d+)\s*$/im.exec(bytes.toString("latin1", 0, end)) ?? [];
    const wanted = Number(digits);
    if (digits === undefined || wanted > frameLimit)
      throw new Error(t("What came is no message: its header is not understood."));
    this.cut(end + headerEnd.length);
    this.wanted = wanted;
    return true;
  }

  /** Chunks are joined only when something is read, so that a long frame is not copied with each of them. */
  private joined(): Buffer {
    const [only = Buffer.alloc(0), ...others] = this.chunks;
    const bytes = others.length === 0 ? only : Buffer.concat(this.chunks);
    this.chunks = [bytes];
    return bytes;
  }

  private cut(length: number): Buffer {
    const bytes = this.joined();
    this.chunks = [bytes.subarray(length)];
    this.length = bytes.length - length;
    return bytes.subarray(0, length);
  }
}

export function framed(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message), "utf8");
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}
