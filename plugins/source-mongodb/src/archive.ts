/**
 * The format of `mongodump --archive`: a magic number, a header, the collections, a mark, then blocks. Each block has the
 * name of a collection, documents and a mark. The last one of a collection is empty and has a checksum of its documents.
 */
import type { Document } from 'mongodb';
import { Crc64 } from './crc64.js';

const magic = 0x8199_e26d;
const mark = Buffer.from([0xff, 0xff, 0xff, 0xff]);
const smallest = 5;
/** What servers allow, with room for their own fields. */
const largest = 17 * 1024 * 1024;
const readAtOnce = 1024 * 1024;
/** With the types of numbers. */
const canonical = { relaxed: false };

export interface Collection {
  name: string;
  type: string;
  options: Document;
  indexes: Document[];
}

/** Where the documents are. */
const placeOf = ({ name, type }: Pick<Collection, 'name' | 'type'>) =>
  type === 'timeseries' ? `system.buckets.${name}` : name;

/** The dump can't be restored. */
export class BadDump extends Error {}

/** Loaded on first use: it has many files. */
const bson = async () => (await import('mongodb')).BSON;

interface Content {
  database: string;
  serverVersion: string;
  collections: readonly Collection[];
  /** In pieces, as the server stores them. `place`: the name of the collection that has them. */
  documents(place: string): AsyncIterable<readonly Uint8Array[]>;
}

export async function* writeArchive(content: Content): AsyncGenerator<Buffer> {
  const { EJSON, Long, serialize } = await bson();
  const { database: db, serverVersion, collections } = content;
  const header = {
    ...{ concurrent_collections: 1, version: '0.1' },
    ...{ server_version: serverVersion, tool_version: 'holdfast' },
  };
  const start = Buffer.alloc(4);
  start.writeUInt32LE(magic);
  const entries = collections.map(({ name: collection, type, options, indexes }) => {
    const metadata = { options, indexes, collectionName: collection, type };
    const json = EJSON.stringify(metadata, canonical);
    return serialize({ db, collection, metadata: json, size: 0, type });
  });
  yield Buffer.concat([start, serialize(header), ...entries, mark]);
  for (const each of collections) {
    const collection = placeOf(each);
    const crc = new Crc64();
    yield Buffer.from(serialize({ db, collection, EOF: false, CRC: Long.ZERO }));
    if (each.type !== 'view')
      for await (const documents of content.documents(collection)) {
        const piece = Buffer.concat(documents);
        crc.add(piece);
        yield piece;
      }
    const end = serialize({ db, collection, EOF: true, CRC: Long.fromBigInt(crc.value) });
    yield Buffer.concat([mark, end, mark]);
  }
}

const damaged = 'The dump is damaged';

/** Documents and marks (null). */
async function* itemsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Item[]> {
  let held: Buffer[] = [];
  let size = 0;
  let needed = readAtOnce;
  let isFirst = true;
  const take = (): Item[] => {
    const bytes = Buffer.concat(held);
    let at = 0;
    if (isFirst) {
      if (size < 4 || bytes.readUInt32LE() !== magic) throw new BadDump('This is no archive of mongodump.');
      isFirst = false;
      at = 4;
    }
    const { items, end, next } = itemsIn(bytes, at);
    held = [bytes.subarray(end)];
    size -= end;
    needed = Math.max(readAtOnce, next);
    return items;
  };
  for await (const piece of pieces) {
    held.push(piece);
    size += piece.length;
    if (size >= needed) yield take();
  }
  yield take();
  if (size > 0) throw new BadDump(cutOff);
}

/** `end`: where the first incomplete item begins. `next`: its length. */
function itemsIn(bytes: Buffer, begin: number): { items: Item[]; end: number; next: number } {
  const items: Item[] = [];
  let end = begin;
  while (end + 4 <= bytes.length) {
    const length = bytes.readInt32LE(end);
    if (length === -1) {
      items.push(null);
      end += 4;
      continue;
    }
    if (length < smallest || length > largest) throw new BadDump(`${damaged}: a document has no length.`);
    if (end + length > bytes.length) return { items, end, next: length };
    if (bytes[end + length - 1] !== 0) throw new BadDump(`${damaged}: a document has no end.`);
    items.push(bytes.subarray(end, end + length));
    end += length;
  }
  return { items, end, next: 0 };
}

