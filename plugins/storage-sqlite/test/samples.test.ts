/** The housekeeping of samples, on a real database. */

import { allEntities, makeHousekeepingWorker } from '@holdfast/core/server';
import type { Entity, Log } from '@holdfast/plugin-api';
import { expect, it } from 'vitest';
import { openFile } from './open-file.js';
import { temporaryFolder } from './temporary-folder.js';

const inFolder = temporaryFolder();
const day = 86_400_000;
const now = Date.UTC(2032, 0, 1, 12);
const entity = (name: string) => allEntities.find((each) => each.name === name) as Entity;
const [samples, repositories] = [entity('repository_sample'), entity('repository')];
const log: Log = {
  debug() {},
  info() {},
  error() {},
  child: () => log,
  warn: (text) => expect.unreachable(text),
};

it('reduces an hourly year to 90 full days and one sample per earlier day', async () => {
  const { storage, close } = await openFile(inFolder('samples.db'));
  const texts = { tool_id: 't', encryption: 'none', compression: 'lz4', mode: 'full' };
  for (const [n, name] of ['home', 'photos'].entries()) {
    const lists = { source_directories: [], exclude_patterns: [] };
    const row = { ...texts, ...lists, uid: name, name, path: `/${name}`, created_at: 0, updated_at: 0 };
    await storage.insert<Entity>(repositories, row);
    await storage.transaction(async (session) => {
      for (let hours = 0; hours < 365 * 24; hours += 6) {
        const at = now - hours * 3_600_000;
        const sample = { repository_id: n + 1, at, job_id: hours, kind: 'backup', archive_count: 1, took: 1 };
        await session.insert<Entity>(samples, sample);
      }
    });
  }
  let time = now;
  const clock = { now: () => time };
  await makeHousekeepingWorker({ storage, clock, log }).round();
  const rows = async () => (await storage.find<Entity>(samples)) as { repository_id: number; at: number }[];
  const left = await rows();
  const until = Math.floor(now / day) * day - 90 * day;
  for (const repository_id of [1, 2]) {
    const times = left.filter((row) => row.repository_id === repository_id).map(({ at }) => at);
    const old = times.filter((at) => at < until);
    expect(new Set(old.map((at) => Math.floor(at / day))).size).toBe(old.length);
    expect(old).toHaveLength(275);
    // The last one of the day: made at 00, 06, 12 and 18 o'clock.
    expect(new Set(old.map((at) => at % day))).toEqual(new Set([18 * 3_600_000]));
    expect(times.filter((at) => at >= until)).toHaveLength(90 * 4 + 3);
  }
  // Another process that begins now finds nothing to do; a day later one more day is thinned.
  time += 11 * 60_000;
  await makeHousekeepingWorker({ storage, clock, log }).round();
  expect(await rows()).toHaveLength(left.length);
  time += day;
  await makeHousekeepingWorker({ storage, clock, log }).round();
  expect(await rows()).toHaveLength(left.length - 2 * 3);
  await close();
});
