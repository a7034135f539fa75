import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, orphanWorks } from './orphan.mjs';
import { root } from './root.mjs';
import { say } from './say.mjs';

const lockFile = join(root, '.cache', 'prepare.lock');
const heartbeatMs = 2000;
const staleMs = 20_000;

/** Runs `work` while no other process of this tree prepares. The lock of a dead owner is taken over. */
export async function whileLocked(work) {
  await take();
  const release = () => rmSync(lockFile, { force: true });
  const heartbeat = setInterval(() => utimes(lockFile, new Date(), new Date(), () => {}), heartbeatMs);
  process.on('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.off('exit', release);
    release();
  }
}

async function take() {
  mkdirSync(dirname(lockFile), { recursive: true });
  const mine = `${process.pid} ${hostname()} ${Date.now()}`;
  for (let waited = false; ; waited = true) {
    try {
      writeFileSync(lockFile, mine, { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (removeIfStale()) continue;
    if (!waited) say('Another process is preparing this folder: waiting for it.');
    await pause(200);
  }
}

function removeIfStale() {
  try {
    const content = readFileSync(lockFile, 'utf8');
    if (!isStale(content, statSync(lockFile).mtimeMs)) return false;
    // Renamed first: of two processes that see the same stale lock, only one gets it.
    const aside = `${lockFile}.${process.pid}`;
    renameSync(lockFile, aside);
    const took = readFileSync(aside, 'utf8');
    if (took !== content) renameSync(aside, lockFile);
    else rmSync(aside, { force: true });
    return true;
  } catch (error) {
    if (error.code === 'ENOENT') return true;
    throw error;
  }
}

function isStale(content, touchedAt) {
  if (orphanWorks()) return false;
  if (Date.now() - touchedAt > staleMs) return true;
  const [pid, host] = content.split(' ');
  return host === hostname() && !isAlive(Number(pid));
}
