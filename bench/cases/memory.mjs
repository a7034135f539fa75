import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { backUp, createRepository, peakMemory } from '../service.mjs';
import { megabytes } from '../statistics.mjs';

const settleMs = 3000;
const growth = 200e6;

/** Resident memory of a service that has just started and answered a few requests. */
export async function idleMemory({ service, api }) {
  await api.get('/api/repositories/');
  await pause(settleMs);
  return service.memory();
}

/** The peak above idle while a backup of large files runs, and while an archive with very many files is listed. */
export async function workingMemory({ service, api, folder, large, wide, entries, idle }) {
  const backup = join(folder, 'memory-large');
  await createRepository(api, { name: 'memory-large', path: backup, source: large });
  const whileBackingUp = await peakMemory(service, backUp(api, backup));
  const listed = join(folder, 'memory-wide');
  await createRepository(api, { name: 'memory-wide', path: listed, source: wide });
  const whileBackingUpWide = await peakMemory(service, backUp(api, listed));
  const whileListing = await peakMemory(service, listCold(api, listed));
  return [
    growthRow('while backing up', Math.max(whileBackingUp, whileBackingUpWide) - idle),
    growthRow(`while listing an archive of ${entries} files`, whileListing - idle),
  ];
}

async function listCold(api, repository) {
  const query = `repository=${encodeURIComponent(repository)}`;
  const { archives } = await api.get(`/api/archives/list?${query}`);
  const archive = encodeURIComponent(archives.at(-1).name);
  const { items } = await api.get(`/api/archives/${archive}/contents?${query}&path=`);
  if (items.length === 0) throw new Error('the listing is empty');
}

function growthRow(when, bytes) {
  return {
    what: `resident memory above idle, ${when}`,
    measured: megabytes(bytes),
    limit: megabytes(growth),
    passed: bytes <= growth,
  };
}
