import pg from 'pg';
import type { Database } from './database.js';

type Client = InstanceType<typeof pg.Client>;

/** Numbers of eight bytes come as text otherwise. */
const int8 = 20;
const types = {
  getTypeParser: (oid: number) => (text: string) => {
    if (text === null) return null;
    if ([int8, 21, 23].includes(oid)) return Number(text);
    return oid === 16 ? text === 't' : text;
  },
};

export class PostgresDatabase implements Database {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open(url: string): Promise<PostgresDatabase> {
    const client = new pg.Client({ connectionString: url, types });
    // A server that is ended by a test; the next statement tells.
    client.on('error', () => {});
    await client.connect();
    return new PostgresDatabase(client);
  }

  async all<T>(sql: string, ...values: unknown[]): Promise<T[]> {
    let place = 0;
    const { rows } = await this.#client.query<T>(
      sql.replaceAll('?', () => {
        place += 1;
        return `$${place}`;
      }),
      values,
    );
    return rows;
  }

  /** Whoever stands still in a transaction keeps its locks until the server ends it. */
  async takesWrites(): Promise<boolean> {
    const [row] = await this.all<{ open: number }>(
      `SELECT COUNT(*) AS open FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`,
    );
    return row?.open === 0;
  }

  async holdWrites(): Promise<void> {
    await this.all('BEGIN');
    const tables = (await this.#tables()).map((name) => `"${name}"`).join(', ');
    await this.all(`LOCK TABLE ${tables} IN SHARE MODE`);
  }

  async letWrite(): Promise<void> {
    await this.all('ROLLBACK');
  }

  async contents(): Promise<string> {
    const texts: string[] = [];
    for (const name of await this.#tables()) {
      const rows = await this.all<{ text: string }>(`SELECT row_to_json(t)::text AS text FROM "${name}" t`);
      texts.push(...rows.map(({ text }) => text));
    }
    return texts.join('\n');
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async #tables(): Promise<string[]> {
    const sql = "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'";
    return (await this.all<{ name: string }>(sql)).map(({ name }) => name);
  }
}
