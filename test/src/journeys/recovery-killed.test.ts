/** kill -9 at each durable step of a recovery and of a copy: all or nothing, and the next run goes through. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository } from '../actions.js';
import { type Ended, holdfast } from '../command.js';
import { markedBy, type Point } from '../faults/point.js';
import { isDeep } from '../lane.js';
import { randomNumbers } from '../oracles/random.js';
import { backUpItself, passphraseOf, switchOn } from '../self-backup.js';
import { TestServer } from '../server.js';
import { PostgresDatabase } from '../services/postgres-database.js';
import { makeFiles } from '../trees.js';
import { makeWorkspace } from '../workspace.js';

const workspace = makeWorkspace();
const order = join(workspace.path, 'order');
const PATH = `${process.env.TEST_POSTGRES_PROGRAMS}:${process.env.PATH}`;
/** Of so many, in the short lane. */
const shown = isDeep ? Number.POSITIVE_INFINITY : 4;
const timeout = isDeep ? 3_600_000 : 240_000;

interface Old {
  own: string;
  secret: string;
  server: TestServer;
  database: PostgresDatabase | null;
}

/** A machine with a self-backup, and no longer there. */
async function oldMachine(name: string, database: PostgresDatabase | null): Promise<Old> {
  const env = { PATH, DATABASE_URL: database?.url };
  const server = await TestServer.start({ workspace, dataDirectory: workspace.folder(name), env });
  const api = await server.login();
  const source = workspace.folder(`${name} source`);
  makeFiles(source, 2);
  const path = join(workspace.path, `${name} repository`);
  await createRepository(api, { name: 'home', path, source_directories: [source] });
  const { path: own } = await switchOn(api, { path: join(workspace.path, `${name} own`) });
  expect((await backUpItself(api)).status).toBe('completed');
  const secret = await passphraseOf(server);
  return { own, secret, server, database };
}

/** Runs a command whose durable steps are noted, or that ends itself at one of them. */
async function marked(
  parameters: string[],
  { what, ...how }: { what: object | null; env: Record<string, string | undefined>; input?: string },
): Promise<Ended> {
  if (what) writeFileSync(order, JSON.stringify(what));
  else rmSync(order, { force: true });
  const env = { PATH, HOME: workspace.path, ...markedBy(order, workspace.path), ...how.env };
  return holdfast(parameters, { ...how, env });
}

async function pointsOf(run: (what: object) => Promise<Ended>): Promise<Point[]> {
  const record = join(workspace.path, 'steps');
  rmSync(record, { force: true });
  expect((await run({ record })).code).toBe(0);
  const all = readFileSync(record, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Point);
  const random = randomNumbers(7);
  const drawn = all.map((point) => ({ point, place: random() })).sort((a, b) => a.place - b.place);
  return drawn.slice(0, shown).map(({ point }) => point);
}

let sqlite: Old;
let postgres: Old;
beforeAll(async () => {
  sqlite = await oldMachine('sqlite', null);
  await sqlite.server.stop();
  postgres = await oldMachine('postgres', new PostgresDatabase());
});
afterAll(async () => {
  await postgres?.server.stop();
  postgres?.database?.drop();
  workspace.remove();
});

describe.each(['sqlite', 'postgres'] as const)('a recovery with %s', (kind) => {
  test('is refused by the service after a kill, and completes next time', {
    timeout,
  }, async () => {
    const { own, secret } = kind === 'sqlite' ? sqlite : postgres;
    const folder = join(workspace.path, `new ${kind}`);
    const database = kind === 'postgres' ? new PostgresDatabase() : null;
    const env = { DATABASE_URL: database?.url };
    const recover = (what: object | null) =>
      marked(['recover', '--repository', own, '--data-dir', folder], { what, env, input: `${secret}\n` });
    const empty = () => {
      rmSync(folder, { recursive: true, force: true });
      database?.sql('SET client_min_messages = warning; DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    };
    const points = await pointsOf(recover);
    expect(points.length).toBeGreaterThan(0);
    let died = 0;
    for (const point of points) {
      const at = `${point.side} ${point.label} #${point.nth}`;
      empty();
      const first = await recover(point);
      if (first.code === 0) continue;
      died += 1;
      expect([first.code, at]).toEqual([null, at]);
      // Half of an installation is not started; a whole one is.
      const isHalf = ['.recovery', '.recovery.json'].some((name) => existsSync(join(folder, name)));
      if (isHalf) {
        const start = await marked([], { what: null, env: { ...env, DATA_DIR: folder, PORT: '0' } });
        expect([start.code, start.err], at).toEqual([1, expect.stringContaining('was interrupted')]);
      }
      if (isHalf || !existsSync(join(folder, 'secret_key'))) {
        const second = await recover(null);
        expect([second.code, second.err], at).toEqual([0, '']);
      }
      const verified = await marked(['audit', 'verify'], { what: null, env: { ...env, DATA_DIR: folder } });
      expect([verified.code, verified.err], at).toEqual([0, '']);
      const names = ['secret_key', ...(kind === 'sqlite' ? ['holdfast.db'] : [])].sort();
      const found = readdirSync(folder).filter((name) => !['plugin-data'].includes(name));
      expect(found.filter((name) => !/-(wal|shm)$/.test(name)).sort(), at).toEqual(names);
    }
    expect(died).toBeGreaterThan(0);
    database?.drop();
  });
});

test('leaves no complete-looking copy after a kill, and the next run replaces it', {
  timeout,
}, async () => {
  const { server, database } = postgres;
  const folder = workspace.folder('copies');
  const env = { DATA_DIR: server.dataDirectory, DATABASE_URL: database?.url };
  const copy = (what: object | null) => marked(['storage', 'copy', join(folder, 'copy')], { what, env });
  const points = await pointsOf(copy);
  for (const point of points) {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    const first = await copy(point);
    const isWhole = existsSync(join(folder, 'copy'));
    if (isWhole) expect(existsSync(join(folder, 'copy', 'manifest.json'))).toBe(true);
    else expect([first.code, (await copy(null)).code]).toEqual([null, 0]);
    expect(readdirSync(folder)).toEqual(['copy']);
  }
});
