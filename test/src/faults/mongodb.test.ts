/** MongoDB down at the start, and killed in the middle of a job, with schedules that are due meanwhile. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MongoServer } from '../../../scripts/services/mongo-server.mjs';
import { createRepository, endedJob } from '../actions.js';
import type { Api } from '../api.js';
import type { TestServer } from '../server.js';
import { Fleet } from '../soak/fleet.js';
import { plan, soon } from '../soak/ledger.js';
import { waitFor } from '../wait-for.js';
import { HeldRepository } from './held-job.js';
import { expectSound, type SystemUnderTest } from './invariants.js';

const fleet = new Fleet();
let mongo: MongoServer;
let server: TestServer;
let api: Api;
let system: SystemUnderTest;
let held: HeldRepository;
let schedules: number[];

beforeAll(async () => {
  mongo = await MongoServer.start(process.env.TEST_MONGOD ?? '');
  await mongo.stop();
  server = await fleet.start({ MONGODB_URI: mongo.uri });
  api = await server.login();
  const repositories = await fleet.repositories(api, ['a', 'b']);
  schedules = await fleet.schedules(api, { count: 6, repositories });
  const { workspace, database } = fleet;
  const source = workspace.folder('source');
  const plain = await createRepository(api, {
    name: 'plain',
    path: join(workspace.path, 'plain'),
    source_directories: [source],
  });
  held = await HeldRepository.make(api, { folder: workspace.path, source, at: 'after' });
  const { record } = fleet;
  system = { server, api, database, record, repository: plain, accepted: [] };
});
afterAll(async () => {
  await fleet.remove();
  await mongo?.remove();
});

const untilWell = (isWell: boolean) =>
  waitFor(async () => ((await server.api.get('/health')).body.degraded.length === 0) === isWell, {
    what: `health ${isWell ? 'without' : 'with'} a word`,
    timeoutMs: 30_000,
  });

/** Due in a moment, and run once: no second slot comes of a timer that fires late. */
async function expectRun(...ids: number[]) {
  await plan(fleet.database, ids.map(soon));
  const sql = 'SELECT schedule_id FROM slot WHERE outcome = ?';
  const done = async () => {
    const rows = await fleet.database.all<{ schedule_id: number }>(sql, 'completed');
    return ids.every((id) => rows.filter(({ schedule_id }) => schedule_id === id).length === 1);
  };
  await waitFor(done, { what: `one run of each of the schedules ${ids}`, timeoutMs: 60_000 });
}

test('runs due schedules without MongoDB at the start, and when it is back', async () => {
  await untilWell(false);
  await expectRun(...schedules.slice(0, 2));
  await mongo.launch();
  await untilWell(true);
  await expectRun(...schedules.slice(2, 4));
});

test('runs due schedules and ends the running job after it was killed', async () => {
  const id = await held.begin(api);
  system.accepted.push(id);
  await mongo.stop('SIGKILL');
  await untilWell(false);
  await expectRun(schedules[4] ?? 0);
  held.letGo();
  expect((await endedJob(api, id)).status).toBe('completed');
  await mongo.launch();
  await untilWell(true);
  await expectRun(schedules[5] ?? 0);
  await expectSound(system);
  const [row] = await fleet.database.all<{ count: number }>('SELECT COUNT(*) AS count FROM slot');
  expect(Number(row?.count)).toBe(6);
});
