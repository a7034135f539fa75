import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ended, holdfast } from '../command.js';
import { isDeep } from '../lane.js';
import { makeWorkspace, type Workspace } from '../workspace.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let workspace: Workspace;
beforeAll(() => {
  workspace = makeWorkspace();
});
afterAll(() => workspace.remove());

const check = (folder: string, ...parameters: string[]): Promise<Ended> =>
  holdfast(['plugins', 'check', folder, ...parameters], { cwd: workspace.path });
const checkWith = (env: Record<string, string>, folder: string, ...parameters: string[]): Promise<Ended> =>
  holdfast(['plugins', 'check', folder, ...parameters], { cwd: workspace.path, env });

/** A package in a folder of its own, with the libraries of this checkout in reach. */
function plugin(name: string, code: string | null, manifest: object | string = {}): string {
  const folder = join(workspace.path, name);
  mkdirSync(folder);
  const block = { apiVersion: 1, kind: 'notify', id: name, schemes: ['test'], ...(manifest as object) };
  const text = { name, version: '1.0.0', type: 'module', exports: './index.js', holdfast: block };
  writeFileSync(join(folder, 'package.json'), typeof manifest === 'string' ? manifest : JSON.stringify(text));
  if (code !== null) writeFileSync(join(folder, 'index.js'), code);
  return folder;
}

const anyConfiguration = '{ safeParse: (data) => ({ success: true, data }), parse: (data) => data }';
const transport = (create: string) => `export default {
  kind: 'notify', configuration: ${anyConfiguration}, create: () => ${create},
};`;

test('passes a transport of the examples', async () => {
  const folder = join(workspace.path, 'ntfy');
  cpSync(join(root, 'examples', 'notify-ntfy'), folder, { recursive: true });
  cpSync(join(root, 'node_modules', '@holdfast'), join(folder, 'node_modules', '@holdfast'), {
    recursive: true,
  });
  cpSync(join(root, 'node_modules', 'zod'), join(folder, 'node_modules', 'zod'), { recursive: true });
  const { code, out, err } = await check('ntfy', '--url', 'ntfy://{host}/backups');
  expect([code, err]).toEqual([0, '']);
  const lines = out.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^@holdfast\/example-notify-ntfy 0\.1\.0: notify "ntfy", (\d+) cases$/);
  expect(lines.at(-1)).toMatch(/^\d\d passed, 0 failed$/);
  expect(lines.slice(1, -1).every((line) => line.startsWith('passed  '))).toBe(true);
});

test('checks built-in plugins by name or folder, with a configuration and some cases', async () => {
  const file = join(workspace.path, 'sqlite.json');
  writeFileSync(file, '{"file": "{folder}/{store}.db"}');
  const storage = await check(
    '@holdfast/storage-sqlite',
    '--configuration',
    file,
    '--only',
    'transaction',
    '--json',
  );
  expect(storage.code).toBe(0);
  expect(JSON.parse(storage.out)).toMatchObject({ failed: 0 });
  const cache = await check(join(root, 'plugins', 'cache-memory'), '--only', 'deletes');
  expect([cache.code, cache.out]).toEqual([0, expect.stringContaining('2 passed, 0 failed\n')]);
  const jobs = await check(join(root, 'plugins', 'jobs-embedded'), '--only', 'fires');
  expect(jobs.out).toMatch(/\n[1-9]\d* passed, 0 failed, [1-9]\d* skipped\n$/);
  const none = await check(join(root, 'plugins', 'cache-memory'), '--only', 'no such case');
  expect([none.code, none.err]).toEqual([1, expect.stringMatching(/^No case .*\n$/)]);
});

