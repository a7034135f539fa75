import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository, type Repository } from '../actions.js';
import type { Answer, Api } from '../api.js';
import { EventReader, type ReadEvent } from '../event-reader.js';
import { MemoryRepository } from '../memory-repository.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';

const workspace = makeWorkspace();
const toolOf = (name: string) => new MemoryRepository(join(workspace.path, name));
let mortal: TestServer;
let other: TestServer;
let api: Api;
let otherApi: Api;
let repository: Repository;

/** Two processes on one database. */
beforeAll(async () => {
  const dataDirectory = join(workspace.path, 'data');
  const options = { driver: 'memory', dataDirectory } as const;
  [mortal, other] = await Promise.all([TestServer.start(options), TestServer.start(options)]);
  api = await mortal.login();
  otherApi = other.api.as(api.token);
  repository = await createRepository(api, place('first'));
}, 60_000);
afterAll(async () => {
  await Promise.all([mortal?.remove(), other?.remove()]);
  workspace.remove();
});

const place = (name: string) => ({
  name,
  path: join(workspace.path, name),
  source_directories: [workspace.folder('source')],
});
type Send = (api: Api) => Promise<Answer>;

/** Sends again for as long as the service says that the first call may still run. */
async function retried(send: Send): Promise<Answer> {
  const answered = async () => {
    const answer = await send(otherApi);
    if (answer.status !== 409) return answer;
    expect(answer.headers['retry-after'], answer.text).toMatch(/^[1-5]$/);
    return null;
  };
  return waitFor(answered, { what: 'an answer to the retry' });
}

test('runs killed calls once, with the retry on any process', async () => {
  const key = (name: string) => ({ headers: { 'idempotency-key': name } });
  const prune: Send = (at) =>
    at.post(`/api/repositories/${repository.id}/prune`, { keep_daily: 7, dry_run: true }, key('prune'));
  const make: Send = (at) =>
    at.post('/api/repositories/', { ...place('second'), encryption: 'none' }, key('make'));
  toolOf('first').hold();
  toolOf('second').hold('init');
  const backup: Send = (at) => at.post('/api/backup/start', { repository_id: repository.id }, key('backup'));
  const first = await backup(api);
  const cutOff = Promise.allSettled([prune(api), make(api)]);
  const pruneJobs = async () =>
    (await otherApi.get(`/api/repositories/${repository.id}/prune-jobs`)).body.jobs as { id: number }[];
  const [job] = await waitFor(async () => (await pruneJobs()).length > 0 && pruneJobs(), {
    what: 'the prune',
  });
  await toolOf('second').reached('init');
  expect((await prune(otherApi)).status).toBe(409);
  await mortal.stop('SIGKILL');
  expect((await cutOff).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  toolOf('first').release();
  toolOf('second').release('init');

  expect(await backup(otherApi)).toMatchObject({
    status: 200,
    body: first.body,
    headers: expect.objectContaining({ 'idempotency-replayed': 'true' }),
  });
  const pruned = await retried(prune);
  expect(pruned).toMatchObject({ status: 200, body: { success: true, job_id: job?.id } });
  expect((await prune(otherApi)).body).toEqual(pruned.body);
  expect(await pruneJobs()).toHaveLength(1);
  const made = await retried(make);
  expect([made.status, made.headers['idempotency-replayed']]).toEqual([201, undefined]);
  expect((await make(otherApi)).body).toEqual(made.body);
  const { repositories } = (await otherApi.get('/api/repositories/')).body;
  expect(repositories.map(({ name }: Repository) => name)).toEqual(['first', 'second']);
}, 90_000);

test('registers the repository of a killed process on the retry', async () => {
  await mortal.launch();
  api = await mortal.login();
  const make: Send = (at) =>
    at.post(
      '/api/repositories/',
      { ...place('third'), encryption: 'repokey', passphrase: 'correct horse' },
      { headers: { 'idempotency-key': 'make-the-third' } },
    );
  toolOf('third').hold('init.made');
  const cutOff = Promise.allSettled([make(api)]);
  await toolOf('third').reached('init.made');
  expect(existsSync(join(workspace.path, 'third', 'repository.json'))).toBe(true);
  await mortal.stop('SIGKILL');
  await cutOff;
  toolOf('third').release('init.made');

  const answer = await retried(make);
  expect(answer).toMatchObject({
    status: 201,
    body: {
      repository: { name: 'third', archive_count: 0 },
      warnings: [expect.stringContaining('was interrupted')],
    },
  });
  const { id } = answer.body.repository;
  const { job_id } = (await otherApi.post('/api/backup/start', { repository_id: id })).body;
  const ended = await waitFor(
    async () => {
      const { body } = await otherApi.get(`/api/backup/status/${job_id}`);
      return /^(completed|failed)/.test(body.status) && body;
    },
    { what: 'a backup into it' },
  );
  expect(ended.status).toMatch(/^completed/);
  expect((await make(otherApi)).body).toEqual(answer.body);
}, 90_000);

const follow = (server: TestServer, place: number) =>
  EventReader.open(`${server.api.baseUrl}/api/events`, {
    authorization: `Bearer ${api.token}`,
    'last-event-id': `${place}`,
  });

/** Names that were accepted, one after the other, until the service is gone or the time is over. */
async function rename(at: Api, { id, names }: { id: number; names: string[] }): Promise<string[]> {
  const accepted: string[] = [];
  for (const name of names) {
    const answer = await at.put(`/api/repositories/${id}`, { name }).catch(() => null);
    if (answer === null) break;
    if (answer.status === 200) accepted.push(name);
  }
  return accepted;
}

async function readUntil(reader: EventReader, isLast: (event: ReadEvent) => boolean): Promise<ReadEvent[]> {
  const events: ReadEvent[] = [];
  for (;;) {
    const event = await reader.next();
    if (event === null) return events;
    if (event.kind !== 'ready') events.push(event);
    if (isLast(event)) return events;
  }
}

test('continues the events of a killed process on the other one', async () => {
  await mortal.launch();
  const names = (who: string) => Array.from({ length: 25 }, (_, n) => `${who} ${n}`);
  const readers = [await follow(mortal, 0), await follow(other, 0)] as const;
  const isEnd = ({ data }: ReadEvent) => data.data?.name === 'the end';
  const [cut, whole] = readers.map((reader) => readUntil(reader, isEnd));
  const writing = [
    rename(mortal.api.as(api.token), { id: 1, names: names('by the mortal') }),
    rename(otherApi, { id: 2, names: names('by the other') }),
  ];
  const changes = async () => {
    const { body } = await otherApi.get('/api/repositories/2');
    return Number(body.repository.name.split(' ').at(-1)) >= 8;
  };
  await waitFor(changes, { what: 'some changes', intervalMs: 5 });
  await mortal.stop('SIGKILL');
  const accepted = (await Promise.all(writing)).flat();
  const before = (await cut) ?? [];
  expect(before.length).toBeGreaterThan(0);
  const resumed = await follow(other, before.at(-1)?.id ?? 0);
  await otherApi.put('/api/repositories/1', { name: 'the end' });
  const story = [...before, ...(await readUntil(resumed, isEnd))];

  expect(story.map(({ id }) => id)).toEqual(story.map((_, n) => n + 1));
  expect(await whole).toEqual(story);
  const told = story.map(({ data }) => data.data.name);
  for (const name of accepted) expect(told.filter((each) => each === name)).toHaveLength(1);
}, 90_000);
