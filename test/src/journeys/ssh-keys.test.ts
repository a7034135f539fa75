import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../actions.js';
import { KeyFixture, keygen } from '../key-fixture.js';
import { systemKey } from '../ssh-actions.js';

let fixture: KeyFixture;

beforeAll(async () => {
  fixture = await KeyFixture.start();
});
afterAll(() => fixture?.server.remove());
afterEach(() => fixture.removeKey());

describe.each(['rsa', 'ed25519', 'ecdsa'] as const)('a generated key of type %s', (key_type) => {
  test('is accepted by ssh-keygen and removed when deleted', async () => {
    const answer = await fixture.api.post('/api/ssh-keys/generate', {
      name: 'mine',
      key_type,
      description: 'text',
    });
    expect(answer.body).toMatchObject({
      success: true,
      ssh_key: { name: 'mine', description: 'text', key_type, is_system_key: true, is_active: true },
    });
    expect(answer.status).toBe(201);
    const { public_key, fingerprint } = answer.body.ssh_key;
    const file = join(fixture.keys, `generated-${key_type}.pub`);
    writeFileSync(file, `${public_key}\n`);
    const [bits, printed] = keygen('-lf', file).split(' ');
    expect(printed).toBe(fingerprint);
    expect(Number(bits)).toBeGreaterThanOrEqual({ rsa: 3072, ed25519: 256, ecdsa: 256 }[key_type]);
    await fixture.expectKeyAsOf(file, key_type);
    const deleted = await fixture.api.delete(`/api/ssh-keys/${answer.body.ssh_key.id}`);
    expect(deleted.body).toMatchObject({ success: true });
    expect(fixture.inSshFolder()).toEqual([]);
    expect(await systemKey(fixture.api)).toBeNull();
  });
});

test('refuses a second key', async () => {
  const answer = await fixture.api.post('/api/ssh-keys/generate', { name: 'one', key_type: 'ed25519' });
  expect(answer.status).toBe(201);
  const file = fixture.makeKey('-t', 'ecdsa', '-N', '');
  expectRefusal(await fixture.api.post('/api/ssh-keys/generate', { name: 'two' }), 409);
  expectRefusal(await fixture.importKey(file), 409);
  expect(await systemKey(fixture.api)).toMatchObject({
    name: 'one',
    fingerprint: answer.body.ssh_key.fingerprint,
  });
});

test('keeps exactly one of many concurrent keys', async () => {
  const tries = Array.from({ length: 6 }, (_, n) =>
    fixture.api.post('/api/ssh-keys/generate', {
      name: `key ${n}`,
      key_type: n % 2 === 0 ? 'ecdsa' : 'ed25519',
    }),
  );
  const answers = await Promise.all(tries);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  const made = answers.find(({ status }) => status === 201)?.body.ssh_key;
  expect(await systemKey(fixture.api)).toMatchObject({ id: made.id, fingerprint: made.fingerprint });
  expect(fixture.inSshFolder()).toEqual([`holdfast_${made.key_type}`, `holdfast_${made.key_type}.pub`]);
});

test('writes the files again at the start', async () => {
  const { body } = await fixture.api.post('/api/ssh-keys/generate', { name: 'k', key_type: 'ed25519' });
  const file = join(fixture.sshFolder, 'holdfast_ed25519');
  const content = readFileSync(file);
  await fixture.server.stop();
  execFileSync('rm', ['-rf', fixture.sshFolder]);
  await fixture.server.launch();
  fixture.api = await fixture.server.login();
  expect(readFileSync(file).equals(content)).toBe(true);
  expect((statSync(file).mode & 0o7777).toString(8)).toBe('600');
  expect((await systemKey(fixture.api))?.fingerprint).toBe(body.ssh_key.fingerprint);
});

test('never changes files of others', async () => {
  mkdirSync(fixture.sshFolder, { recursive: true });
  const theirs = join(fixture.sshFolder, 'holdfast_ecdsa');
  const own = join(fixture.sshFolder, 'id_ed25519');
  for (const file of [theirs, own]) {
    writeFileSync(file, 'the key of somebody\n', { mode: 0o640 });
    fixture.give(file);
  }
  const { body, status } = await fixture.api.post('/api/ssh-keys/generate', { name: 'k', key_type: 'ecdsa' });
  expect(status).toBe(201);
  await fixture.restart();
  expect((await systemKey(fixture.api))?.fingerprint).toBe(body.ssh_key.fingerprint);
  expect(fixture.server.log).toContain('holdfast_ecdsa');
  expect((await fixture.api.delete(`/api/ssh-keys/${body.ssh_key.id}`)).status).toBe(200);
  for (const file of [theirs, own]) {
    expect(readFileSync(file, 'utf8')).toBe('the key of somebody\n');
    expect((statSync(file).mode & 0o7777).toString(8)).toBe('640');
  }
  expect(fixture.inSshFolder()).toEqual(['holdfast_ecdsa', 'id_ed25519']);
  for (const file of [theirs, own]) execFileSync('rm', [file]);
});

