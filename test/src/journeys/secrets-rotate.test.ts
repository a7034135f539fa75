import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { allEntities } from '@holdfast/core/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ended, holdfast, RunningCommand } from '../command.js';
import { isDeep } from '../lane.js';
import { keyId, keysIn, sealedTexts } from '../sealed-texts.js';
import { parameter, SecretWorld, secretsInIt } from '../secret-world.js';
import { SqliteDatabase } from '../store/sqlite-database.js';
import { waitFor } from '../wait-for.js';

let world: SecretWorld;
let data: string;
beforeAll(async () => {
  world = await SecretWorld.make();
  data = world.server.dataDirectory;
});
afterAll(() => world?.remove());

const env = (more: Record<string, string> = {}) => ({ DATA_DIR: data, ...more });
const rotate = (
  parameters: string[] = [],
  more: Record<string, string> = {},
  input?: string,
): Promise<Ended> =>
  holdfast(['secrets', 'rotate', ...parameters], { env: env(more), ...(input !== undefined && { input }) });
const keyIds = async () => new Set((await sealedTexts(world.database)).map((sealed) => sealed.keyId));

test('changes nothing while a service uses the database', async () => {
  const before = await keyIds();
  const { code, err } = await rotate();
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(
      /^Holdfast is using this database: process \d+ on .* Stop it first\. Nothing was changed\.\n$/,
    ),
  ]);
  expect([await keyIds(), existsSync(join(data, 'secret_key.next'))]).toEqual([before, false]);
});

test('marks every column with encrypted values in the schema', async () => {
  await world.killInHook();
  const marked = allEntities.flatMap(({ name, columns }) =>
    Object.entries(columns).flatMap(([column, facts]) => ('sealed' in facts ? [`${name}.${column}`] : [])),
  );
  const places = new Set((await sealedTexts(world.database)).map(({ place }) => place));
  const named = ['repository.passphrase', 'repository.key_file', 'ssh_key.private_key', 'setting.value'];
  const more = [
    'audit_head.state',
    'notification_setting.service_url',
    'hook_journal.plan',
    'job.parameters',
  ];
  const scripts = ['repository_script.parameter_values', 'schedule.pre_backup_script_parameters'];
  expect([...places].sort()).toEqual([...named, ...more, ...scripts].sort());
  expect(marked).toEqual(expect.arrayContaining([...places]));
});

test('leaves everything readable after a kill, and completes in the next run', async () => {
  await makeSlow();
  const before = (await sealedTexts(world.database)).length;
  const appears = (name: string) => async (command: RunningCommand) => {
    await waitFor(() => existsSync(join(data, name)) || !command.runs, { what: name, intervalMs: 1 });
  };
  const later = (ms: number) => async (command: RunningCommand) => {
    await appears('secret_key.next')(command);
    await pause(ms);
  };
  const ends = [appears('secret_key.next'), appears('secret_key.former')];
  const moments = isDeep ? [...ends, later(60), later(150), later(400)] : [...ends, later(100)];
  let killed = 0;
  for (const moment of moments) {
    rmSync(join(data, 'secret_key.former'), { force: true });
    const command = new RunningCommand(['secrets', 'rotate'], { env: env() });
    await moment(command);
    if (command.runs) killed += 1;
    await command.kill();
    const known = keysIn(data).map(keyId);
    for (const id of await keyIds()) expect(known).toContain(id);
  }
  expect(killed).toBeGreaterThan(moments.length / 2);
  const { code, out, err } = await rotate();
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(
    /^\d+ secrets were encrypted with the new key, \d+ were already\. All \d+ can be decrypted with it\.\n/,
  );
  expect([...(await keyIds())]).toEqual([keyId(readFileSync(join(data, 'secret_key'), 'utf8').trim())]);
  expect((await sealedTexts(world.database)).length).toBe(before);
  expect(existsSync(join(data, 'secret_key.next'))).toBe(false);
  for (const name of ['secret_key', 'secret_key.former']) {
    expect(statSync(join(data, name)).mode & 0o777).toBe(0o600);
  }
});

