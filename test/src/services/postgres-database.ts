import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

/** An empty database of its own on the PostgreSQL server that `npm test` starts. */
export class PostgresDatabase {
  readonly name = `hf_${randomUUID().replaceAll('-', '')}`;
  readonly url: string;

  constructor() {
    const url = new URL(serverUrl());
    url.pathname = `/${this.name}`;
    this.url = url.href;
    psql(serverUrl(), `CREATE DATABASE "${this.name}" TEMPLATE template0`);
  }

  /** Rows as lines, their values between bars. */
  sql(text: string): string {
    return psql(this.url, text);
  }

  drop(): void {
    psql(serverUrl(), `DROP DATABASE IF EXISTS "${this.name}" WITH (FORCE)`);
  }
}

function serverUrl(): string {
  const url = process.env.TEST_POSTGRES_URL;
  if (!url) throw new Error('TEST_POSTGRES_URL names no server; run these tests by npm test.');
  return url;
}

function psql(url: string, text: string): string {
  const program = join(process.env.TEST_POSTGRES_PROGRAMS ?? '', 'psql');
  const options = ['-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1', '-d', url];
  return execFileSync(program, options, { input: text, encoding: 'utf8', maxBuffer: 1 << 28 }).trimEnd();
}
