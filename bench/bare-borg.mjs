import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { passphrase } from './service.mjs';

/**
 * borg by hand, with a base folder of its own; its output is read and dropped, as a program would that shows it.
 * `niceness` as `nicenessOf` tells it.
 */
async function borg(base, parameters, niceness) {
  const env = {
    PATH: process.env.PATH,
    HOME: base,
    BORG_BASE_DIR: base,
    BORG_PASSPHRASE: passphrase,
    TZ: 'UTC',
  };
  const options = { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true };
  const child = spawn('nice', ['-n', `${niceness?.own ?? 0}`, 'borg', ...parameters], options);
  if (niceness?.session) writeFileSync(`/proc/${child.pid}/autogroup`, niceness.session);
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
export async function createBare(base, { repository, archive, source, like: { flags, niceness } }) {
  const began = performance.now();
  await borg(base, [...flags, `${repository}::${archive}`, source], niceness);
  return performance.now() - began;
}

/**
 * The flags of the `borg create` that the service runs right now, `create` included, and its niceness: from the process
 * itself, so that both sides of the comparison stay the same whatever the service does.
 */
export async function wayInUse(repository) {
  for (let tries = 0; tries < 1000; tries++) {
    const pid = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .find((pid) => isCreate(repository)(wordsOf(pid)));
    if (pid) return { flags: flagsOf(wordsOf(pid), repository), niceness: await nicenessOf(pid) };
    await pause(5);
  }
  throw new Error('no borg create of the service was seen');
}

/** Its own, and that of its session where Linux shares the processor between those. */
async function nicenessOf(pid) {
  await pause(300); // The service lowers the session once the process is there.
  const own = getPriority(Number(pid));
  const autogroup = `/proc/${pid}/autogroup`;
  const session = existsSync(autogroup)
    ? /nice (-?\d+)/.exec(readFileSync(autogroup, 'utf8'))?.[1]
    : undefined;
  return { own, session };
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