test('configures a plugin by its variables like the service', async () => {
  const env = {
    PLUGIN_STORAGE_SQLITE_FILE: '{folder}/{store}.db',
    PLUGIN_STORAGE_SQLITE_FIEL: 'x',
    PLUGIN_NOTIFY_OTHER_TOKEN: 'open-sesame',
  };
  const storage = await checkWith(env, '@holdfast/storage-sqlite', '--only', 'transaction');
  expect(storage.out).toMatch(
    /cases\nwith PLUGIN_STORAGE_SQLITE_FILE, PLUGIN_STORAGE_SQLITE_FIEL\npassed(.|\n)*\n[1-9]\d* passed, 0 failed\n$/,
  );
  expect([storage.code, storage.err]).toEqual([
    0,
    '@holdfast/storage-sqlite does not know PLUGIN_STORAGE_SQLITE_FIEL. ' +
      'Did you mean PLUGIN_STORAGE_SQLITE_FILE?\n',
  ]);
  const configuration = `{ shape: { url: {}, left: {} }, safeParse: (data) => ({ success: true, data }), parse: (x) => x }`;
  const told = plugin(
    'told',
    `export default { kind: 'notify', configuration: ${configuration}, create: ({ configuration: { url, left } }) => {
      throw new Error([url, left, process.env.PLUGIN_NOTIFY_TOLD_URL, process.env.PLUGIN_NOTIFY_OTHER_TOKEN].join(' '));
    } };`,
  );
  const file = join(workspace.path, 'left.json');
  writeFileSync(file, '{"left": "of the file"}');
  const variables = {
    PLUGIN_NOTIFY_TOLD_URL: 'chat://ada:open-sesame@127.0.0.1',
    PLUGIN_NOTIFY_TOLD_LEFT: 'v',
  };
  const refused = await checkWith({ ...env, ...variables }, told, '--configuration', file);
  expect([refused.code, refused.err]).toEqual([1, 'told could not be created: *** of the file.\n']);
});

test('reports each failed case', async () => {
  const folder = plugin('boastful', transport(`({ schemes: ['test'], send: async () => {} })`));
  const { code, out } = await check(folder);
  expect(code).toBe(1);
  expect(out).toMatch(/^failed {2}.+: .+$/m);
  expect(out).toMatch(/\n\d+ passed, [1-9]\d* failed\n$/);
  const late = plugin('late', transport(`({ schemes: ['test'], send: () => new Promise(() => {}) })`));
  const short = await check(late, '--timeout', '0.3', '--json');
  expect(JSON.parse(short.out).cases).toContainEqual(
    expect.objectContaining({ passed: false, reason: 'timed out after 0.3 s' }),
  );
});

test('names a broken plugin in one sentence and exits with 1 within ten seconds', async () => {
  const never = 'await new Promise((resolve) => setTimeout(resolve, 600_000)); export default {};';
  const all: [folder: string, sentence: RegExp][] = [
    [join(workspace.path, 'nothing'), /nothing/],
    [plugin('no-json', null, '{'), /no-json is not a plugin: its package\.json is not JSON/],
    [plugin('no-entry', null), /no-entry has the entry \.\/index\.js, which does not exist/],
    [plugin('wrong-kind', '', { kind: 'weather' }), /wrong-kind .* unknown kind "weather"/],
    [plugin('wrong-version', '', { apiVersion: 99 }), /wrong-version .* version 99/],
    [plugin('throwing', 'throw new Error("on purpose");'), /throwing can't be imported: on purpose/],
    [
      plugin('exporting-nothing', 'export const x = 1;'),
      /exporting-nothing has no plugin as its default export/,
    ],
    [plugin('hanging', never), /hanging took more than \d+ s to import/],
    [plugin('endless', 'for (;;);'), /endless took more than \d+ s to import/],
    [
      plugin('hanging-create', transport('new Promise(() => {})')),
      /hanging-create took more than \d+ s to create/,
    ],
    [
      plugin('failing', transport('{ throw new Error("on purpose"); }')),
      /failing could not be created: on purpose/,
    ],
    [
      plugin('uncaught', 'setTimeout(() => { throw new Error("later"); }); await new Promise(() => {});'),
      /uncaught/,
    ],
  ];
  // Three of them have to be waited for; the rest differs in the sentence.
  const broken = isDeep ? all : [...all.slice(0, 6), ...all.slice(9)];
  const run = async ([folder, sentence]: [string, RegExp]) => {
    const began = performance.now();
    const { code, out, err } = await check(folder);
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(sentence)]);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    return performance.now() - began;
  };
  // One at a time where time counts: a crowd on a small machine says nothing about it.
  const isHanging = ([, sentence]: [string, RegExp]) => /took more/.test(sentence.source);
  const hanging = broken.filter(isHanging);
  await Promise.all(broken.filter((one) => !isHanging(one)).map(run));
  for (const one of hanging) expect(await run(one)).toBeLessThan(20_000);
  rmSync(join(workspace.path, 'no-json'), { recursive: true });
});