const cutOff = 'The dump ends early.';

/** What is read, in this order: what the archive has, then documents, then the end of each collection. */
export type Part =
  | { what: 'content'; serverVersion: string; collections: readonly Collection[] }
  | { what: 'documents'; place: string; documents: readonly Buffer[] }
  | { what: 'end'; of: Collection };

/** Throws an Error if the archive is not whole, at its end at the latest. */
export async function* readArchive(pieces: AsyncIterable<Buffer>): AsyncGenerator<Part> {
  const reader = new Reader(await bson());
  for await (const items of itemsOf(pieces)) {
    for (const item of items) {
      const part = reader.take(item);
      if (part) yield part;
    }
    const part = reader.flush();
    if (part) yield part;
  }
  reader.finish();
}

type Item = Buffer | null;
type Bson = Awaited<ReturnType<typeof bson>>;

class Reader {
  readonly #bson: Bson;
  readonly #collections: Collection[] = [];
  readonly #databases = new Set<string>();
  /** Collections that have not ended, by the place of their documents. */
  readonly #open = new Map<string, { of: Collection; crc: Crc64 }>();
  #serverVersion = '';
  #place = '';
  #documents: Buffer[] = [];
  #next: (item: Item) => Part | null = this.#header;

  constructor(bson: Bson) {
    this.#bson = bson;
  }

  take(item: Item): Part | null {
    return this.#next(item);
  }

  #header(item: Item): null {
    this.#serverVersion = String(this.#parsed(item).server_version);
    this.#next = this.#collection;
    return null;
  }

  #collection(item: Item): Part | null {
    if (item !== null) {
      const { db, collection: name, metadata, type } = this.#parsed(item);
      const { options = {}, indexes = [] } = tried(() => this.#bson.EJSON.parse(metadata || '{}', canonical));
      this.#databases.add(db);
      this.#collections.push({ name, type: type || 'collection', options, indexes });
      return null;
    }
    if (this.#databases.size > 1)
      throw new BadDump('This archive has several databases: restore it with mongorestore.');
    for (const of of this.#collections) this.#open.set(placeOf(of), { of, crc: new Crc64() });
    this.#next = this.#name;
    return { what: 'content', serverVersion: this.#serverVersion, collections: this.#collections };
  }

  #name(item: Item): Part | null {
    const { collection, EOF: isEnd, CRC: expected } = this.#parsed(item);
    const open = this.#open.get(collection);
    if (!open) throw new BadDump(`${damaged}: it does not announce the collection ${collection}.`);
    this.#place = collection;
    this.#next = this.#body;
    if (!isEnd) return null;
    if (open.crc.value !== expected) throw new BadDump(`${damaged}: the checksum of ${collection} is wrong.`);
    this.#open.delete(collection);
    return { what: 'end', of: open.of };
  }

  #body(item: Item): Part | null {
    if (item !== null) {
      this.#documents.push(item);
      return null;
    }
    this.#next = this.#name;
    return this.flush();
  }

  /** The documents that were read. */
  flush(): Part | null {
    const documents = this.#documents;
    if (documents.length === 0) return null;
    const open = this.#open.get(this.#place);
    if (!open) throw new BadDump(`${damaged}: ${this.#place} continues after its end.`);
    for (const document of documents) open.crc.add(document);
    this.#documents = [];
    return { what: 'documents', place: this.#place, documents };
  }

  finish(): void {
    if (this.#next !== this.#name || this.#open.size > 0) throw new BadDump(cutOff);
  }

  #parsed(item: Item): Document {
    if (item === null) throw new BadDump(`${damaged}: a name is missing.`);
    return tried(() => this.#bson.deserialize(item, { useBigInt64: true }));
  }
}

function tried(read: () => Document): Document {
  try {
    return read();
  } catch (error) {
    throw new BadDump(`${damaged}: ${(error as Error).message}`, { cause: error });
  }
}
