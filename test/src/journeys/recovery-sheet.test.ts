import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository, expectRefusal, type Repository, type RepositoryInput } from '../actions.js';
import type { Api } from '../api.js';
import { Browser } from '../browser.js';
import { holdfast } from '../command.js';
import { insideOf } from '../printed-sheet.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import { quickSetup } from '../ssh-actions.js';

const passphrase = 'the secret of the first';
let server: TestServer;
let sshd: TestSshd;
let api: Api;
let first: Repository;
let remote: Repository;
/** Every secret, and pieces of those of several lines. */
let secrets: string[];

beforeAll(async () => {
  [server, sshd] = await Promise.all([TestServer.start(), TestSshd.start()]);
  api = await server.login();
  const connection = await quickSetup(api, sshd);
  const path = join(server.workspace.folder('places'), 'first');
  first = await create({ name: 'first', path, encryption: 'repokey', passphrase });
  const place = { path: join(sshd.home, 'r'), connection_id: connection.id };
  const facts = { name: 'remote', encryption: 'keyfile-blake2', passphrase: 'that of the other' };
  remote = await create({ ...facts, ...place });
  const keys = await Promise.all(
    [first, remote].map(async ({ id }) => (await api.get(`/api/repositories/${id}/keyfile`)).text),
  );
  const privateKey = readFileSync(join(server.dataDirectory, '.ssh', 'holdfast_ed25519'), 'utf8');
  const lines = [...keys, privateKey].flatMap((key) => key.trim().split('\n').slice(1, -1));
  secrets = [passphrase, facts.passphrase, ...lines.map((line) => line.slice(0, 40))];
});
afterAll(async () => {
  await server?.remove();
  await sshd?.remove();
});

const create = (facts: RepositoryInput) => createRepository(api, { ...facts, mode: 'observe' });
const sheet = (query: Record<string, string | boolean>, as = api) => as.get('/api/recovery-sheet', query);
const state = async () => (await api.get('/api/recovery-sheet/state')).body;
const found = (text: string) => secrets.filter((secret) => text.includes(secret));
const attention = async () =>
  (await api.get('/api/overview')).body.attention.find(
    ({ cause }: { cause: string }) => cause === 'recovery_sheet',
  );

/** All that a sheet in each of its forms holds. */
async function everyForm(secrets: boolean, as = api): Promise<string[]> {
  const [pdf, text, json] = await Promise.all(
    ['pdf', 'text', 'json'].map((format) => sheet({ format, secrets }, as)),
  );
  expect([pdf?.status, text?.status, json?.status]).toEqual([200, 200, 200]);
  return [insideOf(pdf?.bytes ?? Buffer.alloc(0)), text?.text ?? '', JSON.stringify(json?.body)];
}

test('holds no secret in any form unless asked for', async () => {
  for (const text of await everyForm(false)) {
    expect(found(text)).toEqual([]);
    expect(text).toContain('remote');
  }
  const masked = await sheet({});
  expect(masked.headers['content-type']).toBe('application/pdf');
  expect(masked.headers['content-disposition']).toMatch(/holdfast-recovery-\d{4}-\d\d-\d\d\.pdf/);
  expect(await state()).toMatchObject({
    state: 'never',
    made_at: null,
    reason: { code: 'sheet_never_made' },
  });
  expect(await attention()).toMatchObject({ code: 'sheet_never_made', object: { kind: 'service', id: 1 } });
});

test('contains all secrets in each form and is recorded', async () => {
  await api.request('HEAD', '/api/recovery-sheet', { query: { secrets: true } });
  expect((await state()).state).toBe('never');
  const [pdf = '', text = '', json = ''] = await everyForm(true);
  for (const form of [pdf, text, json]) expect(found(form)).toEqual(secrets);
  expect(await state()).toMatchObject({ state: 'current', made_by: 'admin', reason: null });
  expect(await attention()).toBeUndefined();
});

