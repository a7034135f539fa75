import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { backUp, createRepository, signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { milliseconds, percentile } from '../statistics.mjs';

const mounts = 2;
const limit = 50;

/**
 * Signing in and backups while network drives do not answer, against a service whose drives do. Both do the same in
 * turns: schedules and people look at the drives all the time.
 */
export async function deadMounts({ folder, say }) {
  if (!existsSync('/dev/fuse') || process.getuid() !== 0) {
    say('dead-mounts: skipped, because mounting needs root and /dev/fuse');
    return [];
  }
  const places = await Promise.all(['live', 'dead'].map((name) => placeOf(join(folder, name))));
  try {
    for (const server of places[1].servers) server.kill('SIGSTOP');
    const end = performance.now() + settings.deadMinutes * 60_000;
    for (let round = 0; performance.now() < end; round += 1) {
      const turn = round % 2 ? places : [...places].reverse();
      for (const place of turn) await place.signIn();
      if (round % 10 === 0) for (const place of turn) await place.backUp();
      await pause(500);
    }
    return ['signIns', 'backups'].map((what) => rowOf(what, places));
  } finally {
    await Promise.all(places.map((place) => place.remove()));
  }
}

function rowOf(what, [live, dead]) {
  const [as, now] = [live, dead].map((place) => percentile(place[what], 0.99));
  return {
    what: `${what === 'signIns' ? 'signing in' : 'a backup elsewhere'} while ${mounts} drives were dead for ${settings.deadMinutes} min, 99th percentile of ${dead[what].length}, more than ${milliseconds(as)} of live ones`,
    measured: milliseconds(now - as),
    limit: milliseconds(limit),
    passed: now - as <= limit,
  };
}

async function placeOf(folder) {
  const at = (...names) => join(folder, ...names);
  for (const name of ['data', 'source']) mkdirSync(at(name), { recursive: true });
  writeFileSync(at('source', 'file'), 'content');
  const drives = Array.from({ length: mounts }, (_, n) => at(`drive-${n}`));
  const servers = await Promise.all(drives.map((drive, n) => mounted(at(`real-${n}`), drive)));
  const env = { ACCESS_TOKEN_EXPIRE_MINUTES: '525600' };
  const service = await startService(at('data'), { env });
  let api = await signIn(service.url);
  const elsewhere = at('elsewhere');
  await createRepository(api, { name: 'elsewhere', path: elsewhere, source: at('source') });
  for (const [n, drive] of drives.entries()) {
    await createRepository(api, { name: `r${n}`, path: at(`r${n}`), source: drive });
    const cron_expression = '* * * * *';
    await api.post('/api/schedule/', { name: `s${n}`, cron_expression, repository_ids: [n + 2] });
  }
  let running = true;
  const person = (async () => {
    for (; running; await pause(2_000))
      await api
        .post('/api/preflight', { source_directories: drives, path: at('new') })
        .catch(() => undefined);
  })();
  const place = { servers, signIns: [], backups: [] };
  const timed = async (times, work) => {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  };
  return Object.assign(place, {
    // A user has a thousand sessions at most: the oldest one ends.
    signIn: () =>
      timed(place.signIns, async () => {
        api = await signIn(service.url);
      }),
    backUp: () => timed(place.backups, () => backUp(api, elsewhere)),
    async remove() {
      running = false;
      for (const server of servers) server.kill('SIGCONT');
      await person;
      await service.stop();
      for (const server of servers) {
        const ended = once(server, 'exit');
        server.kill('SIGTERM');
        await ended;
      }
    },
  });
}

async function mounted(folder, path) {
  for (const made of [folder, path]) mkdirSync(made);
  writeFileSync(join(folder, 'file'), 'content');
  const server = spawn('bindfs', ['-f', '-o', 'attr_timeout=0,entry_timeout=0', folder, path], {
    stdio: 'ignore',
  });
  while (!readFileSync('/proc/mounts', 'utf8').includes(` ${path} fuse`)) await pause(20);
  return server;
}
