import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from '../api.js';
import { holdfast } from '../command.js';
import { TestServer } from '../server.js';
import { SqliteDatabase } from '../store/sqlite-database.js';
import { waitFor } from '../wait-for.js';

let first: TestServer;
let second: TestServer;
let api: Api;
/** The end of the trail at one time, for who wants to put it back. */
let early = { seq: 0, state: '' };
const last = '(SELECT MAX(seq) FROM audit_entry)';
beforeAll(async () => {
  first = await TestServer.start();
  const { workspace, dataDirectory } = first;
  second = await TestServer.start({ workspace, dataDirectory });
  api = await first.login();
});
afterAll(async () => {
  await second?.stop();
  await first?.remove();
});

interface Verdict {
  entries: number;
  anchor: string;
  finding: { seq: number; what: string } | null;
}
async function verify(
  folder = first.dataDirectory,
  more: string[] = [],
): Promise<Verdict & { code: number }> {
  const command = ['audit', 'verify', '--json', ...more];
  const { code, out, err } = await holdfast(command, { env: { DATA_DIR: folder, HOME: folder } });
  expect(err).toBe('');
  return { ...JSON.parse(out), code };
}

/** Calls by several clients at once; the request ids of those that were answered. */
async function burst(server: TestServer, name: string, clients = 6): Promise<string[]> {
  const answered: string[] = [];
  const client = async (number: number) => {
    for (let turn = 0; turn < 6; turn++) {
      const id = `${name}-${number}-${turn}`;
      const headers = { 'x-request-id': id };
      await server.api.request('POST', '/api/auth/tokens', { json: { name: id }, headers, token: api.token });
      answered.push(id);
    }
  };
  const calls = Array.from({ length: clients }, (_, number) => client(number));
  await Promise.allSettled(calls);
  return answered;
}

const open = (folder = first.dataDirectory) => SqliteDatabase.open(join(folder, 'holdfast.db'));
async function rowsOf<T>(sql: string): Promise<T[]> {
  const database = await open();
  return database.all<T>(sql).finally(() => database.close());
}
const requestIds = async () => {
  const rows = await rowsOf<{ request_id: string }>('SELECT request_id FROM audit_entry WHERE action <> ""');
  return new Set(rows.map(({ request_id }) => request_id));
};

test('leaves one complete chain when two services write at once', async () => {
  const [one, two] = await Promise.all([burst(first, 'one'), burst(second, 'two')]);
  expect([one.length, two.length]).toEqual([36, 36]);
  const stored = await requestIds();
  expect([...one, ...two].filter((id) => !stored.has(id))).toEqual([]);
  const { code, finding, entries } = await verify();
  expect([code, finding]).toEqual([0, null]);
  expect(entries).toBeGreaterThan(72);
  const heads = await rowsOf<typeof early>(`SELECT state, ${last} AS seq FROM audit_head`);
  early = heads[0] ?? early;
});

test('leaves an entry for every response of a killed service', async () => {
  const answered = burst(second, 'killed');
  await waitFor(async () => [...(await requestIds())].some((id) => id?.startsWith('killed')), {
    what: 'the first entry',
    timeoutMs: 60_000,
    intervalMs: 10,
  });
  await second.stop('SIGKILL');
  const stored = await requestIds();
  expect((await answered).filter((id) => !stored.has(id))).toEqual([]);
  expect((await verify()).finding).toBeNull();
});

test('continues without delay and reports a trail that cannot be written', async () => {
  const database = await open();
  await database.all(`CREATE TRIGGER test_full BEFORE INSERT ON audit_entry
    BEGIN SELECT RAISE(FAIL, 'no room'); END`);
  const made = await api.post(
    '/api/auth/tokens',
    { name: 'meanwhile' },
    { headers: { 'x-request-id': 'late' } },
  );
  expect(made.status).toBe(201);
  const degraded = async (): Promise<string[]> => (await api.get('/health')).body.degraded;
  const unwell = async () => (await degraded()).some((text) => text.includes('audit trail'));
  await waitFor(unwell, { what: 'a health that tells of it', timeoutMs: 30_000 });
  expect(first.log).toContain('could not write the audit trail');
  await database.all('DROP TRIGGER test_full');
  await database.close();
  await waitFor(async () => (await requestIds()).has('late'), { what: 'the late entry', timeoutMs: 60_000 });
  const well = async () => (await degraded()).length === 0;
  await waitFor(well, { what: 'a good state', timeoutMs: 60_000 });
  expect((await verify()).finding).toBeNull();
});

