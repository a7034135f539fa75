import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  archivesOf,
  backUp,
  createRepository,
  expectRefusal,
  passphrase,
  type Repository,
} from '../actions.js';
import type { Api } from '../api.js';
import { endedMaintenance } from '../maintenance.js';
import { Borg } from '../oracles/borg.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import { type Connection, connectionActions, quickSetup } from '../ssh-actions.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let sshd: TestSshd;
let api: Api;
let user: Api;
let connection: Connection;
let source: string;
let home: Repository;
let far: Repository;

beforeAll(async () => {
  [server, sshd] = await Promise.all([TestServer.start(), TestSshd.start()]);
  api = await server.login();
  await api.post('/api/auth/users', { username: 'mallory', password: 'a password of a user' });
  user = await server.login('mallory', 'a password of a user');
  connection = await quickSetup(api, sshd);
  source = server.workspace.folder('source');
  makeFiles(source, 5);
  const common = { source_directories: [source], freshness_hours: 26, encryption: 'repokey-blake2' };
  home = await createRepository(api, { ...common, name: 'home', path: join(server.workspace.path, 'home') });
  const place = { path: join(sshd.home, 'far'), connection_id: connection.id };
  far = await createRepository(api, { ...common, name: 'far', ...place });
  for (const { path } of [home, far])
    expect(await backUp(api, path)).toMatchObject({ status: 'completed', error_message: null });
});
afterAll(async () => {
  await server?.remove();
  await sshd?.remove();
});

const of = ({ id }: Repository, verb: string) => `/api/repositories/${id}/${verb}`;
const stateOf = async ({ id }: Repository) => {
  const { body } = await user.get('/api/system/protection');
  return body.repositories.find((each: { id: number }) => each.id === id);
};
const byHand = (path: string) =>
  new Borg(path, server.workspace.folder(`by-hand-${path.split('/').at(-1)}`), { passphrase });
const other = /is not the registered one/;

/** Another repository, with one archive, in place of the one at the path; returns how to put that one back. */
async function swap(path: string, encryption: string): Promise<() => void> {
  const kept = `${path}-kept`;
  renameSync(path, kept);
  const borg = byHand(path);
  await borg.run('init', `--encryption=${encryption}`, path);
  await borg.create('foreign', Date.now() - 3_600_000, { source });
  execFileSync('chown', ['-R', `--reference=${kept}`, path]);
  return () => {
    rmSync(path, { recursive: true });
    renameSync(kept, path);
  };
}

describe('an unencrypted repository replacing an encrypted one', () => {
  beforeAll(() => swap(home.path, 'none'));

  test('gets no backup in plain text and loses no archive', async () => {
    const [archive] = await archivesOf(api, home.path);
    const backup = await backUp(api, home.path);
    expect([backup.status, backup.error_message]).toEqual(['failed', expect.stringMatching(other)]);
    const rules = { keep_daily: 1, keep_weekly: 0, keep_monthly: 0, keep_yearly: 0 };
    const pruned = await api.post(of(home, 'prune'), { ...rules, confirm_more_than_half: true });
    expect([pruned.body.status, pruned.text]).toEqual(['failed', expect.stringMatching(other)]);
    for (const kind of ['compact', 'check'] as const) {
      const ended = await endedMaintenance(api, kind, await api.post(of(home, kind)));
      expect([ended.status, ended.error_message]).toEqual(['failed', expect.stringMatching(other)]);
    }
    const names = (await byHand(home.path).list()).map(({ name }) => name);
    expect(names).toEqual(['foreign']);
    const query = { repository: home.path };
    expectRefusal(await api.get('/api/archives/list', query), 409, other);
    expectRefusal(await api.get(`/api/archives/${archive?.name}/contents`, query), 409, other);
    const kept = await api.get(`/api/repositories/${home.id}`);
    expect(kept.body.repository).toMatchObject({ encryption: 'repokey-blake2', archive_count: 1 });
  });

  test('leaves nothing protected, and says why', async () => {
    expect(await stateOf(home)).toMatchObject({
      status: 'unknown',
      reasons: expect.arrayContaining([expect.stringMatching(other)]),
    });
    const { status, body } = await user.post(of(home, 'test'));
    expect([status, body]).toMatchObject([
      200,
      { success: false, opens: false, code: 'other_repository', reason: expect.stringMatching(other) },
    ]);
  });

  test('is accepted only if an administrator types the name', async () => {
    const accept = (body: object, by = api) => by.post(of(home, 'accept-identity'), body);
    expectRefusal(await accept({ confirm_name: 'home' }, user), 403);
    expectRefusal(await accept({ confirm_name: 'hom' }), 400, /confirm_name.*home/);
    const unknown = { confirm_name: 'home', repository_id: 'f'.repeat(64) };
    expectRefusal(await accept(unknown), 409, /has the id/);
    const accepted = await accept({ confirm_name: 'home' });
    expect([accepted.status, accepted.body]).toMatchObject([
      200,
      { success: true, before: { encryption: 'repokey-blake2' }, after: { encryption: 'none' } },
    ]);
    expect(accepted.body.before.repository_id).not.toBe(accepted.body.after.repository_id);
    expectRefusal(await accept({ confirm_name: 'home' }), 409, /is the registered one/);
    expect((await archivesOf(api, home.path)).map(({ name }) => name)).toEqual(['foreign']);
    expect((await backUp(api, home.path)).status).toBe('completed');
    expect((await stateOf(home)).status).toBe('protected');
    const { body } = await api.get('/api/audit', { limit: '50' });
    expect(JSON.stringify(body)).toContain('accept-identity');
  });
});

