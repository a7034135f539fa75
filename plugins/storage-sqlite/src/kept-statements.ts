import {
  DatabaseError,
  QueryTypes,
  type Sequelize,
  UniqueConstraintError,
} from '@holdfast/storage-sequelize';
import type { Database, RunResult, Statement } from 'sqlite3';

/** More kinds of statements than the service has; reads with a page's place in them come and go. */
const mostKept = 128;

type Query = (sql: string, options?: { type?: string; bind?: unknown }) => Promise<unknown>;

/** What each type of query resolves to; the others are left to Sequelize. */
const answers: Partial<Record<string, (result: RunResult, rows: unknown[]) => unknown>> = {
  [QueryTypes.SELECT]: (_, rows) => rows,
  [QueryTypes.INSERT]: ({ lastID, changes }) => [lastID, changes],
  [QueryTypes.BULKUPDATE]: ({ changes }) => changes,
  [QueryTypes.BULKDELETE]: ({ changes }) => changes,
};

/**
 * Lets statements of the same words share a prepared one. Sequelize prepares each anew: a read by id took 135 µs by it and
 * 50 µs so, and for a change all other processes wait meanwhile. Returns the given connection.
 */
export function keepStatements(sequelize: Sequelize): Sequelize {
  /** What was used last comes last. */
  const kept = new Map<string, Statement>();
  const query = sequelize.query.bind(sequelize) as Query;
  const close = sequelize.close.bind(sequelize);

  /** It ends after what it still has to do. */
  const giveUp = (sql: string, statement: Statement) => {
    kept.delete(sql);
    statement.finalize();
  };
  /** Kept when SQLite has understood it: of one that it refuses only the first user hears. */
  const prepare = (database: Database, sql: string, refuse: (error: Error) => void): Statement => {
    const statement = database.prepare(sql, (error) => {
      if (error) return refuse(error);
      if (kept.has(sql)) return void statement.finalize();
      kept.set(sql, statement);
      const [oldest] = kept;
      if (oldest && kept.size > mostKept) giveUp(...oldest);
    });
    return statement;
  };

  const quick: Query = async (sql, options = {}) => {
    const { bind } = options;
    const answer = answers[options.type ?? ''];
    if (!answer || !Array.isArray(bind)) return query(sql, options);
    const database = (await sequelize.connectionManager.getConnection({ type: 'read' })) as Database;
    const values = Object.fromEntries(bind.map((value, index) => [`$${index + 1}`, value]));
    return new Promise((resolve, reject) => {
      // Never run again: after some errors its transaction is gone, and it would be committed alone.
      const refuse = (error: Error) => reject(inWordsOfSequelize(error, sql));
      const statement = kept.get(sql) ?? prepare(database, sql, refuse);
      if (kept.delete(sql)) kept.set(sql, statement);
      const way = options.type === QueryTypes.SELECT ? 'all' : 'run';
      statement[way](values, function done(this: RunResult, error: Error | null, rows: unknown[] = []) {
        if (error) refuse(error);
        else resolve(answer(this, rows));
      });
    });
  };
  return Object.assign(sequelize, {
    query: quick,
    close: () => {
      for (const [sql, statement] of kept) giveUp(sql, statement);
      return close();
    },
  });
}

function inWordsOfSequelize(cause: Error, sql: string): Error {
  const parent = Object.assign(cause, { sql });
  const columns = /UNIQUE constraint failed: (.*)/.exec(cause.message)?.[1]?.split(', ');
  if (!columns) return new DatabaseError(parent);
  return new UniqueConstraintError({
    parent,
    fields: Object.fromEntries(columns.map((column) => [column.split('.')[1], column])),
  });
}
