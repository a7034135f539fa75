import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { passphrase } from './service.mjs';

/** borg by hand, with a base folder of its own; its output is read and dropped, as a program would that shows it. */
async function borg(base, parameters) {
  const env = {
    PATH: process.env.PATH,
    HOME: base,
    BORG_BASE_DIR: base,
    BORG_PASSPHRASE: passphrase,
    TZ: 'UTC',
  };
  const child = spawn('borg', parameters, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text) => {
    words = (words + text).slice(-2000);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`borg ${parameters[0]} ended with ${code}: ${words}`);
}

export async function initBare(base, repository) {
  mkdirSync(base, { recursive: true });
  await borg(base, ['init', '--encryption', 'repokey', repository]);
}

/** Milliseconds of one `borg create` with the given flags. */
export async function createBare(base, { repository, archive, source, flags }) {
  const began = performance.now();
  await borg(base, [...flags, `${repository}::${archive}`, source]);
  return performance.now() - began;
}

/**
 * The flags of the `borg create` that the service runs right now, `create` included: from the process itself, so
 * that both sides of the comparison stay the same whatever the service does.
 */
export async function flagsInUse(repository) {
  for (let tries = 0; tries < 1000; tries++) {
    const found = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(wordsOf)
      .find(isCreate(repository));
    if (found) return flagsOf(found, repository);
    await pause(5);
  }
  throw new Error('no borg create of the service was seen');
}

function wordsOf(pid) {
  try {
    return readFileSync(join('/proc', pid, 'cmdline'), 'utf8').split('\0');
  } catch {
    return [];
  }
}

const isBorg = (word) => /(^|\/)borg$/.test(word);
const isCreate = (repository) => (words) =>
  words.some(isBorg) && words.includes('create') && words.some((word) => word.startsWith(`${repository}::`));

/** The words between the program and the archive; a comment names the job, and each side has its own. */
function flagsOf(words, repository) {
  const from = words.findLastIndex((word, n) => isBorg(word) && words.indexOf('create') > n) + 1;
  const to = words.findIndex((word) => word.startsWith(`${repository}::`));
  return words.slice(from, to).filter((word) => word !== '--' && !word.startsWith('--comment'));
}
