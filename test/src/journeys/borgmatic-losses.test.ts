import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { backUp, createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { borg, borgmatic } from '../borgmatic.js';
import { holdfast } from '../command.js';
import { endedMaintenance } from '../maintenance.js';
import { TestServer } from '../server.js';

/** Whoever comes from borgmatic loses nothing that borgmatic saved, kept or told, unless they say yes to it by name. */
let server: TestServer;
let api: Api;
let home: string;
beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  home = server.workspace.folder('home');
}, 60_000);
afterAll(() => server?.remove());

const run = (...words: string[]) =>
  holdfast(words, {
    cwd: home,
    env: { HOME: home, HOST: '127.0.0.1', PORT: new URL(api.baseUrl).port, HOLDFAST_TOKEN: api.token ?? '' },
  });
const takeOver = (file: string, ...words: string[]) =>
  run('import', 'borgmatic', file, '--take-over', '--cron', '0 2 * * *', ...words);

async function repositoryAt(name: string): Promise<string> {
  const path = join(home, name);
  await borg(home, '', 'init', '--encryption', 'none', path);
  return path;
}

function config(name: string, text: string): string {
  const file = join(home, `${name}.yaml`);
  writeFileSync(file, text);
  return file;
}

function folder(name: string, ...files: string[]): string {
  const path = join(home, name);
  for (const file of ['file', ...files]) {
    mkdirSync(join(path, file, '..'), { recursive: true });
    writeFileSync(join(path, file), file);
  }
  return path;
}

const registered = async (path: string) =>
  (await api.get('/api/repositories/')).body.repositories.find(
    (each: { path: string }) => each.path === path,
  );
const scheduleOf = async (id: number) =>
  (await api.get('/api/schedule/')).body.jobs.find((each: { repository_ids: number[] }) =>
    each.repository_ids.includes(id),
  );
const verdictOf = async (id: number) =>
  (await api.get('/api/system/protection')).body.repositories.find((each: { id: number }) => each.id === id);
const pathsIn = async (path: string, archive: string) =>
  (await borg(home, '', 'list', '--short', `${path}::${archive}`)).trim().split('\n').sort();

