import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository } from '../actions.js';
import { root } from '../import-check.js';
import { endedMaintenance } from '../maintenance.js';
import { samplesOf } from '../metrics.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';

const folder = join(root, 'examples', 'monitoring');
const promtool = process.env.HOLDFAST_PROMTOOL || 'promtool';
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
const ownNames = /\bbk_\w+/g;

let server: TestServer;
/** The metrics that the service declares, by name, with those of their histograms. */
let declared: Set<string>;
let metrics: string;

beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory' });
  const api = await server.login();
  const source = server.workspace.folder('source');
  const path = join(server.workspace.path, 'home');
  makeFiles(source, 5);
  const settings = { name: 'home', path, source_directories: [source], freshness_hours: 26 };
  const { id } = await createRepository(api, settings);
  await backUp(api, path);
  await endedMaintenance(api, 'check', await api.post(`/api/repositories/${id}/check`));
  metrics = (await server.api.request('GET', '/metrics', { token: null })).text;
  declared = new Set(
    [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type = '']) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  );
});
afterAll(() => server?.remove());

test.each([
  ['check', 'config', 'prometheus.yml'],
  ['check', 'rules', 'holdfast-alerts.yml'],
  ['test', 'rules', 'holdfast-alerts.test.yml'],
])('promtool %s %s %s', (...words) => {
  const { status, stdout, stderr, error } = spawnSync(promtool, words, { cwd: folder, encoding: 'utf8' });
  expect([error, status, `${stdout}${stderr}`]).toEqual([
    undefined,
    0,
    expect.stringMatching(/SUCCESS|Unit Testing/),
  ]);
});

test('has valid queries in the dashboard', () => {
  const { panels } = JSON.parse(textOf('holdfast-dashboard.json')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  const asked = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(asked.length).toBeGreaterThan(20);
  const rules = asked.map((expr, n) => ({
    record: `asked:${n}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }));
  const file = join(server.workspace.folder('rules'), 'dashboard.yml');
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  const { status, stdout, stderr } = spawnSync(promtool, ['check', 'rules', file], { encoding: 'utf8' });
  expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining(`${asked.length} rules found`)]);
});

test.each(readdirSync(folder).toSorted())('%s uses only metrics that the service has', (file) => {
  const used = new Set(textOf(file).match(ownNames) ?? []);
  expect([...used].filter((name) => !declared.has(name))).toEqual([]);
});

test('selects only by labels that the metrics have', () => {
  const labels = new Map<string, Set<string>>();
  for (const { name, labels: values } of samplesOf(metrics)) {
    labels.set(name, new Set([...Object.keys(values), 'instance', 'job']));
  }
  const chosen = ['holdfast-alerts.yml', 'holdfast-dashboard.json'].flatMap((file) => [
    ...textOf(file)
      .replaceAll('\\"', '"')
      .matchAll(/\b(bk_\w+)\{([^}]*)\}/g),
  ]);
  expect(chosen.length).toBeGreaterThan(10);
  const wrong = chosen.flatMap(([, name = '', words = '']) =>
    [...words.matchAll(/(\w+)\s*[=!]/g)]
      .map(([, label = '']) => label)
      .filter((label) => labels.has(name) && !labels.get(name)?.has(label))
      .map((label) => `${name}: ${label}`),
  );
  expect(wrong).toEqual([]);
});

test('tests that each alert fires', () => {
  const alerts = [...textOf('holdfast-alerts.yml').matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  const firing = /alertname: (\w+)\n +eval_time: \w+\n +exp_alerts:\n/g;
  const fired = new Set([...textOf('holdfast-alerts.test.yml').matchAll(firing)].map(([, name]) => name));
  expect(alerts.filter((name) => !fired.has(name))).toEqual([]);
});
