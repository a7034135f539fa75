import { addAbortSignal, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Output, SourceContext, SourceSettings } from '@holdfast/plugin-api/source';
import type { Db, Document } from 'mongodb';
import { type Collection, writeArchive } from './archive.js';
import { asked, openServer } from './server.js';

/** Numbers and patterns stay as the server has them. */
const exact = { promoteValues: false, bsonRegExp: true };
/** Bounds the memory: a batch may have 16 MB otherwise. */
const bytesAtOnce = 500_000;
const notThere = 26;

/** An archive of one database, read while it is written. */
export function dump(settings: SourceSettings, context: SourceContext, name: string): Output {
  const output = Readable.from(archiveOf(settings, context, name), { objectMode: false });
  const code = finished(addAbortSignal(context.signal, output)).then(() => 0);
  code.catch(() => {});
  return { output, code };
}

async function* archiveOf(
  settings: SourceSettings,
  context: SourceContext,
  name: string,
): AsyncGenerator<Buffer> {
  const problem = `${name} could not be dumped`;
  const { client, close } = await asked(problem, () => openServer(settings, context));
  try {
    const db = client.db(name);
    const { collections, serverVersion } = await asked(problem, async () => ({
      collections: await collectionsOf(db),
      serverVersion: String((await db.command({ buildInfo: 1 })).version),
    }));
    const documents = (place: string) => documentsOf(db, place);
    const pieces = writeArchive({ database: name, serverVersion, collections, documents });
    let piece = await asked(problem, () => pieces.next());
    while (!piece.done) {
      yield piece.value;
      piece = await asked(problem, () => pieces.next());
    }
  } finally {
    await close();
  }
}

async function collectionsOf(db: Db): Promise<Collection[]> {
  const found = await db.listCollections({}, exact).toArray();
  const collections: Collection[] = [];
  for (const { name, type = 'collection', options = {} } of found as unknown as Collection[]) {
    if (name.startsWith('system.') && name !== 'system.js') continue;
    if (type === 'timeseries' && !found.some((other) => other.name === `system.buckets.${name}`))
      throw new Error(`${name} is a time series, and Holdfast can't dump those of this server.`);
    const indexes = type === 'view' ? [] : await indexesOf(db, name);
    if (indexes) collections.push({ name, type, options, indexes });
  }
  return collections.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Null if the collection was removed meanwhile. */
const indexesOf = (db: Db, name: string): Promise<Document[] | null> =>
  db
    .collection(name)
    .listIndexes(exact)
    .toArray()
    .catch((error: { code?: unknown }) => {
      if (error.code === notThere) return null;
      throw error;
    });

async function* documentsOf(db: Db, place: string): AsyncGenerator<Uint8Array[]> {
  const { avgObjSize = 0 } = await db.command({ collStats: place }).catch(() => ({}) as Document);
  const batchSize = Math.ceil(bytesAtOnce / Math.max(avgObjSize, 500));
  const options = { raw: true, hint: { $natural: 1 }, batchSize, noCursorTimeout: true };
  const cursor = db.collection(place).find({}, options);
  try {
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments() as unknown as Uint8Array[];
  } finally {
    // A server that is gone does not hold the end up.
    await cursor.close({ timeoutMS: 1_000 }).catch(() => {});
  }
}
