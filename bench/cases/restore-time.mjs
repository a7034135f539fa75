import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { extractBare, initBare, listBare } from '../bare-borg.mjs';
import { backUp, createRepository, signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { median, ratio, seconds } from '../statistics.mjs';
import { makeWideTree } from '../trees.mjs';

/**
 * A restore of very many small files through the interface, against the listing and the extraction of bare borg, which
 * are what it consists of: pairs, each into new folders, the order changing from pair to pair.
 */
export async function restoreTime({ folder, say }) {
  const [data, source, repository, base] = ['restore-data', 'restored', 'restores', 'restore-base'].map(
    (name) => join(folder, name),
  );
  for (const path of [data, source]) mkdirSync(path);
  makeWideTree(source, settings.restoredFiles);
  const service = await startService(data);
  const api = await signIn(service.url);
  await createRepository(api, { name: 'restores', path: repository, source });
  await backUp(api, repository);
  await initBare(base, join(folder, 'restore-unused'));
  const archive = await archiveOf(api, repository);
  const sides = {
    served: (destination) => restore(api, { repository, archive, destination }),
    bare: (destination) => extractBoth(base, { repository, archive, folder: destination }),
  };
  const pairs = [];
  for (let n = 0; n < settings.pairs; n++) pairs.push(await measurePair(sides, { folder, n, say }));
  await service.stop();
  return [row(pairs)];
}

async function measurePair(sides, { folder, n, say }) {
  const times = {};
  for (const side of n % 2 === 0 ? ['served', 'bare'] : ['bare', 'served']) {
    const destination = join(folder, `restore-${side}`);
    mkdirSync(destination);
    times[side] = await sides[side](destination);
    rmSync(destination, { recursive: true });
  }
  say(`pair ${n + 1}: ${seconds(times.served)} served, ${seconds(times.bare)} bare`);
  return times;
}

async function restore(api, asked) {
  const began = performance.now();
  const { job_id } = await api.post('/api/restore/start', asked);
  for (;;) {
    const { status, error_message } = await api.get(`/api/restore/status/${job_id}`);
    if (status === 'completed') return performance.now() - began;
    if (!['pending', 'running'].includes(status))
      throw new Error(`the restore is ${status}: ${error_message}`);
    await pause(20);
  }
}

async function extractBoth(base, asked) {
  return (await listBare(base, asked)) + (await extractBare(base, asked));
}

async function archiveOf(api, path) {
  const { repositories } = await api.get('/api/repositories/');
  const { id } = repositories.find((each) => each.path === path);
  const { archives } = await api.get(`/api/restore/archives/${id}`);
  return archives[0].name;
}

function row(pairs) {
  const value = median(pairs.map(({ served, bare }) => served / bare));
  return {
    what: `restore of ${settings.restoredFiles} files: served / list and extract of bare borg, median of ${pairs.length} pairs`,
    measured: ratio(value),
    limit: '1.05',
    kept: value <= 1.05,
  };
}
