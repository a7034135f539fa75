import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { passphrase } from './service.mjs';

/**
 * Runs borg directly, with its own base folder. Its output is read and dropped, as by a program that displays it.
 * `niceness` as returned by `nicenessOf`.
 */
async function borg(base, parameters, niceness, { cwd, warns = false, input = 'ignore' } = {}) {
  const env = {
    PATH: process.env.PATH,
    HOME: base,
    BORG_BASE_DIR: base,
    BORG_PASSPHRASE: passphrase,
    BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
    TZ: 'UTC',
  };
  const options = { env, cwd, stdio: [input, 'pipe', 'pipe'], detached: true };
  const child = spawn('nice', ['-n', `${niceness?.own ?? 0}`, 'borg', ...parameters], options);
  if (niceness?.session) writeFileSync(`/proc/${child.pid}/autogroup`, niceness.session);
  let errors = '';
  let bytes = 0;
  child.stdout.on('data', (piece) => {
    bytes += piece.length;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(-2000);
  });
  const [code] = await once(child, 'close');
  if (code > (warns ? 1 : 0)) throw new Error(`borg ${parameters[0]} exited with ${code}: ${errors}`);
  return bytes;
}

/** `borg info`, with the niceness of the service's own borg. */
export async function infoBare(base, repository) {
  mkdirSync(base, { recursive: true });
  await borg(base, ['info', repository], {
    own: 15,
    session: existsSync('/proc/self/autogroup') ? '15' : undefined,
  });
}

export async function initBare(base, repository) {
  mkdirSync(base, { recursive: true });
  await borg(base, ['init', '--encryption', 'repokey', repository]);
}

/** Returns the milliseconds of one `borg create` with the given flags. */
export async function createBare(base, { repository, archive, source, like: { flags, niceness } }) {
  const began = performance.now();
  await borg(base, [...flags, `${repository}::${archive}`, source], niceness);
  return performance.now() - began;
}

/** The milliseconds of one `borg create` of what a program prints. */
export async function createFromProgram(base, { repository, program, like }) {
  const flags = like.flags.filter((flag) => !/^--(read-special|pattern)/.test(flag));
  const began = performance.now();
  const [name, ...words] = program;
  const dump = spawn(name, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(dump, 'exit');
  await borg(base, [...flags, `${repository}::archive`, '-'], like.niceness, { input: dump.stdout });
  const [code] = await ended;
  if (code !== 0) throw new Error(`${name} exited with ${code}`);
  return performance.now() - began;
}

/** The milliseconds of one `borg export-tar` of a path, and how many bytes it wrote. */
export async function exportBare(base, { repository, archive, path, niceness }) {
  const began = performance.now();
  const bytes = await borg(base, ['export-tar', `${repository}::${archive}`, '-', path], niceness);
  return { ms: performance.now() - began, bytes };
}

/** The milliseconds of one `borg extract` of these paths into a new folder, which is removed again. */
export async function extractBare(base, { repository, archive, paths, folder, niceness }) {
  mkdirSync(folder);
  const began = performance.now();
  // It warns of each path given like this, found or not.
  const options = { cwd: folder, warns: true };
  await borg(
    base,
    ['extract', `${repository}::${archive}`, ...paths.map((path) => `pf:${path}`)],
    niceness,
    options,
  );
  const ms = performance.now() - began;
  rmSync(folder, { recursive: true });
  return ms;
}

/** The niceness of the `borg extract` that the service is running now. It sees the repository at a place of its own. */
export async function nicenessOfExtract(archive) {
  const isExtract = (args) =>
    args.some(isBorg) && args.includes('extract') && args.some((arg) => arg.endsWith(`::${archive}`));
  return nicenessOf(await pidOf(isExtract, 6000));
}

/** The niceness of the `borg export-tar` that the service is running now. */
export async function currentNiceness(repository) {
  const isExport = (args) =>
    args.some(isBorg) && args.includes('export-tar') && args.some((arg) => arg.startsWith(`${repository}::`));
  return nicenessOf(await pidOf(isExport));
}

async function pidOf(matches, tries = 1000) {
  for (let left = tries; left > 0; left--) {
    const pid = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .find((pid) => matches(argumentsOf(pid)));
    if (pid) return pid;
    await pause(5);
  }
  throw new Error('found no such borg of the service');
}

/**
 * The flags of the `borg create` that the service is running now, including `create`, and its niceness. They are read
 * from the process itself, so both sides of the comparison stay the same whatever the service does.
 */
export async function currentWay(repository) {
  const pid = await pidOf(isCreate(repository));
  return { flags: flagsOf(argumentsOf(pid), repository), niceness: await nicenessOf(pid) };
}

/** Its own niceness, and that of its session if Linux divides the processor between sessions. */
async function nicenessOf(pid) {
  await pause(300); // The service lowers the session once the process is there.
  const own = getPriority(Number(pid));
  const autogroup = `/proc/${pid}/autogroup`;
  const session = existsSync(autogroup)
    ? /nice (-?\d+)/.exec(readFileSync(autogroup, 'utf8'))?.[1]
    : undefined;
  return { own, session };
}

function argumentsOf(pid) {
  try {
    return readFileSync(join('/proc', pid, 'cmdline'), 'utf8').split('\0');
  } catch {
    return [];
  }
}

const isBorg = (arg) => /(^|\/)borg$/.test(arg);
const isCreate = (repository) => (args) =>
  args.some(isBorg) && args.includes('create') && args.some((arg) => arg.startsWith(`${repository}::`));

/** The arguments between the program and the archive. The comment names the job, so each side has its own. */
function flagsOf(args, repository) {
  const from = args.findLastIndex((arg, n) => isBorg(arg) && args.indexOf('create') > n) + 1;
  const to = args.findIndex((arg) => arg.startsWith(`${repository}::`));
  return args.slice(from, to).filter((arg) => arg !== '--' && !arg.startsWith('--comment'));
}
