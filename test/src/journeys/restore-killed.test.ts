import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archived, backUp, createRepository, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { isDeep } from '../lane.js';
import { borgProcesses } from '../processes.js';
import { contentOnly, restoreEnd, snapshot } from '../restore.js';
import { TestServer } from '../server.js';
import type { Database } from '../store/database.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

const files = 1000;
let server: TestServer;
let api: Api;
let database: Database;
let repository: Repository;
let archive: string;
let source: string;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  database = await server.database();
  source = server.workspace.folder('source');
  makeFiles(source, files, 500);
  repository = await createRepository(api, {
    name: 'many',
    path: join(server.workspace.path, 'many'),
    source_directories: [source],
  });
  archive = (await backUp(api, repository.path)).archive_name ?? '';
});
afterAll(() => server?.remove());

/** One restore over files of the same names, and where its working folder is. */
class Restore {
  id = 0;
  readonly destination: string;
  readonly at: string;
  #working = '';

  constructor(name: string) {
    this.destination = server.workspace.folder(name);
    this.at = server.workspace.folder(name, archived(source));
    makeFiles(this.at, files, 10);
  }

  async start(): Promise<void> {
    const { destination } = this;
    const asked = { repository: repository.path, archive, destination, overwrite: true };
    this.id = (await api.post('/api/restore/start', asked)).body.job_id;
  }

  content = (): string[] => snapshot(this.at).map(contentOnly);

  /** Entries of a folder in the working folder; none while it is not there. */
  entries(...parts: string[]): number {
    this.#working ||= this.hidden()[0] ?? '';
    const folder = join(this.destination, this.#working, ...parts);
    return this.#working !== '' && existsSync(folder) ? readdirSync(folder).length : 0;
  }

  hidden = (): string[] => readdirSync(this.destination).filter((name) => name.startsWith('.'));

  async phase(): Promise<string | undefined> {
    const rows = await database.all<{ phase: string }>(
      'SELECT phase FROM restore_run WHERE job_id = ?',
      this.id,
    );
    return rows[0]?.phase;
  }
}

type Point = [when: string, reached: (restore: Restore) => boolean | Promise<boolean>, isMoving: boolean];
const first = archived('/tmp').split('/')[0] ?? '';
const extracted = (restore: Restore) => restore.entries('tree', archived(source));

const points: Point[] = [
  ['it is queued', () => true, false],
  ['it is on record', async (restore) => (await restore.phase()) === 'extracting', false],
  ['its working folder is there', (restore) => restore.hidden().length > 0, false],
  ['the first file is extracted', (restore) => restore.entries('tree', first) > 0, false],
  ['half of the files are', (restore) => extracted(restore) > files / 200, false],
  ['its journal is written', (restore) => restore.entries() > 2, false],
  ['the first file is moved', (restore) => restore.entries('aside') > 0, true],
  ['a third of the files are', (restore) => restore.entries('aside') > files / 3, true],
  ['nearly all files are', (restore) => restore.entries('aside') > files * 0.8, true],
  [
    'its working folder is being removed',
    async (restore) =>
      (await restore.phase()) === 'moving' && restore.entries() > 0 && extracted(restore) === 0,
    true,
  ],
];
/** Those between which something else is at work. */
const telling = ['half of the files are', 'the first file is moved', 'a third of the files are'];
const chosen = isDeep ? points : points.filter(([when]) => telling.includes(when));

test('leaves a destination unchanged or complete after SIGKILL, and reports the result', async () => {
  const restores: Restore[] = [];
  const between: boolean[] = [];
  const complete = snapshot(source).map(contentOnly);
  const before = new Restore('example').content();
  for (const [index, [when, reached, isMoving]] of chosen.entries()) {
    const restore = new Restore(`killed-${index}`);
    restores.push(restore);
    await restore.start();
    await waitFor(() => reached(restore), { what: when, timeoutMs: 30_000, intervalMs: 1 });
    await server.stop('SIGKILL');
    if (isMoving) between.push(![before, complete].some((whole) => `${whole}` === `${restore.content()}`));
    await server.launch();
  }
  // Without this the test would show nothing.
  expect(between).toContain(true);
  for (const [index, restore] of restores.entries()) {
    const job = await restoreEnd(api, restore.id);
    const [when, , isMoving] = chosen[index] as Point;
    const told = `${when}: ${job.status} ${job.error_message}`;
    expect(restore.content(), told).toEqual(job.status === 'completed' ? complete : before);
    if (job.status !== 'completed') expect(told).toMatch(/failed .*target is unchanged/);
    if (isMoving) expect(told).toMatch(/completed/);
    expect(restore.hidden(), told).toEqual([]);
  }
  expect(borgProcesses(server.workspace.path)).toEqual([]);
});
