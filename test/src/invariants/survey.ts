import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { archivesOf } from '../actions.js';
import type { Api } from '../api.js';
import { Borg } from '../oracles/borg.js';
import { allProcesses, descendantsOf } from '../processes.js';
import type { TestServer } from '../server.js';
import type { HttpSink } from '../services/http-sink.js';
import type { WriterRecord } from '../soak/writer-record.js';
import type { Database } from '../store/database.js';
import type { JobFact, RepositoryFacts, World } from './world.js';

export interface Installation {
  servers: readonly TestServer[];
  api: Api;
  database: Pick<Database, 'all'>;
  /** Where all repositories and sources are. */
  folder: string;
  dataDirectory: string;
  /** Null: nobody notes who writes. */
  record: WriterRecord | null;
  /** That gets all notifications. Null: there is none. */
  sink: HttpSink | null;
  passphrase?: string;
  /** The clock of the services; default: that of this machine. */
  now?: () => number;
}

/** Known only to those who asked for it. Null: nobody wrote it down. */
export type Asked = Pick<World, 'planned' | 'promised' | 'wrongAnswers'>;

/** Looks at an installation from outside. Lists every repository by the tool itself. */
export async function survey(installation: Installation, asked: Asked): Promise<World> {
  const { database, record, sink, servers, folder } = installation;
  const [jobs, slots, events, deliveries, paths] = [
    await database.all<JobFact>('SELECT * FROM job ORDER BY id'),
    await database.all<World['slots'][number]>('SELECT * FROM slot ORDER BY id'),
    await database.all<World['events'][number]>('SELECT job_id, kind FROM event WHERE job_id IS NOT NULL'),
    await database.all<World['deliveries'][number]>('SELECT message_id, status FROM delivery'),
    await database.all<{ path: string }>('SELECT path FROM repository ORDER BY id'),
  ];
  const repositories: RepositoryFacts[] = [];
  for (const { path } of paths) repositories.push(await repositoryFacts(installation, path, jobs));
  return {
    ...asked,
    slots,
    events,
    deliveries,
    repositories,
    writers: record?.writers ?? null,
    jobs: jobs.map((job) => ({
      ...job,
      parameters: plain(job.parameters) ?? {},
      outcome: plain(job.outcome),
    })),
    holders: await holdersIn(database, installation.now),
    received: sink?.requests.flatMap(({ headers }) => headers['idempotency-key'] ?? []) ?? null,
    processes: leftProcesses(folder, servers),
    files: leftFiles(installation, paths),
    health: await Promise.all(servers.map(async (server) => withoutService(await server.api.get('/health')))),
    logs: servers.map(({ log }) => log),
  };
}

/** SQLite answers JSON as text. */
function plain(value: unknown): Record<string, unknown> | null {
  return typeof value === 'string' ? JSON.parse(value) : (value as Record<string, unknown> | null);
}

function withoutService({ body }: { body: unknown }) {
  const { service: _, ...rest } = body as Record<string, unknown>;
  return rest;
}

/** Readers get no longer places. One that is was given before the clock was set back, and counts no more. */
const readerPlaceMs = 120_000;

export async function holdersIn(database: Pick<Database, 'all'>, now = Date.now): Promise<World['holders']> {
  const lanes = await database.all<{ repository_id: number; holders: unknown }>('SELECT * FROM lane');
  return lanes.flatMap(({ repository_id, holders }) => {
    const all = (typeof holders === 'string' ? JSON.parse(holders) : holders) as {
      id: string;
      until: number;
    }[];
    const lives = (until: number) => until > now() && until <= now() + readerPlaceMs;
    const held = all.filter(({ id, until }) => !id.startsWith('read:') || lives(until));
    return held.map(({ id }) => ({ repository_id, holder: id }));
  });
}

async function repositoryFacts(
  { api, folder, passphrase }: Installation,
  path: string,
  jobs: readonly JobFact[],
): Promise<RepositoryFacts> {
  const listed = (await archivesOf(api, path)).map(({ name }) => name);
  const archives = await new Borg(path, join(folder, 'by-hand'), { passphrase }).list();
  const ids = new Map(jobs.map(({ uid, id }) => [uid, id]));
  const jobOf = (comment: string) =>
    ids.get(/^holdfast:2:[^:]+:[^:]+:(\w+)/.exec(comment)?.[1] ?? '') ?? null;
  return { path, listed, archives: archives.map(({ name, comment }) => ({ name, job: jobOf(comment) })) };
}

/** What the services started, and what works below the folder and is none of them. */
function leftProcesses(folder: string, servers: readonly TestServer[]): string[] {
  const all = allProcesses();
  const known = servers.map(({ pid }) => pid);
  const started = new Set(known.flatMap((pid) => descendantsOf(pid, all).map((each) => each.pid)));
  return all
    .filter(({ pid, parent, command, environment }) => {
      // The children in which a service that works looks at files wait for more to do.
      if (known.includes(parent) && command.startsWith('holdfast-files ')) return false;
      const isOurs = started.has(pid) || command.includes(folder) || environment.includes(folder);
      return isOurs && pid !== process.pid && !known.includes(pid);
    })
    .map(({ pid, command }) => `${pid} ${command.slice(0, 200)}`);
}

/** Locks of repositories, and what restores, listings and keys were put into. */
function leftFiles({ dataDirectory, folder }: Installation, repositories: { path: string }[]): string[] {
  const locks = repositories.flatMap(({ path }) =>
    namesIn(path)
      .filter((name) => name.startsWith('lock.'))
      .map((name) => join(path, name)),
  );
  const restored = join(folder, 'restored');
  const staged = existsSync(restored)
    ? readdirSync(restored, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /(^|\/)\.[^/]*$/.test(name),
      )
    : [];
  const working = ['listing-builds', 'restores'].flatMap((name) =>
    namesIn(join(dataDirectory, name)).map((each) => join(name, each)),
  );
  const keys = join(dataDirectory, 'plugin-data', 'driver-borg', '.keys');
  return [...locks, ...staged, ...working, ...namesIn(keys).flatMap((own) => namesIn(join(keys, own)))];
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);
