/** What people see in MongoDB of plans and jobs. The rows of the database decide; the documents follow them. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository, endedJob, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { MemoryRepository } from '../memory-repository.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

const address = new URL(process.env.TEST_MONGODB_URI ?? '');
address.pathname = `/holdfast_test_${randomBytes(6).toString('hex')}`;
const client = new MongoClient(address.href);
const documents = () => client.db().collection('holdfast_jobs');
let server: TestServer;
let api: Api;
let path: string;
let held: MemoryRepository;
let repository: number;

beforeAll(async () => {
  await client
    .db()
    .collection('holdfast_alarms')
    .insertOne({ name: 'alarm', data: { key: 'schedule:1' } });
  server = await TestServer.start({ driver: 'memory', env: { MONGODB_URI: address.href } });
  api = await server.login();
  path = join(server.workspace.path, 'home');
  const source = server.workspace.folder('source');
  makeFiles(source, 3);
  repository = (await createRepository(api, { name: 'home', path, source_directories: [source] })).id;
  held = new MemoryRepository(path);
});
afterAll(async () => {
  await server?.remove();
  await client.db().dropDatabase();
  await client.close();
});

/** Without timers that only wake, which come and go. */
const stored = () =>
  documents()
    .find({ name: { $ne: 'wake-up' } })
    .sort({ _id: 1 })
    .toArray();
const untilStored = (what: string, expected: object[]) =>
  waitFor(
    async () => {
      const found = await stored();
      const isAsExpected = (each: object, index: number) =>
        expect.objectContaining(each).asymmetricMatch(found[index]);
      return found.length === expected.length && expected.every(isAsExpected);
    },
    { what, timeoutMs: 90_000 },
  );
const withoutProgress = (found: Document[]) => found.map(({ progress: _, ...rest }) => rest);
const isDate = expect.any(Date);
const data = (of: object) => expect.objectContaining(of);
const at = (minute: number) => `${minute} 3 1 1 *`;
const schedule = (name: string) => ({
  name: 'schedule',
  nextRunAt: isDate,
  lockedAt: null,
  data: data({ id: 1, name, cron: at(0), zone: 'Europe/Berlin' }),
});
const check = {
  name: 'check schedule',
  nextRunAt: isDate,
  lockedAt: null,
  data: data({ name: 'home', cron: at(5) }),
};
const drill = { ...check, name: 'drill schedule', data: data({ name: 'home', cron: at(6) }) };
const plans = [schedule('nightly'), check, drill];
const backup = (id: number) => ({ name: 'backup', data: data({ id, kind: 'backup', repository: 'home' }) });
const ended = (id: number, status: string) => ({
  name: 'backup',
  nextRunAt: null,
  lockedAt: null,
  lastRunAt: isDate,
  lastFinishedAt: isDate,
  progress: null,
  data: data({ id, kind: 'backup', repository: 'home', status }),
});
const jobsOfService = async () => (await api.get('/api/jobs')).body.jobs.map(({ id }: { id: number }) => id);

test('holds a document of each plan, and no collection of an earlier release', async () => {
  const nightly = {
    name: 'nightly',
    cron_expression: at(0),
    timezone: 'Europe/Berlin',
    repository_id: repository,
  };
  expect((await api.post('/api/schedule/', nightly)).status).toBe(201);
  const settings = `/api/repositories/${repository}`;
  expect((await api.put(`${settings}/check-schedule`, { cron_expression: at(5) })).status).toBe(200);
  expect((await api.put(`${settings}/drill-schedule`, { cron_expression: at(6) })).status).toBe(200);
  await untilStored('the plans', plans);
  const { next_run } = (await api.get('/api/schedule/1')).body.job;
  expect((await documents().findOne({ name: 'schedule' }))?.nextRunAt).toEqual(new Date(next_run));
  expect(await client.db().listCollections({ name: 'holdfast_alarms' }).toArray()).toEqual([]);
});

test('has a document for each job from pending to its end', async () => {
  held.hold();
  const [first, second] = [await startBackup(api, path), await startBackup(api, path)];
  await held.reached();
  const running = { ...backup(first), lockedAt: isDate, lastRunAt: isDate, progress: expect.any(Number) };
  const queued = { ...backup(second), lockedAt: null, nextRunAt: isDate, lastRunAt: null };
  await untilStored('both jobs', [running, queued, ...plans]);
  held.release();
  await endedJob(api, first);
  await endedJob(api, second);
  await untilStored('their ends', [ended(first, 'completed'), ended(second, 'completed'), ...plans]);
});

test('keeps its documents after kill -9 and adds the end after the restart', async () => {
  held.hold();
  const id = await startBackup(api, path);
  await held.reached();
  const done = [ended(1, 'completed'), ended(2, 'completed')];
  await untilStored('the job', [...done, { ...backup(id), lockedAt: isDate }, ...plans]);
  const before = withoutProgress(await stored());
  await server.stop('SIGKILL');
  expect(withoutProgress(await stored())).toEqual(before);
  held.release();
  await server.launch();
  await endedJob(api, id);
  const failed = {
    ...ended(id, 'failed'),
    failedAt: isDate,
    failReason: expect.stringMatching(/^Holdfast stopped|^Interrupted/),
  };
  await untilStored('its end', [...done, failed, ...plans]);
});

/** Whatever happens to MongoDB, the documents come back as they were, and no job is there twice. */
async function expectBack(spoil: () => Promise<unknown>): Promise<void> {
  const [before, known] = [await stored(), await jobsOfService()];
  await spoil();
  await untilStored('the documents of the rows', before);
  expect(await jobsOfService()).toEqual(known);
}
const unknown = [
  { name: 'backup', data: { id: 999, status: 'running' }, nextRunAt: null, lockedAt: new Date(0) },
  { name: 'schedule', data: { key: 'schedule:999', arming: 'x' }, nextRunAt: new Date(0), lockedAt: null },
];
const ofLaterRelease = { type: 'later', 'data.later': { field: 1 }, 'data.name': { en: 'x' } };

test('replaces documents of a newer release and removes those without a row', () =>
  expectBack(async () => {
    await documents().updateMany({}, { $set: ofLaterRelease });
    await documents().insertMany(unknown);
  }));

test('writes all documents again when the collection is dropped', () => expectBack(() => documents().drop()));

const all = [ended(1, 'completed'), ended(2, 'completed'), ended(3, 'failed'), ended(4, 'completed')];

test('follows the rows, and runs nothing, when MongoDB is restored from last week', async () => {
  const due = new Date(Date.now() - 7 * 86_400_000);
  const lastWeek = (await stored()).map((each) => ({ ...each, nextRunAt: each.nextRunAt && due }));
  expect((await api.put('/api/schedule/1', { name: 'renamed' })).status).toBe(200);
  const id = await startBackup(api, path);
  await endedJob(api, id);
  await untilStored('what is new', [...all, schedule('renamed'), check, drill]);
  await expectBack(async () => {
    await documents().deleteMany({});
    await documents().insertMany(lastWeek);
  });
});

test('forgets plans that are switched off or removed', async () => {
  const off = { cron_expression: null };
  expect((await api.put(`/api/repositories/${repository}/check-schedule`, off)).status).toBe(200);
  expect((await api.delete('/api/schedule/1')).status).toBe(200);
  await untilStored('the end of both plans', [...all, drill]);
});