test('imports databases, yearly archives and long patterns only with accepted losses', async () => {
  const path = await repositoryAt('main.borg');
  const source = folder('documents', 'keep/file', ...Array.from({ length: 9 }, (_, n) => `skip-${n}/file`));
  for (const year of [2019, 2020, 2021])
    for (const month of ['03', '12'])
      await borg(
        ...([home, '', 'create', '--timestamp', `${year}-${month}-11T12:00:00`] as const),
        ...[`${path}::${year}-${month}`, source],
      );
  const skipped = Array.from({ length: 180 }, (_, n) => `    - '- ${source}/skip-${n}'`);
  const text = [
    ...[`source_directories: [${source}]`, `repositories: [{path: ${path}, label: main}]`],
    ...['keep_daily: 2', 'keep_yearly: -1', 'one_file_system: true', 'patterns:', `    - '+ ${source}/keep'`],
    ...[...skipped, 'influxdb_databases: [{name: shop}]', ''],
  ].join('\n');
  expect(text.length).toBeGreaterThan(7_000);
  const file = config('main', text);

  const refused = await takeOver(file);
  expect(refused.code).toBe(1);
  expect(refused.out).toMatch(/influxdb_databases: left out: .* \(--without databases\)/);
  expect(refused.out).toMatch(/cannot +repositories: main \(Holdfast would back up/);
  expect(await registered(path)).toBeUndefined();

  const taken = await takeOver(file, '--without', 'databases');
  expect([taken.code, taken.err]).toEqual([0, '']);
  expect(taken.out).toMatch(/\b1 options are skipped/);
  const { id, left_out } = await registered(path);
  expect(left_out).toEqual(['databases']);
  const schedule = await scheduleOf(id);
  expect(schedule).toMatchObject({ prune_keep_daily: 2, prune_keep_yearly: -1, run_prune_after: true });

  const job = await backUp(api, path);
  const { body } = await api.get(`/api/archives/list`, { repository_id: id });
  expect(body.archives).toHaveLength(7);
  const plain = join(home, 'patterns');
  writeFileSync(plain, ['P sh', `+ ${source}/keep`, ...skipped.map((line) => line.slice(7, -1))].join('\n'));
  const flags = ['--one-file-system', '--patterns-from', plain];
  await borg(home, '', 'create', ...flags, `${path}::plain`, source);
  expect(await pathsIn(path, job.archive_name ?? '')).toEqual(await pathsIn(path, 'plain'));
  await borg(home, '', 'delete', `${path}::plain`);

  const adopted = await api.post(`/api/schedule/${schedule.id}/adopt`, { repository_id: id, pattern: '*' });
  expect(adopted.status, adopted.text).toBe(200);
  const copy = join(home, 'copy.borg');
  cpSync(path, copy, { recursive: true });
  await borg(home, '', 'prune', '--keep-daily=2', '--keep-yearly=-1', copy);
  const rules = { keep_daily: 2, keep_weekly: 0, keep_monthly: 0, keep_yearly: -1 };
  const input = { ...rules, schedule_id: schedule.id, confirm_more_than_half: true };
  await endedMaintenance(api, 'prune', await api.post(`/api/repositories/${id}/prune`, input));
  const names = async (repository: string) =>
    (await borg(home, '', 'list', '--short', repository)).split('\n');
  expect(await names(path)).toEqual(await names(copy));
  expect(await names(path)).toEqual(expect.arrayContaining(['2019-12', '2020-12', '2021-12']));

  const verdict = async () => verdictOf(id);
  const lost = { code: 'protection_left_out', params: { names: ['databases'] } };
  expect(await verdict()).toMatchObject({ status: 'unknown', reason_codes: [lost, expect.anything()] });
  await api.put(`/api/repositories/${id}`, { left_out: null });
  expect(await verdict()).toMatchObject({ status: 'protected' });
});

/** They run before backups; what they write to OUT is compared. */
const hooks: [title: string, lines: string[]][] = [
  ['a guard that fails', ['test -e /no/such/mount && echo mounted', 'echo second >> OUT']],
  [
    'each line',
    [
      'if true; then exit 0; fi',
      'cd /tmp && FOO=1',
      'echo "$PWD [$FOO]" >> OUT',
      `echo {repository} '{repository}' "{repository_label}" \\{pid\\} {strange} >> OUT`,
      `printf '%s\\n' "it's" 'a "b"' >> OUT\necho \`echo more\` >> OUT`,
    ],
  ],
];

test.each(hooks)('runs %s as borgmatic does', async (title, lines) => {
  const name = title.replaceAll(' ', '-');
  const path = await repositoryAt(`${name}.borg`);
  const out = join(home, `${name}.out`);
  const file = config(
    name,
    stringify({
      source_directories: [folder('documents')],
      repositories: [{ path, label: 'a label' }],
      before_backup: lines.map((line) => line.replaceAll('OUT', out)),
      working_directory: home,
      umask: 27,
    }),
  );
  const written = () => {
    const text = existsSync(out) ? readFileSync(out, 'utf8') : null;
    const mode = text === null ? null : statSync(out).mode & 0o777;
    rmSync(out, { force: true });
    return { text, mode };
  };
  const there = await borgmatic(home, 'create', '--config', file).then(
    () => '',
    (error: Error & { stderr: string }) => error.stderr,
  );
  expect(there).toMatch(title === 'each line' ? /^$/ : /hook/);
  const before = written();
  const taken = await takeOver(file);
  expect([taken.code, taken.out]).toEqual([0, expect.stringMatching(/before_backup: changed: .* 24 hours/)]);
  const { status } = await backUp(api, path);
  expect({ ...written(), made: status !== 'failed' }).toEqual({ ...before, made: there === '' });
});

test('refuses the second of two files that want one repository to save different folders', async () => {
  const path = await repositoryAt('shared.borg');
  const [one, two] = ['one', 'two'].map((name) =>
    config(name, `source_directories: [${folder(name)}]\nrepositories: [{path: ${path}}]\nkeep_daily: 7\n`),
  ) as [string, string];
  for (const words of [['--plan'], []]) {
    const both = await run('import', 'borgmatic', one, two, '--take-over', ...words);
    expect([both.code, both.out]).toEqual([1, expect.stringMatching(/cannot .*backs up .*\/one now/)]);
  }
  const other = await takeOver(two);
  expect([other.code, other.out]).toEqual([1, expect.stringMatching(/backs up .*\/one now/)]);
  expect(await registered(path)).toMatchObject({ mode: 'full', source_directories: [join(home, 'one')] });
  const { id } = await registered(path);
  const schedule = { name: 'by hand', cron_expression: '0 2 * * *' };
  const input = {
    old_scheduler_off: true,
    old_archives: 'leave',
    source_directories: [join(home, 'two')],
    schedule,
  };
  const refused = await api.post(`/api/repositories/${id}/take-over`, input);
  expect([refused.status, refused.body.code]).toEqual([400, 'import_replaces_sources']);
  expect((await takeOver(two, '--replace-sources')).code).toBe(0);
  expect((await registered(path)).source_directories).toEqual([join(home, 'two')]);
});

test('gives another file of the same name its own schedule and scripts', async () => {
  const paths = await Promise.all(['a.borg', 'b.borg'].map(repositoryAt));
  for (const path of paths) {
    const text = `source_directories: [${folder('documents')}]\nrepositories: [{path: ${path}}]\nkeep_daily: 7\nbefore_backup: ['true ${path}']\n`;
    for (const action of ['create', 'nothing to change']) {
      const taken = await takeOver(config('same', text));
      expect([taken.code, taken.out]).toEqual([0, expect.stringContaining(action)]);
    }
  }
  const rows = await Promise.all(paths.map(registered));
  const schedules = await Promise.all(rows.map(({ id }) => scheduleOf(id)));
  expect(schedules.map(({ name }) => name)).toEqual(['same', 'same 2']);
});

test('fills in path placeholders and escapes braces for Borg', async () => {
  const path = await repositoryAt(`${hostname()}.borg`);
  const text = `source_directories: [${folder('documents')}]\nrepositories: [{path: '${home}/{hostname}.borg'}]\n`;
  expect((await takeOver(config('placed', text))).code).toBe(0);
  expect(await registered(path)).toMatchObject({ mode: 'full' });
  const odd = text.replace('hostname', 'now:%Y');
  const refused = await takeOver(config('odd', odd), '--create-missing');
  expect([refused.code, refused.out]).toEqual([1, expect.stringMatching(/has a placeholder/)]);
  const braced = join(home, 'a{user}.borg');
  await createRepository(api, { name: 'braced', path: braced, encryption: 'none', mode: 'observe' });
  const exported = await run('export', 'borgmatic');
  expect(exported.out).toContain('a{{user}}.borg');
});

test('names a variable that is not set', async () => {
  const file = config('variable', `repositories: [{path: '\${PLACE_OF_BACKUPS}'}]\n`);
  const told = await takeOver(file);
  expect([told.code, told.err]).toEqual([1, expect.stringContaining('variable PLACE_OF_BACKUPS')]);
  expect(told.err).not.toMatch(/dry_run|needs/);
  expect((await run('import', 'borgmatic', file, '--plan')).out).toContain('PLACE_OF_BACKUPS is not set');
});

test('refuses to adopt archives of several series without a pattern, and names them', async () => {
  const path = await repositoryAt('hosts.borg');
  const source = folder('documents');
  for (const name of ['anna-2026-03-01', 'anna-2026-03-02', 'bob-2026-03-01', 'bob-2026-03-02'])
    await borg(home, '', 'create', `${path}::${name}`, source);
  const { body } = await api.post('/api/repositories/import', { name: 'hosts', path, mode: 'observe' });
  const schedule = { name: 'anna', cron_expression: '0 2 * * *', prune_keep_daily: 2 };
  const input = { old_scheduler_off: true, source_directories: [source], schedule };
  const place = `/api/repositories/${body.repository.id}/take-over`;
  const refused = await api.post(place, { ...input, old_archives: 'adopt' });
  expect([refused.status, refused.body.code]).toEqual([400, 'adoption_of_several_series']);
  expect(refused.body.detail).toMatch(/anna-\*.*bob-\*|bob-\*.*anna-\*/);
  const taken = await api.post(place, { ...input, old_archives: 'adopt', pattern: 'anna-*' });
  expect([taken.status, taken.body.adopted_count]).toEqual([200, 2]);
  expect(taken.body.warnings.join(' ')).toMatch(/bob-\*/);
});
