import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { expectStatus } from '../leaks/drive-accounts.js';
import { LeakWorld } from '../leaks/leak-world.js';
import { type Channel, channels, type Leak } from '../leaks/scan.js';
import { addTalkativePlugin, type Slips } from '../leaks/talkative-plugin.js';

/** One leak for each channel, out of a real service: the gate has to find each of them. */
let world: LeakWorld;
let leaks: Leak[] = [];
let slipsFile = '';
const patience = 900_000;

beforeAll(async () => {
  world = await LeakWorld.start('real', (_, { path }) => {
    slipsFile = `${path}.slips`;
    // Beside the folder of the service, which is searched.
    return { PLUGINS: addTalkativePlugin(`${path}.plugins`), PLUGIN_NOTIFY_TALKATIVE_SLIPS: slipsFile };
  });
  const api = await world.login();
  await world.followEvents(api);
  await slip(api);
  await tellInNames(api);
  await seedStores(api);
  leaks = await world.leaks();
}, patience);
afterAll(async () => {
  await world?.remove();
  for (const end of ['slips', 'plugins']) {
    rmSync(`${world.server.workspace.path}.${end}`, { recursive: true, force: true });
  }
});

const secret = (name: string) => world.book.plant(name);

async function slip(api: Api): Promise<void> {
  const slips: Slips = {
    log: secret('seeded log'),
    temporary: secret('seeded short-lived file'),
    file: secret('seeded file'),
    argument: secret('seeded argument'),
    environment: secret('seeded environment'),
    error: secret('seeded error'),
  };
  writeFileSync(slipsFile, JSON.stringify(slips));
  const told = await api.post('/api/notifications/test', { service_url: 'talkative://somebody' });
  expect(told.body).toMatchObject({ success: false, message: expect.stringContaining('refused') });
}

/** A name goes everywhere, a path into the header of a download, and what a hook says into the log of its job. */
async function tellInNames(api: Api): Promise<void> {
  const { workspace } = world.server;
  const source = workspace.folder('source');
  writeFileSync(join(source, 'file'), 'text');
  const repository = await createRepository(api, {
    name: secret('seeded name'),
    path: join(workspace.path, secret('seeded path')),
    passphrase: secret('a passphrase'),
    source_directories: [source],
    pre_backup_script: `echo ${Buffer.from(secret('seeded job log')).toString('base64')}`,
  });
  const job = await backUp(api, repository.path);
  expect(job.status).toBe('completed');
  expectStatus(await api.get(`/api/backup/logs/${job.id}/download`), 200);
  expectStatus(await api.get(`/api/repositories/${repository.id}/keyfile`), 200);
  const token = world.book.named('the token of the metrics')?.parts[0] ?? null;
  expectStatus(await world.server.api.request('GET', '/metrics', { token }), 200);
  await world.event('backup_success');
}

async function seedStores(api: Api): Promise<void> {
  const row = { name: 'a script', content: 'true', description: secret('seeded row') };
  expectStatus(await api.post('/api/scripts', row), 201);
  await world.stores.seed({ timers: secret('seeded timer'), cache: secret('seeded cache') });
  await world.command(['user', 'reset-password', secret('seeded command line')], 'a password\n');
}

const seeds: [Channel, string][] = [
  ['service log', 'seeded log'],
  ['command line', 'seeded command line'],
  ['job logs', 'seeded job log'],
  ['events', 'seeded name'],
  ['answers', 'seeded error'],
  ['answers', 'seeded path'],
  ['metrics', 'seeded name'],
  ['database', 'seeded row'],
  ['timer store', 'seeded timer'],
  ['cache', 'seeded cache'],
  ['files', 'seeded file'],
  ['temporary files', 'seeded short-lived file'],
  ['arguments', 'seeded argument'],
  ['environments', 'seeded environment'],
];

test.each(seeds)('finds in %s the %s', (channel, name) => {
  expect(leaks.filter((leak) => leak.channel === channel).map((leak) => leak.secret)).toContain(name);
});

test('seeds every channel', () => {
  expect([...new Set(seeds.map(([channel]) => channel))].sort()).toEqual([...channels].sort());
});

test('reports the location and form of a leak', () => {
  const formOf = (name: string, channel?: Channel) =>
    leaks.find((leak) => leak.secret === name && (channel === undefined || leak.channel === channel));
  expect(formOf('seeded log')).toMatchObject({ form: 'base64' });
  expect(formOf('seeded file')).toMatchObject({
    form: 'plain in gzip',
    place: expect.stringMatching(/kept\.gz$/),
  });
  expect(formOf('seeded error', 'answers')).toMatchObject({
    form: 'hex',
    place: 'POST /api/notifications/test: 200',
  });
  const header = leaks.filter((leak) => leak.secret === 'seeded path').map(({ place }) => place);
  expect(header).toContain('GET /api/repositories/:repo_id/keyfile: 200');
});

test('finds nothing that was not seeded', () => {
  const seeded = leaks.filter((leak) => leak.secret.startsWith('seeded '));
  expect(leaks.filter((leak) => !seeded.includes(leak))).toEqual([]);
});