describe('another repository with the same passphrase on another host', () => {
  test('gets nothing, and the right one is used again when it is back', async () => {
    const putBack = await swap(join(sshd.home, 'far'), 'repokey-blake2');
    const backup = await backUp(api, far.path);
    expect([backup.status, backup.error_message]).toEqual(['failed', expect.stringMatching(other)]);
    const compact = await endedMaintenance(api, 'compact', await api.post(of(far, 'compact')));
    expect([compact.status, compact.error_message]).toEqual(['failed', expect.stringMatching(other)]);
    expect((await byHand(join(sshd.home, 'far')).list()).map(({ name }) => name)).toEqual(['foreign']);
    putBack();
    expect((await backUp(api, far.path)).status).toBe('completed');
    expect((await stateOf(far)).status).toBe('protected');
  });

  test('is not followed to the new address of its connection', async () => {
    const { update } = connectionActions(api, connection.id);
    expect((await update({ host: 'localhost' })).status).toBe(200);
    const moved = (await api.get(`/api/repositories/${far.id}`)).body.repository as Repository;
    expect(moved.path).toContain('@localhost:');
    const putBack = await swap(join(sshd.home, 'far'), 'repokey-blake2');
    const database = await server.database();
    await database.all('UPDATE repository SET inventory_at = 0 WHERE id = ?', far.id);
    await database.close();
    // While other work reads the repository, the stored list is served.
    const refused = async () => {
      const answer = await api.get('/api/archives/list', { repository: moved.path });
      return answer.status === 409 && answer;
    };
    expectRefusal(await waitFor(refused, { what: 'a list that is read anew' }), 409, other);
    expect((await backUp(api, moved.path)).error_message).toMatch(other);
    putBack();
    expect((await user.post(of(far, 'test'))).body).toMatchObject({
      success: true,
      opens: true,
      reason: null,
    });
    expect((await backUp(api, moved.path)).status).toBe('completed');
    far = moved;
  });
});

describe('a passphrase that was changed outside of the service', () => {
  const fresh = 'a new passphrase of another hand';
  const changeOutside = (from: string, to: string) =>
    execFileSync('borg', ['key', 'change-passphrase', join(sshd.home, 'far')], {
      env: {
        PATH: process.env.PATH,
        HOME: server.workspace.folder('hand'),
        LANG: 'C.UTF-8',
        BORG_PASSPHRASE: from,
        BORG_NEW_PASSPHRASE: to,
        BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
      },
      stdio: 'ignore',
    });
  const put = (given: string, by = api) => by.put(of(far, 'passphrase'), { passphrase: given });

  test('leaves nothing protected until the new one is given', async () => {
    changeOutside(passphrase, fresh);
    execFileSync('chown', ['-R', `${sshd.account.uid}`, join(sshd.home, 'far')]);
    expect((await backUp(api, far.path)).status).toBe('failed');
    expect(await stateOf(far)).toMatchObject({
      status: 'unknown',
      reasons: [expect.stringMatching(/cannot be opened.*passphrase/i), expect.anything(), expect.anything()],
    });
    const tested = { success: false, opens: false, code: 'passphrase_wrong' };
    expect((await user.post(of(far, 'test'))).body).toMatchObject(tested);
    expectRefusal(await put(fresh, user), 403);
    expectRefusal(await put('a wrong one'), 400, /passphrase/);
    expectRefusal(await put(''), 400, /must not be empty/);
    expect((await user.post(of(far, 'test'))).body).toMatchObject(tested);
    const given = await put(fresh);
    expect([given.status, given.body.success]).toEqual([200, true]);
    expect(given.text).not.toContain(fresh);
    expect((await user.post(of(far, 'test'))).body).toMatchObject({ success: true, opens: true });
    expect((await stateOf(far)).status).toBe('protected');
    expect((await backUp(api, far.path)).status).toBe('completed');
  });

  test('does not apply without encryption', async () => {
    const plain = await createRepository(api, {
      name: 'plain',
      path: join(server.workspace.path, 'plain'),
      encryption: 'none',
      source_directories: [source],
    });
    const refused = await api.put(of(plain, 'passphrase'), { passphrase: 'any' });
    expectRefusal(refused, 400, /none has no passphrase/);
  });
});

test('imports an unencrypted repository with a warning', async () => {
  const path = join(server.workspace.path, 'bare');
  await byHand(path).run('init', '--encryption=none', path);
  const order = { name: 'bare', path, passphrase, source_directories: [source] };
  const imported = await api.post('/api/repositories/import', order);
  expect(imported.status).toBe(201);
  expect(imported.body.repository.encryption).toBe('none');
  expect(imported.body.warnings).toEqual([expect.stringMatching(/not encrypted.*passphrase was not stored/)]);
});
