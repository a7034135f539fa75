import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { randomNumbers } from '../oracles/random.js';
import { waitFor } from '../wait-for.js';
import { Fleet } from './fleet.js';
import { faults, type Planned, plan, unfinished } from './ledger.js';
import { soakMinutes, soakSeed } from './soak-options.js';

const kills = soakMinutes === null ? 4 : 20;
const fleet = new Fleet();
afterEach(({ task }) => {
  if (task.result?.state === 'fail') fleet.keep();
});
afterAll(() => fleet.remove());

const isRunning = async (schedule: number) => {
  const sql = "SELECT id FROM job WHERE schedule_id = ? AND status = 'running'";
  return (await fleet.database.all(sql, schedule)).length > 0;
};

test(`loses no slot and runs none twice when one server is killed ${kills} times`, {
  timeout: 120_000 + kills * 15_000,
}, async () => {
  const random = randomNumbers(soakSeed);
  const server = await fleet.start();
  const api = await server.login();
  const names = Array.from({ length: kills }, (_, n) => `repository-${n}`);
  const repositories = await fleet.repositories(api, names);
  const schedules = await fleet.schedules(api, { count: kills, repositories });
  const planned: Planned[] = [];
  for (const [n, schedule] of schedules.entries()) {
    const instant = { schedule, at: Date.now() + 200 };
    planned.push(instant);
    await plan(fleet.database, [instant]);
    // Every third one is killed around the instant itself, the others while their backup runs.
    const isAround = n % 3 === 2;
    if (!isAround) await waitFor(() => isRunning(schedule), { what: 'a running slot', intervalMs: 10 });
    // The server looks for what is due once a second.
    await pause(random() * (isAround ? 1_500 : 500));
    await server.restart('SIGKILL');
  }
  await waitFor(async () => (await unfinished(fleet.database, planned)) === 0, {
    what: 'the end of all slots and jobs',
    timeoutMs: 120_000,
    intervalMs: 200,
  });
  const { writers } = fleet.record;
  expect(await faults(fleet.database, { planned, writers })).toEqual([]);
  process.stdout.write(
    `soak: ${planned.length} slots, ${kills} kills of one server, seed ${soakSeed}; each once\n`,
  );
});
