import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../api.js';
import { driveAccounts, expectStatus } from '../leaks/drive-accounts.js';
import { driveBackups } from '../leaks/drive-backups.js';
import { driveExchange } from '../leaks/drive-exchange.js';
import { chatServices, driveDeliveries, driveNotifications } from '../leaks/drive-notifications.js';
import { driveSsh } from '../leaks/drive-ssh.js';
import { LeakWorld, type Stores } from '../leaks/leak-world.js';
import { channels, type Leak } from '../leaks/scan.js';
import { sweep } from '../leaks/sweep.js';
import { AppriseServer } from '../services/apprise.js';
import { HttpSink } from '../services/http-sink.js';

/** A busy machine takes long for it. */
const patience = 900_000;

/** The stores of the combination that is tested. */
const stores: Stores = process.env.TEST_COMBINATION === 'postgres-mongodb-redis' ? 'real' : 'embedded';

describe(`everything that a service does, with ${stores} stores`, () => {
  let apprise: AppriseServer;
  let world: LeakWorld;
  let sink: HttpSink | undefined;
  let leaks: Leak[] = [];

  beforeAll(async () => {
    apprise = await AppriseServer.start();
    sink = await HttpSink.open();
    const services = chatServices(sink);
    world = await LeakWorld.start(stores, () => ({ APPRISE_API_URL: apprise.url, ...services }));
    const api = await world.login();
    await world.followEvents(api);
    const user = await driveAccounts(world, api);
    await driveNotifications(world, { api, sink });
    await Promise.all([driveBackups(world, api), stores === 'embedded' && driveSsh(world, api)]);
    await driveExchange(world, api);
    await driveSettings(world, api);
    await driveDeliveries(api);
    await world.snapshot();
    await sweep(world, { api, user });
    expectStatus(await api.post('/api/cache/clear'), 200);
    await world.command(['doctor']);
    const password = world.book.plant('the password that is set by hand');
    await world.command(['user', 'reset-password', 'bob'], `${password}\n`);
    leaks = await world.leaks();
  }, patience);
  afterAll(async () => {
    await world?.remove();
    await sink?.close();
    await apprise?.stop();
  });

  test('reveals no secret', () => {
    // A report cuts objects short.
    expect(leaks.map((leak) => JSON.stringify(leak))).toEqual([]);
  });

  test('searches every channel and sees all activity', () => {
    const searched = new Set(world.seen.materials.map(({ channel }) => channel));
    const elsewhere = stores === 'real' ? [] : ['timer store', 'cache'];
    expect(channels.filter((channel) => !searched.has(channel) && !elsewhere.includes(channel))).toEqual([]);
    const commands = world.seen.processes.map(({ command }) => command);
    expect(commands.some((command) => /borg .*create/.test(command))).toBe(true);
    expect(world.server.log).toContain('/api/archives/download');
  });

  test('reaches every route of the contracts', () => {
    const ssh = /\/ssh-keys/;
    const missing = world.exchanges.unreached().filter((name) => stores === 'embedded' || !ssh.test(name));
    expect(missing).toEqual([]);
  });

  test('leaves no key files except those in use', () => {
    const lasting = stores === 'embedded' ? ['data/.ssh/holdfast_ed25519', 'data/secret_key'] : [];
    const files = world.keyFiles().filter((file) => !file.endsWith('.pub'));
    expect(files.sort()).toEqual(lasting);
  });
});

async function driveSettings(world: LeakWorld, api: Api): Promise<void> {
  const password = world.book.plant('the password of a cache that is not there');
  const url = `redis://:${password}@127.0.0.1:1/0`;
  expectStatus(await api.put('/api/settings/cache', { url }), 400, 409, 503);
  expectStatus(await api.put('/api/settings/cache', { ttl_seconds: 600 }), 200);
  expectStatus(await api.get('/api/cache/stats'), 200);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  expectStatus(await api.post('/api/incidents/1/snooze', { until, reason: 'why' }), 200, 404, 409);
  expectStatus(await api.delete('/api/incidents/1/snooze'), 200, 404, 409);
}