test('lets other users only read', async () => {
  await fixture.api.post('/api/auth/users', { username: 'anna', password: 'a password for anna' });
  const anna = await fixture.server.login('anna', 'a password for anna');
  expect((await anna.get('/api/ssh-keys/system-key')).body).toMatchObject({ exists: false, ssh_key: null });
  expect((await anna.get('/api/ssh-keys/connections')).body).toEqual({ success: true, connections: [] });
  const setup = { name: 'k', host: '127.0.0.1', username: 'u', password: 'p' };
  expectRefusal(await anna.post('/api/ssh-keys/generate', { name: 'k' }), 403);
  expectRefusal(await anna.post('/api/ssh-keys/import', { name: 'k', private_key_path: '/etc/hosts' }), 403);
  expectRefusal(await anna.post('/api/ssh-keys/quick-setup', setup), 403);
  expectRefusal(await anna.post('/api/ssh-keys', { name: 'k', private_key: 'k' }), 403);
  expectRefusal(await anna.put('/api/ssh-keys/1', { name: 'k' }), 403);
  expectRefusal(await anna.post('/api/ssh-keys/1/test-connection', { host: 'h', username: 'u' }), 403);
  expectRefusal(await anna.delete('/api/ssh-keys/1'), 403);
  expectRefusal(await anna.get('/api/ssh-keys/connections/1/browse'), 403);
  expectRefusal(await anna.post('/api/ssh-keys/connections/1/accept-host-key', { fingerprint: 'x' }), 403);
});

test('creates a key without a connection by skip_deployment', async () => {
  const answer = await fixture.api.post('/api/ssh-keys/quick-setup', {
    name: 'alone',
    key_type: 'ecdsa',
    skip_deployment: true,
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({ success: true, ssh_key: { name: 'alone', key_type: 'ecdsa' } });
  expect(answer.body).not.toHaveProperty('connection');
  expect(await systemKey(fixture.api)).toMatchObject({ connection_count: 0, active_connections: 0 });
});

test('lets a read-only token test connections but change nothing', async () => {
  const { body } = await fixture.api.post('/api/auth/tokens', { name: 'reader', read_only: true });
  const reader = fixture.api.as(body.access_token);
  expectRefusal(await reader.post('/api/ssh-keys/connections/1/test'), 404);
  expectRefusal(await reader.post('/api/ssh-keys/connections/1/refresh-storage'), 403);
  expectRefusal(await reader.post('/api/ssh-keys/connections/1/redeploy', { password: 'p' }), 403);
  expectRefusal(await reader.put('/api/ssh-keys/connections/1', { port: 22 }), 403);
  expectRefusal(await reader.delete('/api/ssh-keys/connections/1'), 403);
});

test('imports, renames, describes and disables a key sent as text', async () => {
  const file = fixture.makeKey('-t', 'ed25519', '-N', 'opens it');
  const sent = { name: 'sent', private_key: readFileSync(file, 'utf8') };
  expectRefusal(await fixture.api.post('/api/ssh-keys', sent), 400, /encrypted.*passphrase/);
  const made = await fixture.api.post('/api/ssh-keys', { ...sent, passphrase: 'opens it' });
  expect([made.status, made.body.ssh_key.key_type]).toEqual([201, 'ed25519']);
  await fixture.expectKeyAsOf(`${file}.pub`, 'ed25519');
  const path = `/api/ssh-keys/${made.body.ssh_key.id}`;
  const changed = await fixture.api.put(path, { name: 'other', description: 'text', is_active: false });
  expect(changed.body.ssh_key).toMatchObject({ name: 'other', description: 'text', is_active: false });
  expectRefusal(await fixture.api.put(path, { name: null }), 400, /name/i);
  const deployed = await fixture.api.post(`${path}/deploy`, {
    host: '127.0.0.1',
    port: 1,
    username: 'u',
    password: 'p',
  });
  expectRefusal(deployed, 409, /turned off/);
  expect((await fixture.api.get(path)).body.ssh_key).toMatchObject({ name: 'other', connections: [] });
  expectRefusal(await fixture.api.get('/api/ssh-keys/4711'), 404);
});
