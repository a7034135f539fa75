import { isDeepStrictEqual } from 'node:util';
import { SqliteDatabase } from '../../store/sqlite-database.js';
import { waitFor } from '../../wait-for.js';

type Row = Record<string, unknown>;
type Tables = Map<string, Row[]>;

/** What a service keeps, seen from outside. */
export interface ServiceState {
  /** Differs from an earlier one when something was written meanwhile. */
  version(): Promise<unknown>;
  /** Resolves when no job is open and nothing is being written. */
  quiet(): Promise<void>;
  /** Everything that a refused request must leave alone. */
  dump(): Promise<Tables>;
  /** Brings back what was there at the beginning, so that requests find something. */
  mend(): Promise<void>;
}

/**
 * Records of what happened, leases, turns at a repository, the tool's own list as it was last read, and what the service
 * noticed by itself.
 */
const logs =
  /log|event|deliver|audit|idempotency|instance|lane|^archive$|sqlite_|^incident$|^protection_state$|^duty$/;
/** The truth about work that goes on: never put back. */
const work = /job|slot|setting$|ticket|run$|journal/;
/** What the service learns on the way, from whatever it was asked. */
const learned: Record<string, readonly string[]> = {
  user: ['last_login'],
  token: ['last_used_at'],
  repository: ['inventory_at', 'archive_count', 'stored_size', 'cache_epoch', 'last_backup'],
  ssh_connection: ['status', 'last_test', 'last_success', 'error_message', 'offered_host_key', 'storage'],
};

export async function databaseState(file: string): Promise<ServiceState & { close(): Promise<void> }> {
  const database = await SqliteDatabase.open(file);
  const named = await database.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  const tables = named.map(({ name }) => name).filter((name) => !logs.test(name));
  await countWrites(database, tables);
  const version = async () => (await database.all<Row>('SELECT writes FROM test_writes'))[0]?.writes;
  const read = async (names: string[]): Promise<Tables> => {
    const rows = names.map((name) => database.all<Row>(`SELECT * FROM "${name}" ORDER BY 1`));
    const all = await Promise.all(rows);
    return new Map(names.map((name, index) => [name, (all[index] ?? []).map((row) => lasting(name, row))]));
  };
  const restorable = tables.filter((name) => !work.test(name) || name === 'notification_setting');
  const beginning = await wholeRows(database, restorable);
  const openJobs = () => database.all<Row>("SELECT id FROM job WHERE status IN ('pending', 'running')");
  return {
    version,
    dump: () => read(tables),
    async quiet() {
      const look = async () => {
        const before = await version();
        if ((await openJobs()).length > 0) return false;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return (await version()) === before;
      };
      await waitFor(look, { what: 'the end of all jobs', timeoutMs: 60_000, intervalMs: 20 });
    },
    async mend() {
      if (isDeepStrictEqual(await wholeRows(database, restorable), beginning)) return;
      for (const [name, rows] of beginning) for (const row of rows) await putBack(database, name, row);
    },
    close: () => database.close(),
  };
}

/**
 * Counts what is written into these tables. The version of the file as a whole would change with each entry that a
 * request leaves in a log.
 */
async function countWrites(database: SqliteDatabase, names: string[]): Promise<void> {
  await database.all('CREATE TABLE test_writes (writes INTEGER NOT NULL)');
  await database.all('INSERT INTO test_writes VALUES (0)');
  for (const name of names) {
    for (const event of ['INSERT', 'UPDATE', 'DELETE']) {
      const count = 'BEGIN UPDATE test_writes SET writes = writes + 1; END';
      await database.all(`CREATE TRIGGER "test_${event}_${name}" AFTER ${event} ON "${name}" ${count}`);
    }
  }
}

const lasting = (table: string, row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !learned[table]?.includes(column)));

async function wholeRows(database: SqliteDatabase, names: string[]): Promise<Tables> {
  const tables: Tables = new Map();
  for (const name of names) tables.set(name, await database.all<Row>(`SELECT * FROM "${name}" ORDER BY 1`));
  return tables;
}

function putBack(database: SqliteDatabase, table: string, row: Row): Promise<unknown> {
  const columns = Object.keys(row).map((column) => `"${column}"`);
  const places = columns.map(() => '?');
  const sql = `INSERT OR REPLACE INTO "${table}" (${columns.join()}) VALUES (${places.join()})`;
  return database.all(sql, ...Object.values(row));
}

/** The rows that differ, each as text. */
export function changesBetween(before: Tables, after: Tables): string[] {
  const texts = (tables: Tables, name: string) => (tables.get(name) ?? []).map((row) => JSON.stringify(row));
  return [...before.keys()].flatMap((name) => {
    const [was, is] = [texts(before, name), texts(after, name)];
    const gone = was.filter((row) => !is.includes(row)).map((row) => `-${name} ${row.slice(0, 300)}`);
    return [...gone, ...is.filter((row) => !was.includes(row)).map((row) => `+${name} ${row.slice(0, 300)}`)];
  });
}
