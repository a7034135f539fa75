import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from '../../scripts/prepare/root.mjs';
import { backUp, passphrase, signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { milliseconds, percentile, seconds } from '../statistics.mjs';
import { fillWithJobs } from './job-list.mjs';

const perSecond = 50;
/** Of a year in which some fifty repositories are backed up every day. */
const usualJobs = 20_000;
const limits = { slower: 50, recovery: 60_000 };

/** What the self-backup costs those who change something meanwhile, and how long a recovery takes. */
export async function recovery({ folder, say }) {
  const filled = async (jobs) => {
    const dataDirectory = join(folder, `recovery-data-${jobs}`);
    mkdirSync(dataDirectory);
    say(`making ${jobs} jobs`);
    await fillWithJobs(dataDirectory, jobs);
    return { dataDirectory, folder, say, jobs };
  };
  const usual = await besideWrites(await filled(usualJobs));
  const large = await filled(settings.jobs);
  await besideWrites(large);
  return [usual, await wholeRecovery(large)];
}

async function besideWrites({ dataDirectory, folder, say, jobs }) {
  const service = await startService(dataDirectory);
  try {
    const api = await signIn(service.url);
    const path = join(folder, `own-${jobs}`);
    const { repository_id } = await api.put('/api/system/self-backup', { enabled: true, path });
    const change = (n) => api.put('/api/schedule/1', { description: `change ${n}` });
    // The first changes after a start are slower.
    await whileWriting(change, () => pause(3_000));
    const quiet = await whileWriting(change, () => pause(settings.writeSeconds * 1_000));
    const end = Date.now() + settings.writeSeconds * 1_000;
    let backups = 0;
    const busy = await whileWriting(change, async () => {
      for (; backups === 0 || Date.now() < end; backups++) await backUp(api, repository_id, 250);
    });
    const [alone, beside] = [quiet, busy].map((times) => percentile(times, 0.99));
    say(
      `${jobs} jobs: p99 of ${quiet.length} changes: ${milliseconds(alone)}; of ${busy.length} beside ${backups} self-backups: ${milliseconds(beside)}`,
    );
    return {
      what: `self-backup of ${jobs} jobs beside ${perSecond} changes a second: p99 - p99 without it`,
      measured: milliseconds(beside - alone),
      limit: milliseconds(limits.slower),
      passed: beside - alone <= limits.slower,
    };
  } finally {
    await service.stop();
  }
}

/** Changes at a steady rate, whether those before have been answered or not. Resolves to their times. */
async function whileWriting(change, work) {
  const times = [];
  const open = new Set();
  let goesOn = true;
  const writing = (async () => {
    const began = performance.now();
    for (let n = 0; goesOn; n++) {
      const planned = began + (n * 1_000) / perSecond;
      await pause(Math.max(0, planned - performance.now()));
      const one = change(n).then(() => times.push(performance.now() - planned));
      open.add(one);
      one.finally(() => open.delete(one)).catch(() => {});
    }
  })();
  await work();
  goesOn = false;
  await writing;
  await Promise.all(open);
  return times;
}

async function wholeRecovery({ dataDirectory, folder, say }) {
  const [copies, repository, base, extracted, recovered] = [
    'copies',
    'copied',
    'base',
    'extracted',
    'recovered',
  ].map((name) => join(folder, name));
  for (const path of [copies, base, extracted]) mkdirSync(path);
  await holdfast(['storage', 'copy', join(copies, 'holdfast-copy')], { DATA_DIR: dataDirectory });
  const env = { PATH: process.env.PATH, HOME: base, BORG_BASE_DIR: base, BORG_PASSPHRASE: passphrase };
  const borg = (cwd, ...words) => promisify(execFile)('borg', words, { cwd, env });
  await borg(copies, 'init', '--encryption=repokey-blake2', repository);
  await borg(copies, 'create', `${repository}::copy`, 'holdfast-copy');
  const bare = await timed(() => borg(extracted, 'extract', '--sparse', `${repository}::copy`));
  const whole = await timed(() =>
    holdfast(
      ['recover', '--repository', repository, '--data-dir', recovered],
      { HOME: base },
      `${passphrase}\n`,
    ),
  );
  say(`recovery ${seconds(whole)}, borg extract ${seconds(bare)}`);
  for (const path of [copies, extracted, recovered]) rmSync(path, { recursive: true });
  return {
    what: `holdfast recover of ${settings.jobs} jobs - borg extract of the same`,
    measured: seconds(whole - bare),
    limit: seconds(limits.recovery),
    passed: whole - bare <= limits.recovery,
  };
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function holdfast(parameters, env, input = '') {
  const entry = join(root, 'server', 'dist', 'main.js');
  const child = spawn(process.execPath, [entry, ...parameters], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(input);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`holdfast ${parameters[0]} ended with ${code}`);
}
