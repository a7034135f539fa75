import { createRequire } from 'node:module';
import type { SourceContext, SourceSettings, StoredDump } from '@holdfast/plugin-api/source';
import type { Db, Document } from 'mongodb';
import { BadDump, type Collection, type Part, readArchive } from './archive.js';
import { allDatabases, asked, isOfDriver, own, sentence, withServer } from './server.js';

/** An older server may not know what is in the dump. */
export class OlderServer extends BadDump {}

const documentsAtOnce = 10_000;

/** Fills an empty database. Throws BadDump if the dump is not whole, or if the server refuses a part of it. */
export async function load(db: Db, dump: StoredDump): Promise<void> {
  const views: Collection[] = [];
  let dumped = '';
  try {
    for await (const part of readArchive(dump.open())) {
      if (part.what === 'content') {
        dumped = part.serverVersion;
        for (const one of part.collections)
          if (one.type === 'view') views.push(one);
          else if (one.name !== 'system.js') await create(db, one);
      } else if (part.what === 'documents') await insert(db, part);
      else if (part.of.type !== 'view') await index(db, part.of);
    }
    for (const view of views) await create(db, view);
  } catch (error) {
    if (!isOfDriver(error)) throw error;
    const { version } = await db.command({ buildInfo: 1 });
    if (numberOf(version) >= numberOf(dumped))
      throw new BadDump(sentence('The server refused it', error).message);
    throw new OlderServer(
      `The dump is of MongoDB ${dumped}, but this is ${version}: install the newer version.`,
    );
  }
}

/** Of major and minor version. */
const numberOf = (version: string) => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 1_000 + minor;
};

const create = (db: Db, { name, options }: Collection) => db.command({ create: name, ...options });

/** The documents are sent as they are: the driver would decode some values to others, and reorder some fields. */
async function insert(db: Db, { place, documents }: Extract<Part, { what: 'documents' }>): Promise<void> {
  // The driver keeps to itself how it sends documents that are encoded already.
  const { DocumentSequence } = createRequire(import.meta.url)('mongodb/lib/cmap/commands.js') as {
    DocumentSequence: new (field: string) => { push(document: object, bytes: Uint8Array): void };
  };
  for (let at = 0; at < documents.length; at += documentsAtOnce) {
    const sequence = new DocumentSequence('documents');
    for (const bytes of documents.slice(at, at + documentsAtOnce)) sequence.push({}, bytes);
    const answer = await db.command({ insert: place, bypassDocumentValidation: true, documents: sequence });
    const problem = answer.writeErrors?.[0] ?? answer.writeConcernError;
    if (problem) throw new BadDump(`The server refused a document of ${place}: ${problem.errmsg}`);
  }
}

async function index(db: Db, { name, options, indexes }: Collection): Promise<void> {
  const wanted = indexes.filter((one) => one.name !== '_id_' && one.clustered === undefined);
  // Without one, an index would get that of its collection.
  const simple = options?.collation ? { collation: { locale: 'simple' } } : {};
  const specifications = wanted.map(({ ns: _of, ...rest }: Document) => ({ ...simple, ...rest }));
  if (specifications.length > 0) await db.command({ createIndexes: name, indexes: specifications });
}

/** A database can't be renamed, so the dump is read twice: only one that the server takes replaces anything. */
export async function restore(
  settings: SourceSettings,
  { dump, into, replace }: { dump: StoredDump; into: string; replace: boolean },
  context: SourceContext,
): Promise<{ text: string }> {
  if (own.includes(into)) throw new Error(`${into} belongs to the server: choose another name.`);
  return withServer(settings, context, async (client) => {
    const exists = (await allDatabases(client)).some(({ name }) => name === into);
    if (!replace && exists) throw new Error(`There is a database ${into}: choose another name.`);
    const problem = `${into} was not restored`;
    const fill = async (name: string) => {
      const db = client.db(name);
      await db.dropDatabase();
      await load(db, dump);
      return db;
    };
    return asked(problem, async () => {
      // Names have at most 63 bytes.
      const fresh = `${Buffer.from(into).subarray(0, 40)}_holdfast_new`;
      await fill(fresh).finally(() => client.db(fresh).dropDatabase());
      // Half of a database must not look like all of it.
      const db = await fill(into).catch(async (error) => {
        await client.db(into).dropDatabase();
        throw error;
      });
      const collections = await db.listCollections({}, { nameOnly: true }).toArray();
      return { text: `Database ${into} was restored (${collections.length} collections).` };
    });
  });
}
