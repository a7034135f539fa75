import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log, PublishedStates } from '@holdfast/plugin-api';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { MosquittoServer, Observer, openStates, retainedBy, urlOf } from './broker.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
const serve = async (options?: Parameters<typeof MosquittoServer.start>[0]) => {
  const server = await MosquittoServer.start(options);
  closing.push(() => server.remove());
  return server;
};
const logged: string[] = [];
const note = (message: string, fields?: object) =>
  void logged.push(`${message} ${JSON.stringify(fields ?? {})}`);
const log: Log = { debug: note, info: note, warn: note, error: note, child: () => log };
const open = async (configuration: object) => {
  logged.length = 0;
  const states = await openStates(configuration, log);
  closing.push(() => states.stop?.());
  return states;
};
const home = {
  ...{ id: 7, name: 'Home', protected: true, late: false, damaged: false },
  newestArchive: '2026-03-01T02:00:00.000Z',
  lastVerifiedRestore: null,
};
const states: PublishedStates = {
  protected: true,
  state: 'protected',
  text: 'Protected: 1 of 1 repositories.',
  repositories: [home],
};
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 100 });
const well = (publisher: Awaited<ReturnType<typeof open>>) =>
  eventually(async () => expect(await publisher.health?.()).toBeNull());

test('describes each entity to Home Assistant', async () => {
  const server = await serve();
  const publisher = await open({ url: urlOf(server) });
  await publisher.publish(states);
  await well(publisher);
  await eventually(async () => expect((await retainedBy(server)).get('holdfast/status')).toBe('online'));
  const retained = await retainedBy(server);
  expect([...retained.keys()].toSorted()).toEqual([
    'holdfast/repository/7',
    'holdfast/state',
    'holdfast/status',
    'homeassistant/binary_sensor/holdfast/all_protected/config',
    'homeassistant/binary_sensor/holdfast/repository_7_damaged/config',
    'homeassistant/binary_sensor/holdfast/repository_7_late/config',
    'homeassistant/binary_sensor/holdfast/repository_7_protected/config',
    'homeassistant/sensor/holdfast/repository_7_last_verified_restore/config',
    'homeassistant/sensor/holdfast/repository_7_newest_archive/config',
  ]);
  const json = (topic: string) => JSON.parse(retained.get(topic) ?? '');
  expect(json('homeassistant/sensor/holdfast/repository_7_newest_archive/config')).toEqual({
    name: 'Newest archive',
    unique_id: 'holdfast_repository_7_newest_archive',
    state_topic: 'holdfast/repository/7',
    value_template: '{{ value_json.newest_archive }}',
    availability_topic: 'holdfast/status',
    device_class: 'timestamp',
    device: {
      identifiers: ['holdfast_repository_7'],
      name: 'Home',
      manufacturer: 'Holdfast',
      via_device: 'holdfast',
    },
    origin: { name: 'Holdfast' },
  });
  expect(json('homeassistant/binary_sensor/holdfast/all_protected/config')).toMatchObject({
    value_template: "{{ 'ON' if value_json.protected else 'OFF' }}",
    json_attributes_topic: 'holdfast/state',
    device: { identifiers: ['holdfast'], name: 'Holdfast' },
  });
  expect(json('holdfast/state')).toEqual({ protected: true, state: 'protected', text: states.text });
  expect(json('holdfast/repository/7')).toEqual({
    ...{ protected: true, late: false, damaged: false },
    ...{ newest_archive: home.newestArchive, last_verified_restore: null },
  });
});

test('sends everything again at the birth of Home Assistant, and only changes otherwise', async () => {
  const server = await serve();
  const publisher = await open({ url: urlOf(server), prefix: 'ha', node: 'cellar' });
  await publisher.publish(states);
  await eventually(async () => expect((await retainedBy(server)).get('cellar/status')).toBe('online'));
  const observer = await Observer.open(server);
  closing.push(() => observer.close());
  await observer.watch();
  const since = async (act: () => unknown, count: number) => {
    observer.messages.length = 0;
    await act();
    await eventually(() => expect(observer.messages.length).toBeGreaterThanOrEqual(count));
    await new Promise((resolve) => setTimeout(resolve, 300));
    return observer.messages
      .map(({ topic }) => topic)
      .filter((topic) => !/^(observer|ha.status)/.test(topic));
  };
  const changed = { ...states, repositories: [{ ...home, late: true }] };
  expect(await since(() => publisher.publish(changed), 1)).toEqual(['cellar/repository/7']);
  expect(await since(() => observer.publish('ha/status', 'online'), 10)).toHaveLength(9);
  const gone = await since(() => publisher.publish({ ...states, repositories: [] }), 6);
  expect(gone).toHaveLength(6);
  const kept = await retainedBy(server);
  expect([...kept.keys()].filter((topic) => topic.includes('repository'))).toEqual([]);
});