/** So many rows to look through that there is time to be killed. */
async function makeSlow(): Promise<void> {
  const database = await SqliteDatabase.open(world.database);
  await database.all(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
     INSERT INTO job (kind, status, repository_path, repository_name, requested_by, requested_at, parameters, progress,
       cancel_requested, fence, log_lines)
     SELECT 'backup', 'completed', '/gone', 'gone', 'admin', 0, '{}', '{}', 0, 1, 0 FROM n`,
  );
  await database.close();
}

test('continues with the new key alone, even with an owed hook', async () => {
  rmSync(join(data, 'secret_key.former'));
  await world.server.launch();
  const api = await world.server.login();
  await waitFor(() => world.told('after') === parameter, { what: 'the hook that was owed' });
  await world.useSecrets(api);
  for (const secret of secretsInIt) expect(world.server.log).not.toContain(secret);
  await world.server.stop();
});

test('accepts a custom key with, without or after SECRET_KEY', async () => {
  const given = 'the secret key of the environment';
  const own = 'a key of my own that is long enough';
  expect((await rotate(['--ask'], {}, `${given}\n`)).code).toBe(0);
  rmSync(join(data, 'secret_key'));
  expect((await rotate(['--ask'], { SECRET_KEY: given }, 'too short\n')).err).toMatch(
    /at least 32 characters/,
  );
  const wrong = await rotate([], { SECRET_KEY: 'another key than the right one' });
  expect([wrong.code, wrong.err]).toEqual([
    1,
    expect.stringMatching(/^The current key cannot decrypt these secrets: .*repository 1/),
  ]);
  rmSync(join(data, 'secret_key.former'));
  rmSync(join(data, 'secret_key.next'));

  const { code, out, err } = await rotate(['--ask'], { SECRET_KEY: given }, `${own}\n`);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('remove SECRET_KEY from the environment');
  expect(out).not.toContain(given);
  expect([...(await keyIds())]).toEqual([keyId(own)]);
  for (const key of isDeep ? [given, undefined, own] : [given, undefined]) {
    world.server.options.env = { SECRET_KEY: key };
    await world.server.launch();
    await world.useSecrets(await world.server.login());
    await world.server.stop();
  }
});

describe('a database without its secret key', () => {
  const other = 'another key than that of this database';
  const here = (name: string) => join(data, name);
  const start = (more: Record<string, string> = {}) => holdfast([], { env: env({ PORT: '0', ...more }) });
  const run = (parameters: string[], more: Record<string, string> = {}) =>
    holdfast(parameters, { env: env(more) });
  const trail = async () => {
    const database = await SqliteDatabase.open(world.database);
    const entries = await database.all('SELECT seq, action, note FROM audit_entry ORDER BY seq');
    await database.close();
    return entries as { seq: number; action: string; note: string | null }[];
  };
  let right = '';

  test('is refused at the start and by every command without creating a key', async () => {
    right = readFileSync(here('secret_key'), 'utf8');
    const before = await trail();
    for (const name of ['secret_key', 'secret_key.former', 'secret_key.next'])
      rmSync(here(name), { force: true });
    const lines = ({ err }: Ended) => err.trimEnd().split('\n');
    const missing = await start();
    expect([missing.code, lines(missing)]).toEqual([
      1,
      [expect.stringMatching(/^There is no secret key in .*secret_key, .* "holdfast secrets forget", .*\.$/)],
    ]);
    expect(existsSync(here('secret_key'))).toBe(false);
    const wrong = await start({ SECRET_KEY: other });
    expect([wrong.code, lines(wrong)]).toEqual([
      1,
      [
        expect.stringMatching(
          /^The secret key in SECRET_KEY does not match this database\. Restore the right key/,
        ),
      ],
    ]);
    for (const command of [
      ['secrets', 'rotate'],
      ['user', 'reset-password', 'admin', '--generate'],
      ...(isDeep ? [['audit', 'verify']] : []),
    ]) {
      const { code, err } = await run(command, { SECRET_KEY: other });
      expect([code, err]).toEqual([1, expect.stringMatching(/secret key in SECRET_KEY|cannot decrypt/)]);
    }
    expect((await run(['secrets', 'rotate'])).err).toMatch(/^There is no secret key/);
    expect(existsSync(here('secret_key'))).toBe(false);
    expect(await trail()).toEqual(before);
  });

  test('doctor opens one secret of each kind and names those that stay closed', async () => {
    const secrets = async (more: Record<string, string> = {}) => {
      const { out } = await run(['doctor', '--json'], more);
      const { checks } = JSON.parse(out) as { checks: { area: string; status: string; text: string }[] };
      return checks.filter(({ area }) => area === 'secrets').map(({ status, text }) => `${status} ${text}`);
    };
    const closed = (await secrets({ SECRET_KEY: other })).join('\n');
    expect(closed).toMatch(/^failed The secret key in SECRET_KEY does not match this database/);
    for (const name of ['passphrase of repository r', 'key file of repository r', 'SSH key own', 'on call'])
      expect(closed).toMatch(new RegExp(`failed The secret key can't decrypt .*${name}`));
    expect(await secrets({ SECRET_KEY: right.trim() })).toEqual([
      expect.stringMatching(/^ok .*passphrases of repositories, key files of repositories/),
    ]);
    expect(existsSync(here('secret_key'))).toBe(false);
  });

  test('detects that of an earlier release by its contents', async () => {
    const database = await SqliteDatabase.open(world.database);
    await database.all("DELETE FROM setting WHERE key = 'key_check'");
    await database.close();
    expect((await start({ SECRET_KEY: other })).err).toMatch(
      /^The secret key in SECRET_KEY does not match this database/,
    );
    writeFileSync(here('secret_key'), right, { mode: 0o600 });
    world.server.options.env = {};
    await world.server.launch();
    await world.server.stop();
    rmSync(here('secret_key'));
    expect((await start()).err).toMatch(/^There is no secret key/);
  });

  test('works again after its secrets are explicitly forgotten', async () => {
    const before = await sealedTexts(world.database);
    const listed = await run(['secrets', 'forget']);
    expect([listed.code, listed.err]).toEqual([0, '']);
    expect(listed.out).toMatch(/Nothing was changed.*holdfast secrets forget --yes\n$/);
    expect([await sealedTexts(world.database), existsSync(here('secret_key'))]).toEqual([before, false]);
    const { code, out, err } = await run(['secrets', 'forget', '--yes', '--json']);
    expect([code, err]).toEqual([0, '']);
    const names = [
      ...['the passphrase of repository r', 'the key file of repository r', 'the SSH key own'],
      ...['the service URL of notification on call', 'the address of the cache store'],
      ...['the parameter API_TOKEN of the script before schedule yearly', 'the seal of the audit trail'],
    ];
    expect(JSON.parse(out)).toEqual({ forgotten: true, secrets: expect.arrayContaining(names) });
    for (const name of names) expect(listed.out).toContain(`- ${name}\n`);
    const key = keyId(readFileSync(here('secret_key'), 'utf8').trim());
    expect([...(await keyIds())]).toEqual([key]);

    await world.server.launch();
    const api = await world.server.login();
    expect((await api.get('/api/notifications')).body).toMatchObject([{ name: 'on call', enabled: false }]);
    expect((await api.get('/api/ssh-keys/system-key')).body.exists).toBe(false);
    expect((await api.get('/health')).body).not.toMatchObject({ detail: expect.stringContaining('audit') });
    const entries = await trail();
    expect(entries.map(({ action }) => action)).toContain('commandForgetSecrets');
    expect(entries.filter(({ note }) => note?.includes('audit trail was tampered'))).toEqual([]);
    expect((await run(['audit', 'verify'])).code).toBe(0);
    expect((await run(['secrets', 'forget'])).out).toMatch(/^The secret key decrypts all secrets/);
    await world.server.stop();
  });
});
