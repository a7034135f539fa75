import { crc32, deflateRawSync } from 'node:zlib';
import {
  centralRecord,
  dataDescriptor,
  endRecords,
  localHeader,
  type ZipRecord,
} from './zip-format.rules.js';

/** Smaller contents don't shrink when they are compressed. */
const leastCompressed = 256;
/** From this size on, the 64-bit form is used even if compression makes the content larger. */
const largest32Bit = 0xf000_0000;
/** Records of the central directory are joined, because many small buffers take much more memory. */
const recordsAtOnce = 512;

export interface ZipEntry {
  /** UTF-8, with a slash at the end for a folder. */
  name: string;
  mtime: Date;
  /** Unix mode with its file type. */
  mode: number;
}

/** Gives the pieces of a zip file in order. Of each entry it keeps only its record of about a hundred bytes. */
export class ZipWriter {
  #offset = 0;
  #entries = 0;
  readonly #blocks: Buffer[] = [];
  #records: Buffer[] = [];

  /** An entry whose content is at hand. */
  *add(entry: ZipEntry, content: Buffer): Generator<Buffer> {
    const deflated = content.length >= leastCompressed ? deflateRawSync(content) : null;
    const stored = deflated && deflated.length < content.length ? deflated : content;
    const record: ZipRecord = {
      ...entry,
      offset: this.#offset,
      compressed: stored !== content,
      streamed: false,
      is64: false,
      crc: crc32(content),
      size: content.length,
      storedSize: stored.length,
    };
    yield this.#count(localHeader(record));
    yield this.#count(stored);
    this.#keep(record);
  }

  /** A large entry. `size`: that of the content, in bytes. `deflate` compresses the pieces given to it. */
  async *addStream(
    entry: ZipEntry,
    { size, content, deflate }: { size: number; content: AsyncIterable<Buffer>; deflate: Deflate },
  ): AsyncGenerator<Buffer> {
    const record: ZipRecord = {
      ...entry,
      offset: this.#offset,
      compressed: true,
      streamed: true,
      is64: size >= largest32Bit,
      crc: 0,
      size: 0,
      storedSize: 0,
    };
    yield this.#count(localHeader(record));
    const measured = async function* () {
      for await (const piece of content) {
        record.crc = crc32(piece, record.crc);
        record.size += piece.length;
        yield piece;
      }
    };
    for await (const piece of deflate(measured())) {
      record.storedSize += piece.length;
      yield this.#count(piece);
    }
    yield this.#count(dataDescriptor(record));
    this.#keep(record);
  }

  /** The directory, which ends the file. */
  *end(): Generator<Buffer> {
    this.#join();
    const directory = { offset: this.#offset, size: 0, entries: this.#entries };
    for (const block of this.#blocks) {
      directory.size += block.length;
      yield block;
    }
    yield endRecords(directory);
  }

  #count(piece: Buffer): Buffer {
    this.#offset += piece.length;
    return piece;
  }

  #keep(record: ZipRecord): void {
    this.#entries += 1;
    this.#records.push(centralRecord(record));
    if (this.#records.length >= recordsAtOnce) this.#join();
  }

  #join(): void {
    this.#blocks.push(Buffer.concat(this.#records));
    this.#records = [];
  }
}

export type Deflate = (content: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
