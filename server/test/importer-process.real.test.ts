import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isolatedImporter, type PluginManifest } from '@holdfast/core/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openImporter } from '../src/adapters/importer-process.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-importers-'));
  writeFileSync(join(folder, 'secret'), 'sesame-4711');
});
afterAll(() => rmSync(folder, { recursive: true }));

const files = [{ name: '/etc/tool/config', content: 'password: sesame-4711' }];
const environment = { takeOver: true, cron: null, timezone: 'UTC', answers: [], verdicts: [], found: null };
const empty =
  '{ needs: [], checks: [], secrets: [], unreadable: null, files: files.map(() => ({ base: "x", repositories: [], report: [], settings: [] })) }';

/** Reads with an importer whose `read` has this body. */
function reading(id: string, body: string, imports = '') {
  const place = join(folder, id);
  mkdirSync(place);
  const entry = join(place, 'index.js');
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    entry,
    `${imports}\nexport default { kind: 'importer', create: () => ({ async read(files, environment) { ${body} } }) };`,
  );
  const manifest = { id, package: `holdfast-${id}`, entry, folder: place } as PluginManifest;
  const importer = isolatedImporter({ manifest, configuration: {} }, (plugin) => openImporter(plugin, 4_000));
  return importer.using(({ read }) => read(files, environment));
}

it('reads with a sound importer', async () => {
  expect(await reading('sound', `return ${empty};`)).toMatchObject({ files: [{ base: 'x' }] });
});

it.each([
  ['throwing', 'throw new TypeError(files[0].content);', 'it threw an error (TypeError)'],
  ['throwing-nothing', 'throw undefined;', 'it threw an error'],
  [
    'throwing-later',
    'setTimeout(() => { throw new Error("later"); }); await new Promise(() => {});',
    'it ended',
  ],
  ['leaving', 'process.exit(0);', 'it ended'],
  ['nonsense', 'return { files: "all" };', 'returned an invalid result (files)'],
  ['nothing', 'return undefined;', 'returned an invalid result (all of it)'],
  ['forgetful', `return { ...${empty}, files: [] };`, 'returned an invalid result (files)'],
  ['circular', 'const a = {}; a.a = a; return a;', 'it threw an error (TypeError)'],
])('names an importer that is %s', async (id, body, problem) => {
  const error = await reading(id, body).catch((reason: Error) => reason);
  expect(error).toMatchObject({ name: 'AppError', code: 'internal' });
  expect((error as Error).message).toContain(`holdfast-${id} `);
  expect((error as Error).message).toContain(problem);
  expect((error as Error).message).not.toContain('sesame');
});

it.each([
  ['looping', 'for (;;);'],
  ['silent', 'await new Promise((resolve) => setInterval(() => {}, 1_000));'],
  ['greedy', 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length));'],
])('reports a file if the importer is %s', async (id, body) => {
  const { unreadable } = await reading(id, body);
  expect(unreadable).toEqual({
    file: '/etc/tool/config',
    line: 1,
    problem: `holdfast-${id} needs too much time or memory to read it`,
  });
});

it.each([
  ['files', "import { readFileSync } from 'node:fs';", () => `readFileSync('${join(folder, 'secret')}')`],
  ['folders', "import { readdirSync } from 'node:fs';", () => `readdirSync('${folder}')`],
  ['later files', '', () => `(await import('node:fs/promises')).readFile('${join(folder, 'secret')}')`],
  ['built-in files', '', () => "process.getBuiltinModule('fs').readFileSync('/etc/passwd')"],
  [
    'writing',
    "import { writeFileSync } from 'node:fs';",
    () => `writeFileSync('${join(folder, 'written')}', '')`,
  ],
  ['programs', "import { execFileSync } from 'node:child_process';", () => "execFileSync('/bin/true')"],
  ['threads', "import { Worker } from 'node:worker_threads';", () => "new Worker('', { eval: true })"],
])('stops one that wants more than its files: %s', async (what, imports, work) => {
  const id = `curious-${what.replace(' ', '-')}`;
  await expect(reading(id, `await ${work()}; return ${empty};`, imports)).rejects.toThrow(
    `holdfast-${id} failed: it tried to use something it has no access to. Nothing was imported.`,
  );
});

it('gives it no variables', async () => {
  const body = `return { files: [], needs: [], checks: [], secrets: [], unreadable: { file: 'x', line: 1, problem: Object.keys(process.env).join() || 'none' } };`;
  expect((await reading('inquisitive', body)).unreadable?.problem).toMatch(/^(none|PWD)$/);
});
