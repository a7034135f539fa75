import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, backUp, createRepository, endedJob, passphrase, startBackup } from './actions.js';
import type { Api } from './api.js';
import { type Ended, holdfast } from './command.js';
import { HeldSource } from './held-source.js';
import { backUpItself, passphraseOf, scratchOf, selfBackupOf, switchOn } from './self-backup.js';
import { adminPassword, TestServer } from './server.js';
import { PostgresDatabase } from './services/postgres-database.js';
import { makeFiles } from './trees.js';
import { makeWorkspace, type Workspace } from './workspace.js';

/** What people see of an installation, without what changes by itself. */
async function seen(api: Api) {
  const [users, repositories, schedules, incidents, jobs, audit] = await Promise.all([
    api.get('/api/auth/users'),
    api.get('/api/repositories/'),
    api.get('/api/schedule/'),
    api.get('/api/incidents'),
    api.get('/api/jobs', { limit: 100 }),
    api.get('/api/audit', { limit: 500 }),
  ]);
  const without = (rows: object[], ...names: string[]) =>
    rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))));
  return {
    users: without(users.body, 'last_login'),
    repositories: without(repositories.body.repositories, 'source_directories'),
    schedules: schedules.body.jobs as object[],
    incidents: incidents.body.incidents as object[],
    ended: (jobs.body.jobs as { completed_at: string | null }[]).filter(({ completed_at }) => completed_at),
    audit: audit.body.entries as { id: number; action: string }[],
  };
}

