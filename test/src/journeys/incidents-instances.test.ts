/** Three services on one PostgreSQL, one MongoDB and one Redis, killed while they open and close incidents. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, backUp, createRepository, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { MemoryRepository } from '../memory-repository.js';
import { TestServer } from '../server.js';
import { HttpSink, webhookUrl } from '../services/http-sink.js';
import type { Database } from '../store/database.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';

const dayMs = 86_400_000;
/** Enough that a kill comes while they are being written. */
const manyRepositories = 60;
const workspace = makeWorkspace();
const servers: TestServer[] = [];
let sink: HttpSink;
let database: Database;
let home: Repository;

const startOne = () =>
  TestServer.start({ driver: 'memory', workspace, dataDirectory: workspace.folder('data') });

beforeAll(async () => {
  sink = await HttpSink.open();
  servers.push(...(await Promise.all([startOne(), startOne(), startOne()])));
  database = await (servers[0] as TestServer).database();
  const api = await anyone();
  const setting = await api.post('/api/notifications', { name: 'on call', service_url: webhookUrl(sink) });
  expect(setting.status).toBe(201);
});
afterAll(async () => {
  await database?.close();
  await Promise.all(servers.map((server) => server.stop('SIGKILL')));
  await servers[0]?.remove();
  await sink?.close();
});

const anyone = async (): Promise<Api> => (servers[0] as TestServer).login();
const killAll = () => Promise.all(servers.map((server) => server.stop('SIGKILL')));
const launchAll = () => Promise.all(servers.map((server) => server.launch()));

/** How many times each incident was told by messages of a kind; attempts with one id are one message. */
function told(event: string): Map<number, number> {
  const messages = sink.requests
    .map(({ body }) => JSON.parse(body) as { id: string; event: string; data: { incident_id: number } })
    .filter((message) => message.event === event);
  const byId = new Map(messages.map(({ id, data }) => [id, data.incident_id]));
  const counts = new Map<number, number>();
  for (const incident of byId.values()) counts.set(incident, (counts.get(incident) ?? 0) + 1);
  return counts;
}

