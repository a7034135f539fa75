import { sshKeyText } from '@holdfast/contracts';
import { describe, expect, test } from 'vitest';
import { appError } from '../accounts/service.js';
import { makeWorld } from './world.js';

const importText = (world: ReturnType<typeof makeWorld>, extra: object) =>
  world.ssh.importKeyText(sshKeyText.parse({ name: 'sent', ...extra }));

describe('views of the key', () => {
  test('return no error without a key', async () => {
    const { ssh } = makeWorld();
    expect(await ssh.getSystemKey()).toEqual({ success: true, exists: false, ssh_key: null });
    expect(await ssh.listKeys()).toEqual({ success: true, ssh_keys: [] });
    await expect(ssh.getKey(1)).rejects.toMatchObject(appError('not_found', /SSH key 1/));
  });

  test('include connection counts and never the private half', async () => {
    const world = makeWorld();
    const { ssh_key } = await world.setUp();
    await world.deploy(ssh_key.id, { host: 'second.example.org', password: 'wrong' });
    const counts = { connection_count: 2, active_connections: 1 };
    const answers = [await world.ssh.getSystemKey(), await world.ssh.listKeys()] as const;
    expect(answers[0]).toMatchObject({ exists: true, ssh_key: { id: ssh_key.id, ...counts } });
    expect(answers[1].ssh_keys).toMatchObject([{ id: ssh_key.id, ...counts }]);
    const one = await world.ssh.getKey(ssh_key.id);
    expect(one.ssh_key.connections).toMatchObject([
      { host: 'nas.example.org', status: 'connected', ssh_key_name: 'system' },
      { host: 'second.example.org', status: 'failed' },
    ]);
    expect(JSON.stringify([answers, one])).not.toMatch(/private/);
  });

  test('assign a connection without a key to the next key on its next use', async () => {
    for (const use of ['testConnection', 'refreshStorage'] as const) {
      const world = makeWorld();
      const { ssh_key } = await world.setUp();
      await world.ssh.deleteKey(ssh_key.id);
      const next = await world.generate({ name: 'next' });
      expect((await world.connections())[0]).toMatchObject({ ssh_key_id: null });
      expect(await world.ssh[use](1)).toMatchObject({ success: false });
      expect((await world.connections())[0]).toMatchObject({
        ssh_key_id: next.ssh_key.id,
        status: 'failed',
      });
    }
  });

  test('clear the description with null or an empty text', async () => {
    const world = makeWorld();
    const { ssh_key } = await world.generate({ description: 'first' });
    for (const description of [null, '']) {
      await world.ssh.updateKey(ssh_key.id, { description: 'some text' });
      const changed = await world.ssh.updateKey(ssh_key.id, { description });
      expect(changed.ssh_key).toMatchObject({ name: 'system', description: null });
    }
    await expect(world.ssh.updateKey(99, { name: 'x' })).rejects.toMatchObject(appError('not_found'));
  });
});

describe('an imported private key', () => {
  test('becomes the system key only with its matching public half', async () => {
    const world = makeWorld();
    for (const public_key of ['public other', 'no key']) {
      await expect(importText(world, { private_key: 'private mine', public_key })).rejects.toMatchObject(
        appError('invalid', /public key/),
      );
    }
    expect(await world.storedKeys()).toEqual([]);
    const answer = await importText(world, { private_key: 'private mine', public_key: 'public mine' });
    expect(answer.ssh_key).toMatchObject({ name: 'sent', public_key: 'type public-mine', description: null });
    expect(world.disk.pair).toMatchObject({ privateKey: 'type private-mine' });
    await expect(importText(world, { private_key: 'private two' })).rejects.toMatchObject(
      appError('conflict', /already exists/),
    );
  });

  test('is refused without repeating any of an invalid text', async () => {
    const world = makeWorld();
    const refusal = importText(world, { private_key: 'something private' });
    await expect(refusal).rejects.toMatchObject(appError('invalid', /^This is not a readable private key/));
    expect(world.disk.pair).toBeNull();
  });
});

test('returns not found for missing connections and keys', async () => {
  const world = makeWorld();
  await world.generate();
  const missing = appError('not_found', /SSH connection 7/);
  const { ssh } = world;
  const calls = [
    () => ssh.testConnection(7),
    () => ssh.refreshStorage(7),
    () => ssh.redeployKey(7, { password: 'p' }),
    () => ssh.deleteConnection(7),
    () => ssh.acceptHostKey(7, `SHA256:${'A'.repeat(43)}`),
    () => ssh.browseConnection(7, {}),
    () => world.update(7, { port: 23 }),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject(missing);
  const noKey = appError('not_found', /SSH key 7/);
  for (const call of [() => ssh.deleteKey(7), () => world.deploy(7), () => world.connect(7)]) {
    await expect(call()).rejects.toMatchObject(noKey);
  }
  expect(world.host.seen).toEqual([]);
});

test.each([
  ['missing', 'not_found'],
  ['permission', 'forbidden'],
  ['refused', 'conflict'],
  ['unreachable', 'unavailable'],
  ['timeout', 'unavailable'],
  ['authentication', 'unavailable'],
  ['protocol', 'unavailable'],
  ['disk_full', 'unavailable'],
] as const)('browsing a host that fails with %s answers %s', async (kind, code) => {
  const world = makeWorld();
  await world.setUp();
  world.host.failing = kind;
  await expect(world.ssh.browseConnection(1, {})).rejects.toMatchObject(appError(code, new RegExp(kind)));
});
