/** Databases and containers on a host that is reached over SSH. */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp } from '../actions.js';
import { endedRestore } from '../restore.js';
import { type SourceHost, startSourceHost } from '../source-host.js';

let postgres: SourceHost['postgres'];
let host: SourceHost['host'];
let repository: SourceHost['repository'];
let database: SourceHost['database'];
let expectWhole: SourceHost['expectWhole'];
let sources: SourceHost;
/** More than fits into a pipe. */
const rows = 30_000;

beforeAll(async () => {
  sources = await startSourceHost(rows);
  ({ postgres, host, repository, database, expectWhole } = sources);
});
afterAll(() => sources?.remove());

test('backs up databases and files of a host, and leaves nothing behind', async () => {
  const job = await backUp(host.api, repository.path);
  await expectWhole(job);
  const folder = host.server.workspace.folder('dump');
  host.borg(['extract', `${repository.path}::${job.archive_name}`, 'holdfast-sources'], folder);
  const dump = join(folder, 'holdfast-sources/postgresql/orders/postgres.dump');
  const script = join(folder, 'orders.sql');
  execFileSync('pg_restore', ['--data-only', `--file=${script}`, dump]);
  const lines = readFileSync(script, 'utf8').split('\n');
  expect(lines.filter((line) => /^\d+\t/.test(line))).toHaveLength(rows);
});

test('checks sources of a host, and restores their dumps there', async () => {
  const check = async (files: string) => {
    const source = { kind: 'sqlite', name: 'letters', settings: { files } };
    const { body } = await host.api.post('/api/sources/check', { source, connection_id: host.connection.id });
    return body.findings.map(({ status }: { status: string }) => status);
  };
  expect([await check(database), await check('/nowhere/*.db')]).toEqual([['ok'], ['failed']]);

  const { archive_name: archive } = await backUp(host.api, repository.path);
  const restore = async (path: string, into: string) => {
    const input = { repository: repository.path, archive, path: `holdfast-sources/${path}`, into };
    const job = await endedRestore(host.api, await host.api.post('/api/restore/dump', input));
    return [job.status, job.error_message];
  };
  const dump = `sqlite/letters/${encodeURIComponent(database)}`;
  expect(await restore(dump, 'back.db')).toEqual(['completed', null]);
  const back = join(dirname(database), 'back.db');
  expect(execFileSync('sqlite3', [back, 'SELECT text FROM letters'], { encoding: 'utf8' }).trim()).toBe(
    'Dear Ann',
  );
  expect(statSync(back).uid).toBe(host.sshd.account.uid);
  expect(await restore(dump, 'back.db')).toEqual(['failed', expect.stringContaining('exists')]);
  expect(await restore('postgresql/orders/postgres.dump', 'back')).toEqual(['completed', null]);
  expect(postgres.sql('SELECT count(*) FROM orders', 'back')).toBe(`${rows}`);
  postgres.sql('DROP DATABASE back');
});

test('backs up a database of a host without any folder', async () => {
  const sources = [{ kind: 'sqlite', name: 'letters', settings: { files: database } }];
  const flags = { custom_flags: '--one-file-system' };
  const { path } = await host.create('letters', { source_directories: [], sources, ...flags });
  const { status, error_message, archive_name } = await backUp(host.api, path);
  expect([status, error_message]).toEqual(['completed', null]);
  const listed = host.borg(['list', '--short', `${path}::${archive_name}`]);
  expect(listed.trim()).toBe(`holdfast-sources/sqlite/letters/${encodeURIComponent(database)}`);
});