/** The machine is gone: everything comes back on an empty one, from the self-backup and this release alone. */
export function testRecovery(store: 'SQLite' | 'PostgreSQL'): void {
  let workspace: Workspace;
  let server: TestServer;
  let secret: string;
  let before: Awaited<ReturnType<typeof seen>>;
  let heldJob: number;
  let ownJob: number;
  let own: string;
  const databases: PostgresDatabase[] = [];
  const isPostgres = store === 'PostgreSQL';
  const newEnvironment = (): Record<string, string | undefined> => {
    if (!isPostgres) return { DATABASE_URL: undefined };
    const database = new PostgresDatabase();
    databases.push(database);
    return { DATABASE_URL: database.url };
  };
  const PATH = `${process.env.TEST_POSTGRES_PROGRAMS}:${process.env.PATH}`;
  const recover = (
    folder: string,
    more: string[] = [],
    how: { env?: object; input?: string } = {},
  ): Promise<Ended> =>
    holdfast(['recover', '--repository', own, '--data-dir', folder, ...more], {
      env: { PATH, HOME: workspace.path, DATABASE_URL: undefined, ...how.env },
      input: how.input ?? `${secret}\n`,
    });
  const fresh = (name: string) => join(workspace.path, name);

  beforeAll(async () => {
    workspace = makeWorkspace();
    server = await TestServer.start({ workspace, env: { PATH, ...newEnvironment() } });
    const api = await server.login();
    const source = workspace.folder('source');
    makeFiles(source, 5);
    const path = join(workspace.path, 'home');
    const home = await createRepository(api, { name: 'home', path, source_directories: [source] });
    await backUp(api, path);
    const user = {
      username: 'ann',
      password: 'a password of ann',
      is_admin: false,
      email: 'ann@example.org',
    };
    const plan = { name: 'nightly', cron_expression: '0 3 1 1 *', repository_id: home.id };
    const made = [await api.post('/api/auth/users', user), await api.post('/api/schedule/', plan)];
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    const database = await server.database();
    await database.all(
      `INSERT INTO incident (thread, is_open, cause, object_kind, object_id, object_name, opened_at, since, code, params,
        sentence, jobs_after, recovered_at) VALUES ('late:repository:1', ${isPostgres ? 'false' : 0}, 'late',
        'repository', 1, 'home', 1700000000000, 1700000000000, 'attention_late', '{}', 'Late.', 0, 1700000900000)`,
    );
    own = (await switchOn(api)).path;
    // A backup that is running when the copy is made, and never ends on that machine.
    const held = new HeldSource(workspace.folder('held'));
    const heldPath = join(workspace.path, 'held-repository');
    await createRepository(api, { name: 'held', path: heldPath, ...held.settings });
    heldJob = await startBackup(api, heldPath);
    await held.reached();
    const job = await backUpItself(api);
    expect([job.status, job.error_message]).toEqual(['completed', null]);
    ownJob = job.id;
    secret = await passphraseOf(server);
    before = await seen(api);
    await database.close();
    await server.stop('SIGKILL');
  });
  afterAll(async () => {
    await server?.stop();
    for (const database of databases) database.drop();
    workspace?.remove();
  });

  test('leaves no copy behind and stores it encrypted', () => {
    expect(scratchOf(server.dataDirectory)).toEqual([]);
    expect(statSync(join(server.dataDirectory, 'self-backup')).mode & 0o777).toBe(0o700);
  });

  const refused = async () => {
    const [full, folder] = [workspace.folder('full'), fresh('nothing')];
    writeFileSync(join(full, 'letter.txt'), 'dear');
    const env = newEnvironment();
    const wrong = { env, input: 'wrong\n' };
    const foreign = { env, input: `${passphrase}\n` };
    const answers = [
      await recover(full, [], { env }),
      await recover(folder, [], wrong),
      await recover(folder, ['--repository', join(workspace.path, 'home')], foreign),
      await recover(folder, ['--repository', join(workspace.path, 'nowhere')], { env }),
      await recover(folder, ['--archive', 'none'], { env }),
      await recover(folder, ['--repository', 'http://example.org/x'], { env }),
      await recover(folder, [], { env, input: '' }),
    ];
    const sentences = [
      /^The data folder .* is not empty \(letter\.txt\)\. Name an empty or a new folder .*\n$/,
      /^The passphrase does not open the repository\.\n$/,
      /^The repository .*home contains no copy of Holdfast\. .*\n$/,
      /^There is no repository at this location\.\n$/,
      /^There is no archive none in .*\n$/,
      /^--repository must be a path, or an address such as ssh:.*\n$/,
      /^Passphrase of .* is missing\. .*\n$/,
    ];
    for (const [n, { code, out, err }] of answers.entries())
      expect([code, out, err]).toEqual([1, '', expect.stringMatching(sentences[n] as RegExp)]);
    expect(existsSync(folder)).toBe(false);
    expect(readdirSync(full)).toEqual(['letter.txt']);
  };
  // The same with every store.
  if (!isPostgres) test('refuses an invalid recovery in one sentence and creates nothing', refused);

  test('refuses a database that is not empty and leaves it unchanged', async () => {
    const other = isPostgres
      ? { DATABASE_URL: databases[0]?.url }
      : { DATABASE_URL: `sqlite:${join(server.dataDirectory, 'holdfast.db')}` };
    const { code, err } = await recover(fresh('other'), [], { env: other });
    expect([code, err]).toEqual([1, expect.stringMatching(/^The database is not empty\. .*\n$/)]);
    expect(existsSync(fresh('other'))).toBe(false);
  });

  test('refuses a copy of another kind of database', async () => {
    const database = new PostgresDatabase();
    const env = isPostgres ? {} : { DATABASE_URL: database.url };
    const { code, err } = await recover(fresh('kind'), [], { env });
    database.drop();
    const name = isPostgres ? 'PostgreSQL' : 'SQLite';
    expect([code, err]).toEqual([1, expect.stringMatching(new RegExp(`^The copy is of ${name}\\. .*\\n$`))]);
    expect(existsSync(fresh('kind'))).toBe(false);
  });

  test('restores everything and reports interrupted work correctly', async () => {
    const folder = fresh('new machine');
    // All that the old machine had but the repositories.
    rmSync(server.dataDirectory, { recursive: true });
    const env = newEnvironment();
    const { code, out, err } = await recover(folder, [], { env });
    expect([code, err]).toEqual([0, '']);
    const jobs = before.ended.length + 1;
    expect(out).toContain(`2 users, 3 repositories, 2 schedules, ${jobs} jobs and 1 incidents are back`);
    expect(out).toContain('Make sure that the old server is off');
    expect(readdirSync(folder).sort()).toEqual(['secret_key', ...(isPostgres ? [] : ['holdfast.db'])].sort());
    expect(statSync(join(folder, 'secret_key')).mode & 0o777).toBe(0o600);

    server = await TestServer.start({ workspace, dataDirectory: folder, env: { PATH, ...env } });
    const api = await server.login('admin', adminPassword);
    // The copy was made while this job ran. Its archive shows that it completed, but not the tool's warnings.
    expect(await endedJob(api, ownJob)).toMatchObject({
      status: 'completed_with_warnings',
      error_message: expect.stringMatching(/^The archive was created, but [^/]*$/),
    });
    const interrupted = await endedJob(api, heldJob);
    expect([interrupted.status, interrupted.error_message]).toEqual([
      'failed',
      expect.stringContaining('Interrupted'),
    ]);
    const after = await seen(api);
    const same = ({ users, schedules, incidents }: typeof after) => ({ users, schedules, incidents });
    expect(same(after)).toEqual(same(before));
    expect(after.repositories.map(({ name, path, self_backup }) => [name, path, self_backup])).toEqual(
      before.repositories.map(({ name, path, self_backup }) => [name, path, self_backup]),
    );
    expect(after.ended).toHaveLength(jobs);
    expect(after.audit.map(({ action }) => action)).toContain('commandRecover');
    const verified = await holdfast(['audit', 'verify'], { env: { PATH, DATA_DIR: folder, ...env } });
    expect(verified.code, verified.err).toBe(0);

    // The passphrases can be read again, and the next self-backup uses the same repository.
    expect((await backUp(api, join(workspace.path, 'home'))).status).toBe('completed');
    expect(await archivesOf(api, join(workspace.path, 'home'))).toHaveLength(2);
    expect((await backUpItself(api)).status).toBe('completed');
    // With the first, made when it was switched on.
    expect(await archivesOf(api, own)).toHaveLength(3);
    expect(await selfBackupOf(api)).toMatchObject({ enabled: true, last_error: null });
    expect(scratchOf(folder)).toEqual([]);
  });

  test('creates a complete manual copy for its owner and replaces nothing', async () => {
    const env = { PATH, DATA_DIR: server.dataDirectory, ...server.options.env };
    const copy = join(workspace.path, 'copy by hand');
    mkdirSync(copy);
    const { code, out, err } = await holdfast(['storage', 'copy', copy, '--json'], { env });
    expect([code, err]).toEqual([0, '']);
    const told = JSON.parse(out) as { folder: string; files: number; bytes: number };
    expect(told).toMatchObject({ folder: copy, database: isPostgres ? 'postgres' : 'sqlite' });
    expect(readdirSync(copy).sort()).toEqual(['database', 'manifest.json', 'secret_key']);
    expect(statSync(copy).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(copy, 'secret_key'))).toEqual(
      readFileSync(join(server.dataDirectory, 'secret_key')),
    );
    const again = await holdfast(['storage', 'copy', copy], { env });
    expect([again.code, again.err]).toEqual([1, `${copy} is not empty: choose a new folder for the copy.\n`]);
  });
}
