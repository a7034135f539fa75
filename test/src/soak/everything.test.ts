import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { passphrase } from '../actions.js';
import type { Api } from '../api.js';
import { brokenIn } from '../invariants/invariants.js';
import { holdersIn, survey } from '../invariants/survey.js';
import { isDeep } from '../lane.js';
import { randomNumbers } from '../oracles/random.js';
import { HttpSink, replyWith, webhookUrl } from '../services/http-sink.js';
import { waitFor } from '../wait-for.js';
import { Fleet } from './fleet.js';
import { type Planned, plan } from './ledger.js';
import { drawnByWeight, mishaps } from './mishaps.js';
import { People } from './people.js';
import { SharedStores } from './shared-stores.js';
import { soakMinutes, soakSeed } from './soak-options.js';

const minutes = soakMinutes ?? (isDeep ? 5 : 0.75);
const [wishEveryMs, mishapEveryMs, slotEveryMs] = [4_000, 7_000, 10_000];
/** For the end of all that was begun, on a machine with other work to do. */
const patienceMs = 300_000;

const fleet = new Fleet({ ownDatabase: true });
let stores: SharedStores;
let sink: HttpSink;
let api: Api;
let isSound = false;

/** What happened when, for those who look at a run that failed. */
const note = (text: string) =>
  appendFileSync(join(fleet.workspace.folder('logs'), 'mishaps'), `${new Date().toISOString()} ${text}\n`);

beforeAll(async () => {
  [stores, sink] = await Promise.all([SharedStores.start(), HttpSink.open()]);
  // On a busy machine a first start may take longer than it is waited for.
  const start = () => fleet.start(stores.environment).catch(() => fleet.start(stores.environment));
  api = await (await start()).login();
  await start();
  await start();
  const all = { notify_on_backup_start: true, notify_on_backup_success: true, notify_on_check_success: true };
  const setting = { name: 'all', service_url: webhookUrl(sink), notify_on_restore_success: true, ...all };
  expect((await api.post('/api/notifications', setting)).status).toBe(201);
});
afterAll(async () => {
  if (!isSound) fleet.keep();
  await fleet.remove();
  await sink?.close();
  await stores?.remove();
});

/** Slots one after the other over the whole time. */
async function planSlots(repositories: number[], from: number): Promise<Planned[]> {
  const count = Math.floor((minutes * 60_000) / slotEveryMs);
  const schedules = await fleet.schedules(api, { count, repositories, waits: true });
  const planned = schedules.map((schedule, n) => ({ schedule, at: from + n * slotEveryMs }));
  await plan(stores, planned);
  return planned;
}

async function letThemHappen(until: number, random: () => number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of drawnByWeight(mishaps, random)) {
    if (Date.now() >= until) break;
    await pause(random() * 2 * mishapEveryMs);
    const what = await mishaps[name]?.happen({ fleet, stores, random });
    note(`${name}: ${what}`);
    counts[name] = (counts[name] ?? 0) + 1;
    // The receiver of the messages has its bad moments too.
    sink.answer = replyWith(random() < 0.2 ? 500 : 200);
  }
  sink.answer = replyWith(200);
  return counts;
}

async function isDone(): Promise<boolean> {
  const [row] = await stores.all<{ count: number }>(`SELECT
    (SELECT COUNT(*) FROM job WHERE status IN ('pending', 'running')) +
    (SELECT COUNT(*) FROM slot WHERE outcome IN ('running', 'waiting')) +
    (SELECT COUNT(*) FROM delivery WHERE status IN ('collecting', 'pending')) AS count`);
  const answers = await Promise.all(fleet.servers.map((server) => server.api.get('/health')));
  const areWell = answers.every(({ body }) => body.degraded?.length === 0);
  return areWell && row?.count === 0 && (await holdersIn(stores)).length === 0;
}

test(`three instances, ${minutes} minutes of work and mishaps, seed ${soakSeed}: keeps every invariant`, {
  timeout: minutes * 60_000 + 2 * patienceMs,
}, async () => {
  const names = ['one', 'two', 'three', 'four'];
  const ids = await fleet.repositories(api, names);
  const folder = fleet.workspace.path;
  mkdirSync(join(folder, 'restored'));
  const repositories = ids.map((id, n) => ({ id, path: join(folder, names[n] ?? '') }));
  const began = Date.now();
  const until = began + minutes * 60_000;
  fleet.plug(true);
  const planned = await planSlots(ids, began + 5_000);
  const apiOf = (turn: number) => (fleet.servers[turn % 3] as (typeof fleet.servers)[0]).api.as(api.token);
  const people = new People({ apiOf, repositories, folder, random: randomNumbers(soakSeed) });
  const [happened] = await Promise.all([
    letThemHappen(until, randomNumbers(soakSeed + 1)),
    people.use(until, wishEveryMs),
  ]);
  note('quiet');
  // What does not end is told by the invariants, in more words.
  await waitFor(isDone, { what: 'the end', timeoutMs: patienceMs, intervalMs: 500 }).catch(() => {});

  const { servers, record, dataDirectory } = fleet;
  const world = await survey(
    { servers, record, dataDirectory, folder, sink, passphrase, database: stores, api: apiOf(0) },
    { planned, promised: people.promised, wrongAnswers: people.wrongAnswers },
  );
  const of = (counts: object) => JSON.stringify(counts).replaceAll(/[{}"]/g, '');
  process.stdout.write(
    `soak: ${minutes} minutes, seed ${soakSeed}: ${world.jobs.length} jobs, ${planned.length} slots, ` +
      `${world.deliveries.length} messages; asked for ${of(people.counts)}; happened ${of(happened)}\n`,
  );
  expect(brokenIn(world)).toEqual([]);
  isSound = true;
});
