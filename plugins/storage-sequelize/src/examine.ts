import type { Examination, Finding, SchemaVersion } from '@holdfast/plugin-api';
import { QueryTypes } from 'sequelize';
import type { Executor, SqlDialect } from './dialect.js';
import { storedVersion } from './migrate.js';
import { tablesOf } from './schema-changes.js';
import { storeErrorOf } from './store-errors.js';

/** What is in the database now. Makes and changes nothing. */
export async function examineDatabase(
  dialect: SqlDialect,
  schema: readonly SchemaVersion[],
): Promise<Examination> {
  const newest = Math.max(0, ...schema.map(({ version }) => version));
  try {
    const { connections, findings } = (await dialect.look?.()) ?? {
      connections: await dialect.open(),
      findings: [],
    };
    if (!connections) {
      const text = `There is no database ${dialect.target} yet: the first start creates it.`;
      return { findings: [...findings, { status: 'ok', text }], schema: { stored: null, newest } };
    }
    try {
      const stored = (await storedVersion(connections.reader, dialect)) || null;
      const serverTime = await timeOf(connections.reader);
      if (stored === newest) await dialect.checkTables?.(connections, tablesOf(schema));
      return {
        findings: [...findings, schemaFinding(dialect.target, stored, newest)],
        schema: { stored, newest },
        serverTime,
      };
    } finally {
      await connections.close();
    }
  } catch (error) {
    throw storeErrorOf(error, dialect);
  }
}

function schemaFinding(target: string, stored: number | null, newest: number): Finding {
  if (stored === null)
    return { status: 'ok', text: `The database ${target} is empty: the first start makes its tables.` };
  if (stored === newest)
    return { status: 'ok', text: `The database ${target} has schema version ${stored}.` };
  if (stored < newest) {
    return {
      status: 'warning',
      text: `The database ${target} has schema version ${stored}; the next start brings it to ${newest}.`,
      advice: 'Make a copy of the database before that.',
    };
  }
  return {
    status: 'failed',
    text: `The database ${target} has schema version ${stored}, but this program knows versions up to ${newest}.`,
    advice: 'Start the program that wrote it or a newer one, or use another database.',
  };
}

/** By the clock of the database's server. */
async function timeOf({ sequelize, transaction }: Executor): Promise<number> {
  const [row] = await sequelize.query<{ now: Date | string }>('SELECT CURRENT_TIMESTAMP AS now', {
    type: QueryTypes.SELECT,
    transaction,
  });
  const now = row?.now ?? '';
  // SQLite gives a text in UTC without saying so.
  return now instanceof Date ? now.getTime() : Date.parse(`${now.replace(' ', 'T')}Z`);
}