test('leaves topics of others alone', async () => {
  const server = await serve();
  const observer = await Observer.open(server);
  closing.push(() => observer.close());
  const others = [
    'homeassistant/sensor/zigbee/lamp/config',
    'homeassistant/sensor/holdfast2/repository_1_late/config',
    'holdfast/other',
  ];
  for (const topic of others) observer.publish(topic, '{}');
  await observer.watch();
  const publisher = await open({ url: urlOf(server) });
  await publisher.publish(states);
  await eventually(async () => expect((await retainedBy(server)).get('holdfast/status')).toBe('online'));
  expect([...(await retainedBy(server)).keys()]).toEqual(expect.arrayContaining(others));
});

test('sends everything again after a restart of the broker, and logs two lines', async () => {
  const server = await serve();
  const publisher = await open({ url: urlOf(server) });
  await publisher.publish(states);
  await well(publisher);
  await server.stop('SIGKILL');
  await eventually(async () => expect(await publisher.health?.()).toMatch(/can't be used: .+\.$/));
  const changed = { ...states, text: 'Late: 1 of 1 repositories.' };
  await publisher.publish(changed);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await server.launch();
  await eventually(async () =>
    expect((await retainedBy(server)).get('holdfast/state')).toContain(changed.text),
  );
  expect(logged).toEqual([
    expect.stringMatching(/^the MQTT broker cannot be used; retrying/),
    expect.stringMatching(/^the MQTT broker can be used again/),
  ]);
});

test('reports a wrong password, and reads the right one from a file', async () => {
  const password = 'sésame:4711/@';
  const server = await serve({ password });
  const wrong = await open({ url: urlOf(server), user: 'holdfast', password: 'wrong-4711' });
  await eventually(async () =>
    expect(await wrong.health?.()).toMatch(/: it (rejected the user name or the password|does not allow)/),
  );
  expect([...logged, await wrong.health?.()].join()).not.toContain('wrong-4711');
  await wrong.publish(states);
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-mqtt-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'password'), `${password}\n`);
  const url = `mqtt://holdfast@127.0.0.1:${server.port}`;
  await well(await open({ url, passwordFile: join(folder, 'password') }));
  const inUrl = `mqtt://holdfast:${encodeURIComponent(password)}@127.0.0.1:${server.port}`;
  await well(await open({ url: inUrl }));
});

test('gives up on a hanging broker, and uses it later', async () => {
  const server = await serve();
  await server.freeze();
  const publisher = await open({ url: urlOf(server) });
  await eventually(async () => expect(await publisher.health?.()).toMatch(/it does not respond\.$/));
  server.signal('SIGCONT');
  await well(publisher);
});

test('ends a connection that acknowledges nothing, and sends the latest states later', async () => {
  const server = await serve();
  const publisher = await open({ url: urlOf(server) });
  await publisher.publish(states);
  await well(publisher);
  await server.freeze();
  const texts = Array.from({ length: 5 }, (_, n) => `Late: ${n} of 9 repositories.`);
  const start = performance.now();
  await Promise.all(texts.map((text) => publisher.publish({ ...states, text })));
  expect(performance.now() - start).toBeLessThan(10_000);
  expect(await publisher.health?.()).toMatch(/it does not respond\.$/);
  server.signal('SIGCONT');
  await well(publisher);
  await eventually(async () =>
    expect((await retainedBy(server)).get('holdfast/state')).toContain(texts.at(-1)),
  );
});

test('ends a connection with an endless packet', async () => {
  const server = createServer((socket) => {
    const [accepted, longest] = [
      [0x20, 2, 0, 0],
      [0x30, 255, 255, 255, 127],
    ];
    socket.on('error', () => {});
    socket.once('data', () =>
      socket.write(Buffer.from([...accepted, ...longest, ...Buffer.alloc(2_000_000)])),
    );
  });
  closing.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const publisher = await open({ url: `mqtt://127.0.0.1:${port}` });
  await eventually(async () => expect(await publisher.health?.()).toMatch(/more than 1 MB\.$/));
});

describe('with TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-mqtt-tls-'));
  const file = (name: string) => join(folder, name);
  beforeAll(() => {
    const subject = ['-subj', '/CN=own', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'own.key'];
    execFileSync('openssl', ['req', '-x509', ...key, '-out', 'own.pem', '-days', '2', ...subject], {
      cwd: folder,
      stdio: 'ignore',
    });
    return () => rmSync(folder, { recursive: true });
  });

  test('verifies the certificate unless that is turned off', async () => {
    const server = await serve({ tls: { key: file('own.key'), cert: file('own.pem') } });
    const url = urlOf(server, 'mqtts');
    const strict = await open({ url });
    await eventually(async () => expect(await strict.health?.()).toMatch(/can't be used: .*certificate/));
    await well(await open({ url, authorityFile: file('own.pem') }));
    await well(await open({ url, verify: false }));
  });
});
