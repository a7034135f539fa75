import type { LedgerJob, LedgerPlan, WorkLedger } from '@holdfast/plugin-api';
import { type Document, MongoClient, type ObjectId } from 'mongodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listFired, until } from './fired-list.js';
import { dropDatabase, type MongoTimers, newDatabase, startClock } from './mongodb.js';

let uri: string;
let client: MongoClient;
const started: MongoTimers[] = [];
const documents = () => client.db().collection<Document>('holdfast_jobs');

beforeEach(() => {
  uri = newDatabase();
  client = new MongoClient(uri);
});
afterEach(async () => {
  for (const timers of started.splice(0)) await timers.stop?.();
  await client.close();
  await dropDatabase(uri);
});

async function start(): Promise<{ timers: MongoTimers; ledger: WorkLedger }> {
  const timers = await startClock(uri);
  started.push(timers);
  if (!timers.ledger) throw new Error('no ledger');
  return { timers, ledger: timers.ledger };
}
const all = { below: Number.POSITIVE_INFINITY, limit: 100 };
const plan = (at: number): LedgerPlan => ({
  kind: 'schedule',
  id: 7,
  key: 'schedule:7',
  name: 'nightly',
  cron: '0 3 * * *',
  zone: 'UTC',
  at,
  lastRun: null,
});
const job: LedgerJob = {
  id: 7,
  kind: 'backup',
  repository: 'home',
  status: 'running',
  queuedAt: 1_000,
  startedAt: 2_000,
  endedAt: null,
  progress: 40,
  problem: null,
};

it('writes plans and jobs as Agenda does', async () => {
  const { ledger } = await start();
  const at = Date.now() + 86_400_000;
  await ledger.write([plan(at), job]);
  const [running, planned] = await documents().find().sort({ _id: 1 }).toArray();
  expect(planned).toMatchObject({
    name: 'schedule',
    type: 'normal',
    nextRunAt: new Date(at),
    lockedAt: null,
    lastRunAt: null,
    data: { id: 7, name: 'nightly', cron: '0 3 * * *', zone: 'UTC' },
  });
  const begun = new Date(2_000);
  expect(running).toMatchObject({
    name: 'backup',
    nextRunAt: null,
    lockedAt: begun,
    lastRunAt: begun,
    progress: 40,
    lastFinishedAt: null,
    failReason: null,
    data: { id: 7, kind: 'backup', repository: 'home', status: 'running' },
  });
  const ended = { status: 'failed', endedAt: 3_000, progress: null, problem: 'No room.' };
  await ledger.write([{ ...job, ...ended }]);
  const end = new Date(3_000);
  expect(await documents().findOne({ name: 'backup' })).toMatchObject({
    lockedAt: null,
    lastFinishedAt: end,
    failedAt: end,
    failReason: 'No room.',
    progress: null,
  });
});

it('fires a plan again when its lock ends, until it is written again', async () => {
  const { timers, ledger } = await start();
  const fired = listFired(timers);
  await ledger.write([plan(Date.now())]);
  await until('the plan', 2_000, () => fired.length === 1);
  await until('the plan once more', 15_000, () => fired.length === 2);
  await ledger.write([plan(Date.now() + 86_400_000)]);
  expect((await documents().findOne({ name: 'schedule' }))?.lockedAt).toBeNull();
});

it('does not fire a taken plan at its old time when it is moved', async () => {
  const { timers, ledger } = await start();
  const fired = listFired(timers);
  let at: number;
  do {
    fired.length = 0;
    at = Date.now() + 600;
    await ledger.write([plan(at)]);
    const taken = async () => (await documents().findOne({ name: 'schedule' }))?.lockedAt instanceof Date;
    await until('its lock', 2_000, taken);
  } while (Date.now() > at - 100);
  await ledger.write([plan(at + 700)]);
  await until('the plan', 5_000, () => fired.length === 1);
  expect(Date.now()).toBeGreaterThanOrEqual(at + 700);
});

it('removes old collections and unknown documents, but keeps timers', async () => {
  await client
    .db()
    .collection('holdfast_alarms')
    .insertOne({ name: 'alarm', data: { key: 'schedule:1' } });
  const { timers, ledger } = await start();
  await timers.set('job:1', Date.now() + 86_400_000);
  await ledger.write([plan(Date.now() + 86_400_000), job]);
  const past = { nextRunAt: new Date(0), lockedAt: null };
  await documents().insertMany([
    { ...past, name: 'schedule', data: { key: 'schedule:999', arming: 'x' } },
    { ...past, name: 'wake-up', data: null },
    { ...past, name: 'backup', data: { id: 999, later: { field: 1 } } },
    { ...past, _id: 'text' as unknown as ObjectId, name: 'schedule', data: { key: 'schedule:998' } },
    { ...past, _id: -5 as unknown as ObjectId, name: 5 },
  ]);
  await ledger.read('job', all);
  const names = (await documents().find().toArray()).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['backup', 'schedule', 'wake-up']);
  await until('the end of the earlier collection', 5_000, async () => {
    const collections = await client.db().listCollections().toArray();
    return collections.length === 1 && collections[0]?.name === 'holdfast_jobs';
  });
});

it.each<[string, Document]>([
  ['a later field in its data', { $set: { 'data.later': { field: 1 } } }],
  ['data that is no object', { $set: { data: 'text' } }],
  ['data of another row', { $set: { 'data.id': 8 } }],
  ['no times', { $unset: { nextRunAt: 1, lastRunAt: 1 } }],
  ['times that are none', { $set: { nextRunAt: 'soon', lastRunAt: 5 } }],
])('shows differences in documents with %s and replaces them', async (_, change) => {
  const { ledger } = await start();
  const entries = [plan(Date.now() + 86_400_000), job];
  await ledger.write(entries);
  await documents().updateMany({}, change);
  const stored = async () => [...(await ledger.read('schedule', all)), ...(await ledger.read('job', all))];
  const changed = await stored();
  expect(changed.map(({ id }) => id)).toEqual([7, 7]);
  expect(changed[0]).not.toEqual(entries[0]);
  await ledger.write(entries);
  expect(await stored()).toEqual(entries);
  expect(await documents().countDocuments({ 'data.later': { $exists: true } })).toBe(0);
});

it.each<[string, () => Promise<unknown>]>([
  [
    'two timers have one key',
    () => documents().insertMany([1, 2].map(() => ({ name: 'a', data: { key: 'k' } }))),
  ],
  ['another index has its name', () => documents().createIndex({ other: 1 }, { name: 'timerKey' })],
])('starts where %s', async (_, spoil) => {
  await spoil();
  const { timers } = await start();
  expect(await timers.health?.()).toBeNull();
  await timers.set('key', Date.now() + 86_400_000);
  expect(await documents().indexExists('timerKey')).toBe(true);
});

it('has its indexes again after the collection was dropped', async () => {
  const { timers, ledger } = await start();
  const before = await documents().indexes();
  await documents().drop();
  await ledger.read('job', all);
  expect(await documents().indexes()).toEqual(before);
  const fired = listFired(timers);
  await timers.set('key', 0);
  await until('the timer', 5_000, () => fired.includes('key'));
});
