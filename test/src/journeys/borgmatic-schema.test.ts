import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from '../api.js';
import { fileOfSchema } from '../borgmatic-schema.js';
import { TestServer } from '../server.js';

/** Those of the real packages: see TEST_BORGMATIC. */
const schemas = (process.env.TEST_BORGMATIC_SCHEMAS ?? '').split(':');
let server: TestServer;
let api: Api;
beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
}, 60_000);
afterAll(() => server?.remove());

interface Line {
  key: string;
  line: number;
  result: string;
  reason: string | null;
  reason_code: string | null;
}

test('covers five release lines', () => {
  expect(schemas).toHaveLength(5);
});

test.each(schemas)('imports, changes or reports each option of %s', async (schema) => {
  const { content, options } = fileOfSchema(schema);
  expect(options.length).toBeGreaterThan(100);
  for (const take_over of [false, true]) {
    const files = [{ name: join('/etc/borgmatic', 'config.yaml'), content }];
    const answer = await api.post('/api/import/borgmatic', { files, take_over, dry_run: true });
    expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
    const lines = answer.body.lines as Line[];
    const told = lines.map(({ key }) => key);
    const isSection = (option: string) => options.some((other) => other.startsWith(`${option}.`));
    const isTold = (option: string) =>
      told.some((key) => key === option || option.startsWith(`${key}.`) || option.startsWith(`${key}[`));
    expect(options.filter((option) => !isTold(option) && !isSection(option))).toEqual([]);
    // Nothing of the schema is a stranger, and whatever is not taken says why.
    const strange = ['borgmatic_option_unknown', 'borgmatic_value_unfit', 'borgmatic_value_empty'];
    expect(lines.filter(({ reason_code: code }) => code !== null && strange.includes(code))).toEqual([]);
    expect(lines.filter(({ result, reason }) => result !== 'taken' && !reason)).toEqual([]);
    expect(lines.filter(({ line }) => line < 1)).toEqual([]);
    // A line of its own for each, beside parts of what is told as a whole.
    expect(new Set(told).size).toBe(told.length);
    const results = new Set(lines.map(({ result }) => result));
    expect([...results].sort()).toEqual(['changed', 'left_out', 'taken']);
  }
});

test('creates repositories only on request', async () => {
  const path = join(server.workspace.path, 'made', 'here.borg');
  const content = `repositories:\n  - path: ${path}\n    encryption: none\n`;
  const body = { files: [{ name: 'new.yaml', content }] };
  const refused = await api.post('/api/import/borgmatic', body);
  expect(refused.body.objects).toMatchObject([
    { action: 'cannot', reason_code: 'repository_folder_missing' },
  ]);
  const planned = await api.post('/api/import/borgmatic', { ...body, create_missing: true, dry_run: true });
  expect(planned.body.objects).toMatchObject([{ action: 'create', name: 'here' }]);
  expect((await api.get('/api/repositories/')).body.repositories).toEqual([]);
  for (const round of ['first', 'again']) {
    const made = await api.post('/api/import/borgmatic', { ...body, create_missing: true });
    expect([round, made.status, made.body.counts.cannot]).toEqual([round, 200, 0]);
  }
  const { repositories } = (await api.get('/api/repositories/')).body;
  expect(repositories).toMatchObject([{ name: 'here', path, encryption: 'none', mode: 'observe' }]);
});

test('reports repositories on unknown hosts or of other kinds as skipped', async () => {
  const content = 'repositories: ["ssh://ann@nas/./home", "s3:bucket/x", ""]\n';
  const { body } = await api.post('/api/import/borgmatic', { files: [{ name: 'a.yaml', content }] });
  const codes = body.objects.map(({ reason_code }: Line) => reason_code);
  expect(codes.slice(0, 2)).toEqual(['borgmatic_connection_missing', 'borgmatic_place_unsupported']);
});