const others = 'id, at, kind, action, outcome, status, user_id, username, token_id, address, request_id';
const rest = 'method, url, object_kind, object_id, note, previous_hash, hash';
/** What a person with the file could do, and the entry that is bad then; null: the one behind the last. */
const harms: [string, string[], number | null][] = [
  ['an entry was changed', ["UPDATE audit_entry SET username = 'mira' WHERE seq = 30"], 30],
  ['an entry was deleted in the middle', ['DELETE FROM audit_entry WHERE seq = 40'], 40],
  [
    'entries changed places',
    [
      'UPDATE audit_entry SET seq = 0 WHERE seq = 50',
      'UPDATE audit_entry SET seq = 50 WHERE seq = 51',
      'UPDATE audit_entry SET seq = 51 WHERE seq = 0',
    ],
    50,
  ],
  [
    'an entry was put in',
    [
      'UPDATE audit_entry SET seq = -seq WHERE seq >= 60',
      'UPDATE audit_entry SET seq = 1 - seq WHERE seq < 0',
      `INSERT INTO audit_entry (seq, ${others}, ${rest}) SELECT 60, ${others.replace('id', '999999')}, ${rest}
        FROM audit_entry WHERE seq = 59`,
    ],
    60,
  ],
  ['the end was cut off', [`DELETE FROM audit_entry WHERE seq > ${last} - 5`], -4],
  ['the seal is gone as well', [`DELETE FROM audit_entry WHERE seq > 70`, 'DELETE FROM audit_head'], 71],
];

test('finds every change of the file and names the first bad entry', async () => {
  await first.stop();
  const whole = await verify();
  expect(whole.finding).toBeNull();
  const end = Number(whole.anchor.split(':')[0]);
  for (const [index, [what, statements, bad]] of harms.entries()) {
    const folder = join(first.workspace.path, `harmed-${index}`);
    cpSync(first.dataDirectory, folder, { recursive: true });
    const database = await open(folder);
    for (const sql of statements) await database.all(sql);
    await database.close();
    const { code, finding } = await verify(folder);
    const expected = bad !== null && bad > 0 ? bad : end + (bad ?? 0);
    expect([what, code, finding?.seq]).toEqual([what, 1, expected]);
    if (index > 0) continue;
    const told = await holdfast(['audit', 'verify'], { env: { DATA_DIR: folder, HOME: folder } });
    expect(told).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Entry 30 is invalid: it was changed/),
    });
  }
});

test('finds a restored older trail by a remembered entry', async () => {
  const { anchor } = await verify();
  const folder = join(first.workspace.path, 'put-back');
  cpSync(first.dataDirectory, folder, { recursive: true });
  const database = await open(folder);
  await database.all('DELETE FROM audit_entry WHERE seq > ?', early.seq);
  await database.all('UPDATE audit_head SET state = ?', early.state);
  await database.close();
  expect((await verify(folder)).finding).toBeNull();
  const { code, finding } = await verify(folder, ['--anchor', anchor]);
  expect([code, finding?.what]).toEqual([1, expect.stringContaining('recorded')]);
  expect((await verify(first.dataDirectory, ['--anchor', anchor])).code).toBe(0);
});

test('verifies nothing without the secret key and creates none', async () => {
  const folder = join(first.workspace.path, 'empty');
  const { dataDirectory } = first;
  const env = { DATA_DIR: folder, DATABASE_URL: `sqlite:${dataDirectory}/holdfast.db`, HOME: folder };
  const told = await holdfast(['audit', 'verify'], { env });
  expect(told).toMatchObject({ code: 1, err: expect.stringMatching(/^There is no secret key in .*\n$/) });
  expect(existsSync(folder)).toBe(false);
});
