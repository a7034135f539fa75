import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp } from '../actions.js';
import type { Api } from '../api.js';
import { borgmatic, newestArchive } from '../borgmatic.js';
import { holdfast } from '../command.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';

/** TEST_BORGMATIC: the real one, with which a person comes and leaves. */
const secret = 'sesame of borgmatic';
let server: TestServer;
let api: Api;
let home: string;
let source: string;
let repository: string;
let config: string;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  home = server.workspace.folder('home');
  source = server.workspace.folder('home', 'documents');
  repository = join(server.workspace.path, 'old.borg');
  makeFiles(source, 12);
  writeFileSync(join(source, 'left.tmp'), 'not wanted');
  mkdirSync(join(source, 'cache', 'deep'), { recursive: true });
  writeFileSync(join(source, 'cache', 'deep', 'junk'), 'not wanted');
  mkdirSync(join(source, 'keep'));
  writeFileSync(join(source, 'keep', 'yes.log'), 'wanted');
  writeFileSync(join(source, 'no.log'), 'not wanted');
  writeFileSync(join(source, 'run me'), '#!/bin/sh');
  chmodSync(join(source, 'run me'), 0o750);
  symlinkSync('run me', join(source, 'link'));
  mkdirSync(join(home, 'marked'));
  writeFileSync(join(home, 'marked', '.nobackup'), '');
  writeFileSync(join(home, 'passphrase'), `${secret}\n`);
  writeFileSync(
    join(home, 'common.yaml'),
    `storage:\n  compression: \${LEVEL:-zstd,3}\nretention:\n  keep_daily: 7\n`,
  );
  config = join(home, 'config.yaml');
  const text = `
<<: !include common.yaml
location:
  source_directories:
    - ~/documents
    - ~/mark*
  repositories:
    - path: ${repository}
      label: documents
  patterns:
    - '+ ${source}/keep'
    - '- sh:**/*.log'
  exclude_patterns:
    - '*.tmp'
  exclude_if_present:
    - .nobackup
  one_file_system: true
storage:
  encryption_passcommand: cat ${home}/passphrase
retention:
  keep_weekly: 4
consistency:
  checks:
    - name: repository
      frequency: 2 weeks
hooks:
  before_backup:
    - touch ${home}/before
  after_backup:
    - touch ${home}/after
`;
  writeFileSync(config, text);
  await borgmatic(home, 'repo-create', '--config', config, '--encryption', 'repokey');
  await borgmatic(home, 'create', '--config', config);
}, 120_000);
afterAll(() => server?.remove());

const run = (words: string[], input = '') =>
  holdfast(words, {
    input,
    cwd: home,
    env: { HOME: home, HOST: '127.0.0.1', PORT: new URL(api.baseUrl).port, HOLDFAST_TOKEN: api.token ?? '' },
  });

test('asks for values known only on the host, and imports nothing before', async () => {
  const files = [{ name: config, content: readFileSync(config, 'utf8') }];
  const planned = await api.post('/api/import/borgmatic', { files, dry_run: true });
  expect(planned.status).toBe(200);
  const asked = planned.body.needs.map(({ kind }: { kind: string }) => kind);
  expect(asked).toEqual(['include', 'paths', 'paths', 'command']);
  const refused = await api.post('/api/import/borgmatic', { files });
  expect([refused.status, refused.body.code]).toEqual([400, 'borgmatic_answers_missing']);
  expect((await api.get('/api/repositories/')).body.repositories).toEqual([]);
});

test('moves in by the command line: first observed, then taken over; again changes nothing', async () => {
  const plan = await run(['import', 'borgmatic', config, '--plan']);
  expect(plan.err).toBe('');
  expect(plan.out).toContain('create    repositories: documents');
  expect((await api.get('/api/repositories/')).body.repositories).toEqual([]);

  const observed = await run(['import', 'borgmatic', config]);
  expect(observed.code).toBe(0);
  const [before] = (await api.get('/api/repositories/')).body.repositories;
  expect(before).toMatchObject({ name: 'documents', mode: 'observe', path: repository });
  expect((await api.get('/api/schedule/')).body.jobs).toEqual([]);
  expect((await run(['import', 'borgmatic', config])).out).toContain('nothing to change');

  const taken = await run(['import', 'borgmatic', config, '--take-over', '--cron', '0 2 * * *']);
  expect([taken.code, taken.err]).toEqual([0, '']);
  const [schedule] = (await api.get('/api/schedule/')).body.jobs;
  expect(schedule).toMatchObject({ name: 'config', prune_keep_daily: 7, prune_keep_weekly: 4 });
  expect(schedule).toMatchObject({
    prune_keep_monthly: 0,
    run_prune_after: true,
    cron_expression: '0 2 * * *',
  });
  const check = await api.get(`/api/repositories/${before.id}/check-schedule`);
  expect(check.body).toMatchObject({ check_cron_expression: '0 3 1,15 * *' });
  const again = await run(['import', 'borgmatic', config, '--take-over', '--cron', '0 2 * * *']);
  expect(again.out).toContain('Everything already exists: there is nothing to change.');
});

test('creates the same archive as borgmatic, with the same hooks', async () => {
  const first = await newestArchive(home, secret, repository);
  const job = await backUp(api, repository);
  expect(job.status).toBe('completed');
  expect(statSync(join(home, 'before')).isFile() && statSync(join(home, 'after')).isFile()).toBe(true);
  const second = await newestArchive(home, secret, repository);
  expect(second.name).toBe(job.archive_name);
  const wanted = first.entries.filter((line) => !/borgmatic|config\.yaml|common\.yaml/.test(line));
  expect(second.entries).toEqual(wanted);
  expect(second.entries.join('\n')).toContain('keep/yes.log');
  expect(second.entries.join('\n')).not.toMatch(/no\.log|left\.tmp/);

  const folder = join(home, 'out');
  const exported = await run(['export', 'borgmatic', '--output-dir', folder]);
  expect(exported.code).toBe(0);
  const file = join(folder, 'documents.yaml');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain(secret);
  await borgmatic(home, 'config', 'validate', '--config', file);
  const whole = await api.post('/api/export/borgmatic', { secrets: true });
  const withSecrets = join(home, 'leaving.yaml');
  writeFileSync(withSecrets, whole.body.files[0].content, { mode: 0o600 });
  await borgmatic(home, 'config', 'validate', '--config', withSecrets);
  await borgmatic(home, 'create', '--config', withSecrets);
  const third = await newestArchive(home, secret, repository);
  expect(third.name).not.toBe(second.name);
  expect(third.entries).toEqual(second.entries);
});
