import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PodmanEngine } from '../../scripts/services/podman.mjs';
import { PostgresServer } from '../../scripts/services/postgres-server.mjs';
import { postgresql } from '../../scripts/services/postgresql.mjs';
import { createFromProgram, currentWay, initBare } from '../bare-borg.mjs';
import { backUp, passphrase, peakMemory, signIn, startService, timedBackUp } from '../service.mjs';
import { settings } from '../settings.mjs';
import { median, megabytes, ratio, seconds } from '../statistics.mjs';
import { idleMemory } from './memory.mjs';

const limits = { time: 1.1, memory: 20e6, down: 1.2 };

/**
 * A database of random text. A backup with its dump against `pg_dump | borg create -` with the same flags, in pairs,
 * each into two new repositories; the memory meanwhile; and how long a container is down while a database in another one
 * is dumped, against the dump alone.
 */
export async function sources({ folder, say }) {
  const { found: programs, stop } = await postgresql.prepare();
  await stop();
  process.env.PATH = `${programs}:${process.env.PATH}`;
  return [...(await dumps({ folder, say, programs })), ...(await downtime({ folder, say, programs }))];
}

/** Lines that neither borg nor a dump can make smaller. */
const fill = (mebibytes) =>
  `CREATE TABLE data (line text);\n\\copy data from program 'head -c ${Math.round(mebibytes * 0.75)}M /dev/urandom | base64 -w 1000'`;

async function dumps({ folder, say, programs }) {
  const server = await PostgresServer.start(programs);
  const dataDirectory = join(folder, 'sources');
  mkdirSync(dataDirectory);
  say(`making a database of ${settings.mebibytes} MiB`);
  execFileSync('psql', ['-Xq', server.url()], { input: fill(settings.mebibytes) });
  const service = await startService(dataDirectory);
  try {
    const api = await signIn(service.url);
    const idle = await idleMemory({ service, api });
    const { hostname, port, username, password } = new URL(server.url());
    const source = { host: hostname, port, user: username, password, databases: 'postgres' };
    const create = (path) =>
      api.post('/api/repositories/', {
        name: path,
        path,
        passphrase,
        sources: [{ kind: 'postgresql', name: 'data', settings: source }],
      });
    const first = join(folder, 'dump-first');
    await create(first);
    const peak = peakMemory(service, backUp(api, first));
    const like = await currentWay(first);
    const memory = (await peak) - idle;
    rmSync(first, { recursive: true });
    const program = ['pg_dump', '-Fc', '-Z0', '-w', server.url()];
    const ratios = [];
    for (let pair = 0; pair < settings.pairs; pair++) {
      const [served, bare, base] = ['served', 'bare', 'base'].map((name) =>
        join(folder, `dump-${pair}-${name}`),
      );
      await create(served);
      await initBare(base, bare);
      const measured = {};
      const steps = [
        async () => (measured.served = await timedBackUp(api, served)),
        async () => (measured.bare = await createFromProgram(base, { repository: bare, program, like })),
      ];
      for (const step of pair % 2 ? steps.reverse() : steps) await step();
      say(`pair ${pair + 1}: ${seconds(measured.served)} served, ${seconds(measured.bare)} bare`);
      ratios.push(measured.served / measured.bare);
      for (const path of [served, bare, base]) rmSync(path, { recursive: true, force: true });
    }
    const value = median(ratios);
    return [
      {
        what: `dump and backup of a database of ${settings.mebibytes} MiB ÷ pg_dump | borg create -, median of ${settings.pairs} pairs`,
        ...{ measured: ratio(value), limit: ratio(limits.time), passed: value <= limits.time },
      },
      {
        what: 'resident memory above idle, meanwhile',
        ...{ measured: megabytes(memory), limit: megabytes(limits.memory), passed: memory <= limits.memory },
      },
    ];
  } finally {
    await service.stop();
    await server.remove();
  }
}

async function downtime({ folder, say, programs }) {
  const engine = await PodmanEngine.start();
  const dataDirectory = join(folder, 'containers');
  mkdirSync(dataDirectory);
  const mebibytes = settings.mebibytes / 4;
  const as = 'runuser -u postgres --';
  const command = `chmod 1777 /tmp; cd /tmp; mkdir -m 700 /data/pg; chown postgres /data/pg
${as} ${programs}/initdb -D /data/pg -U postgres -A trust --no-sync >/dev/null
exec ${as} ${programs}/postgres -D /data/pg -k /tmp -c listen_addresses=`;
  const options = [
    '-v',
    'data:/data',
    '-e',
    'PGHOST=/tmp',
    '-e',
    `PATH=${programs}:/usr/sbin:/usr/bin:/sbin:/bin`,
  ];
  const service = await startService(dataDirectory, {
    env: { PLUGIN_SOURCE_CONTAINER_SOCKET: engine.socket },
  });
  try {
    engine.container('database', { options, command: ['sh', '-c', command] });
    engine.container('application', { command: ['sh', '-c', 'trap "exit 0" TERM; sleep 100000 & wait'] });
    const inside = ['exec', '-i', 'database'];
    say(`making a database of ${mebibytes} MiB in a container`);
    const ready = 'until psql -U postgres -c "SELECT 1" >/dev/null 2>&1; do sleep 0.1; done';
    engine.podman(...inside, 'sh', '-c', ready);
    engine.podman(...inside, 'sh', '-c', `psql -XqU postgres <<'END'\n${fill(mebibytes)}\nEND`);
    const api = await signIn(service.url);
    const path = join(folder, 'down');
    const ratios = [];
    for (let pair = 0; pair < settings.pairs; pair++) {
      await api.post('/api/repositories/', {
        name: `down-${pair}`,
        path: `${path}-${pair}`,
        passphrase,
        sources: [
          { kind: 'container', name: 'application', settings: { stop: 'application' } },
          { kind: 'postgresql', name: 'data', container: 'database', settings: { databases: 'postgres' } },
        ],
      });
      const began = performance.now();
      engine.podman(...inside, 'sh', '-c', 'pg_dump -Fc -Z0 -w -U postgres postgres | cat >/dev/null');
      const bare = performance.now() - began;
      const { id } = await backUp(api, `${path}-${pair}`);
      const [{ prepared_at, released_at }] = (await api.get(`/api/jobs/${id}`)).job.about.sources;
      const down = Date.parse(released_at) - Date.parse(prepared_at);
      say(`pair ${pair + 1}: ${seconds(down)} down, ${seconds(bare)} for the dump alone`);
      ratios.push(down / bare);
    }
    const value = median(ratios);
    return [
      {
        what: `a container is down ÷ the dump of ${mebibytes} MiB alone in another one, median of ${settings.pairs} pairs`,
        ...{ measured: ratio(value), limit: ratio(limits.down), passed: value <= limits.down },
      },
    ];
  } finally {
    await service.stop();
    await engine.remove();
  }
}