test('is only for administrators, and masked for read-only tokens', async () => {
  await api.post('/api/auth/users', { username: 'ann', password: 'a password of ann', is_admin: false });
  const ann = await server.login('ann', 'a password of ann');
  for (const as of [ann, server.api]) {
    for (const path of ['/api/recovery-sheet', '/api/recovery-sheet/state']) {
      expect((await as.get(path)).status).toBe(as === ann ? 403 : 401);
    }
    expect((await as.post('/api/recovery-sheet', { secrets: true })).status).toBe(as === ann ? 403 : 401);
  }
  const made = await api.post('/api/auth/tokens', { name: 'dashboard', read_only: true });
  const reader = api.as(made.body.access_token);
  for (const text of await everyForm(true, reader)) expect(found(text)).toEqual([]);
  expectRefusal(await reader.post('/api/recovery-sheet', { secrets: true }), 403, /read/);
});

test('requires the password in a browser, and cannot be opened by a link', async () => {
  const { page } = await Browser.signIn(server.api);
  for (const refused of [
    await page.get('/api/recovery-sheet'),
    await page.post('/api/recovery-sheet', { secrets: true }),
  ]) {
    expectRefusal(refused, 403, /Confirm/);
    expect(refused.body.code).toBe('confirmation_required');
  }
  await page.post('/api/auth/confirm', { password: 'correct horse battery staple' });
  const url = '/api/recovery-sheet?format=text&secrets=true';
  expect(found((await page.get(url)).text)).toEqual(secrets);
  expectRefusal(await page.post('/api/download-tickets', { url }), 400);
  expectRefusal(await server.api.get(`${url}&token=${page.token}`), 401);
});

test('refuses wrong input with a sentence', async () => {
  expectRefusal(await sheet({ format: 'docx' }), 400);
  expectRefusal(await sheet({ secrets: 'maybe' }), 400);
  for (const seal_passphrase of ['short', 'two\nlines of it', 'x'.repeat(2_000), 7])
    expectRefusal(await api.post('/api/recovery-sheet', { seal_passphrase }), 400, /seal_passphrase|body/);
});

const seal = 'über dem Siegel';