async function count(table: string, where: string): Promise<number> {
  const [row] = await database.all<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table} WHERE ${where}`);
  return Number(row?.n);
}
const openLate = () => count('incident', "cause = 'late' AND is_open");
const closedLate = () => count('incident', "cause = 'late' AND NOT is_open");
const patiently = (what: string) => ({ what, timeoutMs: 180_000, intervalMs: 5 });

/** Copies a row of a table, once for each set of other values. */
async function copy(table: string, where: string, copies: readonly Record<string, unknown>[]): Promise<void> {
  const [row] = await database.all<Record<string, unknown>>(`SELECT * FROM ${table} WHERE ${where}`);
  if (!row) throw new Error(`no ${table} where ${where}`);
  const { id: _, ...columns } = row;
  for (const other of copies) {
    const values = Object.entries({ ...columns, ...other });
    const names = values.map(([name]) => `"${name}"`).join(', ');
    const marks = values.map(() => '?').join(', ');
    const stored = values.map(([, value]) =>
      value !== null && typeof value === 'object' ? JSON.stringify(value) : value,
    );
    await database.all(`INSERT INTO ${table} (${names}) VALUES (${marks})`, ...stored);
  }
}

const numbers = Array.from({ length: manyRepositories }, (_, n) => n + 1);

test('opens and reports one incident per late repository despite kills of all instances', async () => {
  const api = await anyone();
  const source = workspace.folder('source');
  writeFileSync(join(source, 'file'), 'content');
  const place = join(workspace.path, 'home');
  home = await createRepository(api, {
    name: 'home',
    path: place,
    encryption: 'none',
    source_directories: [source],
    freshness_hours: 24,
  });
  await backUp(api, home.path);
  const judged = async () => (await count('protection_state', "state = 'protected'")) === 1;
  await waitFor(judged, patiently('a judgement'));
  const now = Date.now();
  // As if they were registered long ago and never backed up.
  await copy(
    'repository',
    `id = ${home.id}`,
    numbers.map((n) => ({
      uid: `uid-${n}`,
      name: `many ${n}`,
      path: `${place}-${n}`,
      tool_id: `tool-${n}`,
      created_at: now - 10 * dayMs,
      inventory_at: now,
    })),
  );
  const bare = new MemoryRepository(home.path);
  await bare.delete((await bare.list()).map(({ name }) => name));
  await bare.create('old', now - 3 * dayMs, { source });
  await database.all('UPDATE repository SET inventory_at = 0 WHERE id = ?', home.id);
  expect(await archivesOf(api, home.path)).toHaveLength(1);
  await waitFor(async () => (await openLate()) >= 3, patiently('the first incidents'));
  await killAll();
  const after = await openLate();
  await launchAll();
  await waitFor(async () => (await openLate()) === manyRepositories + 1, patiently('all incidents'));
  await waitFor(() => told('backup_late').size === manyRepositories + 1, patiently('all messages'));
  expect([...told('backup_late').values()]).toEqual(Array(manyRepositories + 1).fill(1));
  expect(await count('incident', "cause = 'late'")).toBe(manyRepositories + 1);
  expect(await count('event', "kind = 'incident_opened'")).toBe(await count('incident', 'TRUE'));
  expect(after).toBeLessThanOrEqual(manyRepositories + 1);
});

test('closes and reports each once after a backup despite two kills', async () => {
  const api = await anyone();
  expect(await backUp(api, home.path)).toMatchObject({ status: 'completed' });
  expect(await archivesOf(api, home.path)).toHaveLength(2);
  const rows = await database.all<{ id: number }>('SELECT id FROM repository WHERE id <> ?', home.id);
  await copy(
    'archive',
    `repository_id = ${home.id} AND name <> 'old'`,
    rows.map(({ id }) => ({ repository_id: id })),
  );
  await waitFor(async () => (await closedLate()) >= 3, patiently('the first endings'));
  await Promise.all(servers.slice(0, 2).map((server) => server.stop('SIGKILL')));
  await waitFor(async () => (await closedLate()) === manyRepositories + 1, patiently('all endings'));
  await waitFor(() => told('backup_on_time_again').size === manyRepositories + 1, patiently('all messages'));
  expect([...told('backup_on_time_again').values()]).toEqual(Array(manyRepositories + 1).fill(1));
  expect([...told('backup_late').values()]).toEqual(Array(manyRepositories + 1).fill(1));
  expect(await openLate()).toBe(0);
  expect(await count('event', "kind = 'incident_closed'")).toBe(await count('incident', 'NOT is_open'));
  await Promise.all(servers.slice(0, 2).map((server) => server.launch()));
});

test('sends one event per change of protection and shows the steps', async () => {
  const api = await anyone();
  const changes = await database.all<{ data: string | { from: string; to: string } }>(
    "SELECT data FROM event WHERE kind = 'protection_changed' AND repository_id = ? ORDER BY id",
    home.id,
  );
  // Its first judgement may have been before its first backup.
  const said = changes
    .map(({ data }) => (typeof data === 'string' ? JSON.parse(data) : data))
    .filter(({ from }) => from !== 'unknown');
  expect(said.map(({ from, to }) => `${from} ${to}`)).toEqual(['protected late', 'late protected']);
  const { body } = await api.get('/api/incidents', { repository_id: `${home.id}`, cause: 'late' });
  expect(body.incidents).toHaveLength(1);
  const thread = await api.get(`/api/incidents/${body.incidents[0].id}`);
  expect(thread.body).toMatchObject({
    cause: 'late',
    open: false,
    object: { kind: 'repository', id: home.id, name: 'home' },
    attempts: { count: 1, last: [{ kind: 'backup', status: 'completed' }] },
    recovery: { code: 'incident_over_late' },
    messages: [
      { event: 'backup_late', setting_name: 'on call', status: 'delivered' },
      { event: 'backup_on_time_again', setting_name: 'on call', status: 'delivered' },
    ],
  });
  const health = await api.request('GET', '/health/protection', { token: null });
  expect([health.status, health.body.status]).toEqual([200, 'protected']);
  for (const { log } of servers) expect(log).not.toMatch(/unhandled promise rejection|uncaught error/);
});