/** age asks a terminal. */
function opened(file: string, answer: string): Buffer {
  const out = `${file}.opened`;
  execFileSync('script', ['-qec', `age -d -o ${out} ${file}`, '/dev/null'], {
    input: `${answer}\n`,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return readFileSync(out);
}

test('can be decrypted only by age with its passphrase', async () => {
  const order = { format: 'text', secrets: true, seal_passphrase: seal };
  const sealed = await api.post('/api/recovery-sheet', order);
  expect(sealed.status).toBe(200);
  expect(sealed.headers['content-disposition']).toMatch(/\.txt\.age"/);
  expect(found(sealed.bytes.toString('latin1'))).toEqual([]);
  const file = join(server.workspace.path, 'sealed.age');
  writeFileSync(file, sealed.bytes);
  expect(() => opened(file, 'another one')).toThrow();
  expect(found(opened(file, seal).toString())).toEqual(secrets);
});

test('is created by the command next to the running service', async () => {
  const output = join(server.workspace.path, 'by-command.txt');
  const env = { ...server.storeVariables, DATA_DIR: server.dataDirectory, HOME: server.dataDirectory };
  const run = (...more: string[]) =>
    holdfast(['recovery-sheet', '--format', 'text', ...more], { env: env as Record<string, string> });
  expect(await run('--with-secrets', '--output', output)).toMatchObject({ code: 0, out: '', err: '' });
  expect(statSync(output).mode & 0o777).toBe(0o600);
  expect(found(readFileSync(output, 'utf8'))).toEqual(secrets);
  expect(await state()).toMatchObject({ state: 'current', made_by: null });
  expect(await run('--with-secrets', '--output', output)).toMatchObject({
    code: 1,
    err: expect.stringContaining('EEXIST'),
  });
  const masked = await run();
  expect([masked.code, found(masked.out)]).toEqual([0, []]);
  expect(masked.out).toContain('Repository 1: first');
  const sealed = join(server.workspace.path, 'by-command.age');
  const typed = await holdfast(
    ['recovery-sheet', '--format', 'text', '--with-secrets', '--sealed', '--output', sealed],
    { env: env as Record<string, string>, input: `${seal}\n` },
  );
  expect(typed).toMatchObject({ code: 0, err: '' });
  expect(found(opened(sealed, seal).toString())).toEqual(secrets);
});

test('gives the reason when it is out of date, until a new one', async () => {
  const renew = async () => {
    await sheet({ format: 'json', secrets: true });
    expect((await state()).state).toBe('current');
  };
  await renew();
  const next = 'another secret of it';
  const home = server.workspace.folder('borg');
  const env = { PATH: process.env.PATH, HOME: home, BORG_PASSPHRASE: passphrase, BORG_NEW_PASSPHRASE: next };
  execFileSync('borg', ['key', 'change-passphrase', first.path], { env, stdio: 'pipe' });
  const changed = await api.put(`/api/repositories/${first.id}/passphrase`, { passphrase: next });
  expect([changed.status, changed.text]).toEqual([200, expect.any(String)]);
  secrets.push(next);
  const expectReason = async (code: string, words: RegExp) => {
    expect(await state()).toMatchObject({ state: 'outdated', reason: { code } });
    const item = await attention();
    expect([item.code, item.text]).toEqual([code, expect.stringMatching(words)]);
  };
  await expectReason('sheet_secret_changed', /passphrase or key of repository first/);
  await renew();
  await api.put(`/api/repositories/${first.id}/passphrase`, { passphrase: next });
  expect((await state()).state).toBe('current');

  const moved = `${first.path}-moved`;
  cpSync(first.path, moved, { recursive: true });
  expect((await api.put(`/api/repositories/${first.id}`, { path: moved })).status).toBe(200);
  await expectReason('sheet_place_changed', /location or host key of repository first/);
  await renew();
  const path = join(server.workspace.path, 'places', 'third');
  const third = await create({
    name: 'third',
    path,
    encryption: 'none',
    passphrase: undefined,
  });
  await expectReason('sheet_lacks_repository', /repository third is missing/);
  await renew();
  await api.delete(`/api/repositories/${third.id}`);
  expect((await state()).state).toBe('current');
  expect((await sheet({ format: 'text', secrets: true })).text).not.toContain('third');
});

test('includes an unreachable repository with the reason', async () => {
  const path = join(server.workspace.path, 'places', 'away');
  const away = await create({
    name: 'away',
    path,
    encryption: 'repokey',
    passphrase: 'long gone',
  });
  renameSync(path, `${path}-now`);
  await sshd.stop();
  const { text } = await sheet({ format: 'text', secrets: true });
  const part = text.slice(text.indexOf(`Repository ${away.id}: away`));
  expect(part).toContain('long gone');
  expect(part).toMatch(/Not on this sheet: The key: .*/);
  // The key of the other is stored here.
  expect(found(text.slice(text.indexOf(`Repository ${remote.id}: remote`)))).toContain('that of the other');
  expect(text).toContain('BORG_KEY ');
  expect(await state()).toMatchObject({ state: 'outdated', reason: { code: 'sheet_lacks_repository' } });
  renameSync(`${path}-now`, path);
});

test('is audited each time, with no secret in log or trail', async () => {
  const { entries } = (await api.get('/api/audit', { limit: 200 })).body;
  const actions = entries.map(({ action }: { action: string }) => action);
  for (const action of ['recoverySheet', 'recoveryMakeSheet', 'commandRecoverySheet'])
    expect(actions).toContain(action);
  const told = JSON.stringify(entries) + server.log;
  expect(found(told)).toEqual([]);
  expect(told).not.toContain(seal);
  expect(existsSync(join(server.dataDirectory, 'recovery'))).toBe(false);
});
