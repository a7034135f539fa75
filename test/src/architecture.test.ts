import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pluginApiVersions } from '@holdfast/plugin-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkImports, makeTinyTree, readManifest, root, type Violation } from './import-check.js';
import { makeWorkspace } from './workspace.js';

const workspace = makeWorkspace();
afterAll(() => workspace.remove());

const packages = ['contracts', 'client', 'cli', 'core', 'plugins', 'server', 'console'];
const pluginFolders = readdirSync(join(root, 'plugins'));

test('keeps the imports of the whole tree within the rules', async () => {
  const violations = await checkImports(root, [
    'contracts/src',
    'client/src',
    'cli/src',
    'core/src',
    'plugins',
    'server/src',
    'console/src',
  ]);
  expect(violations).toEqual([]);
});

const tinyTree = makeTinyTree(workspace, [
  'express',
  'sequelize',
  'mongodb',
  'redis',
  'ssh2',
  'tsyringe',
  'zod',
]);

test('docs/contributing/architecture.md names files that exist', () => {
  const page = readFileSync(join(root, 'docs', 'contributing', 'architecture.md'), 'utf8');
  const named = [...page.matchAll(/`([\w./-]+\.(?:ts|mjs|cjs))`/g)].map(([, name = '']) => name);
  const folders = [
    'contracts/src',
    'core/src',
    'plugins',
    'server/src',
    'client/src',
    'cli/src',
    'console/src',
    'scripts',
  ];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `/${folder}/${file}`,
    ),
  );
  const exists = (name: string) =>
    existsSync(join(root, name)) || files.some((file) => file.endsWith(`/${name}`));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !exists(name))).toEqual([]);
});

test('lets allowed imports through', async () => {
  expect(await checkImports(tinyTree, packages)).toEqual([]);
});

const forbidden = [
  ['core/src/backup/backups/probe-1.ts', 'express', 'core-libraries'],
  ['core/src/engine/jobs/probe-2.ts', 'sequelize', 'core-libraries'],
  ['core/src/engine/jobs/probe-3.ts', 'mongodb', 'core-libraries'],
  ['core/src/engine/jobs/probe-4.ts', 'redis', 'core-libraries'],
  ['core/src/engine/jobs/probe-5.ts', 'ssh2', 'core-libraries'],
  ['core/src/engine/jobs/probe-6.ts', 'tsyringe', 'core-libraries'],
  ['core/src/engine/jobs/probe-7.ts', 'node:child_process', 'core-no-processes'],
  ['core/src/engine/jobs/probe-8.ts', 'node:fs', 'files-in-fs'],
  ['core/src/engine/jobs/probe-9.rules.ts', 'node:os', 'rules-are-pure'],
  ['core/src/engine/jobs/probe-24.rules.ts', '../../foundation/ports/filesystem.js', 'rules-are-pure'],
  ['core/src/engine/jobs/probe-25.ts', '../../backup/backups/index.js', 'wings-downwards'],
  ['core/src/backup/backups/probe-26.ts', '../../app/app.js', 'wings-downwards'],
  ['core/src/backup/backups/probe-27.ts', '../../engine/jobs/own.js', 'wings-by-index'],
  ['core/src/backup/backups/probe-36.ts', '../../engine/jobs/tables.js', 'wings-by-index'],
  [
    'core/src/engine/jobs/probe-10.ts',
    '../../../../plugins/storage-a/src/index.js',
    'driver-stays-behind-its-port',
  ],
  ['core/src/engine/jobs/probe-11.ts', '../../../../server/src/index.js', 'core-libraries'],
  ['contracts/src/probe-12.ts', '../../core/src/index.js', 'contracts-alone'],
  ['contracts/src/probe-13.ts', 'express', 'contracts-alone'],
  ['plugins/cache-b/src/probe-14.ts', '../../storage-a/src/index.js', 'plugins-alone'],
  ['plugins/cache-b/src/probe-15.ts', '../../storage-sequelize/src/index.js', 'libraries-of-a-kind'],
  ['plugins/cache-b/src/probe-16.ts', '../../../contracts/src/index.js', 'plugins-by-the-api'],
  ['plugins/cache-b/src/probe-17.ts', '../../../core/src/server.js', 'plugins-by-the-api'],
  ['plugins/cache-b/src/probe-18.ts', '../../../server/src/index.js', 'plugins-by-the-api'],
  ['plugins/cache-b/src/probe-28.ts', '../../testkit/src/index.js', 'testkit-is-for-tests'],
  ['plugins/api/src/probe-29.ts', 'express', 'api-alone'],
  ['server/src/probe-19.ts', 'sequelize', 'server-no-databases'],
  ['server/src/probe-20.ts', '../../plugins/storage-a/src/index.js', 'driver-stays-behind-its-port'],
  ['server/src/probe-21.ts', '../../core/src/index.js', 'server-by-doors'],
  ['server/src/http/probe-22.ts', 'tsyringe', 'tsyringe-in-composition'],
  ['server/src/probe-23.ts', 'no-such-library', 'no-unresolvable'],
  ['client/src/probe-30.ts', 'express', 'client-alone'],
  ['client/src/probe-31.ts', '../../contracts/src/index.js', 'client-alone'],
  ['client/src/probe-32.ts', 'node:crypto', 'client-alone'],
  ['console/src/probe-33.ts', '../../contracts/src/index.js', 'console-by-the-client'],
  ['console/src/probe-34.ts', '../../client/src/answers.js', 'console-by-the-client'],
  ['server/src/probe-35.ts', '../../client/src/index.js', 'service-without-its-clients'],
  ['cli/src/probe-43.ts', '../../core/src/server.js', 'cli-by-the-client'],
  ['cli/src/probe-44.ts', 'express', 'cli-by-the-client'],
  ['core/src/probe-45.ts', '../../cli/src/index.js', 'service-without-its-clients'],
  ['console/src/screens/probe-37.ts', '../routes.js', 'layers-downwards'],
  ['console/src/frame/probe-38.ts', '../routes.js', 'layers-downwards'],
  ['console/src/shell/probe-39.ts', '../screens/home.js', 'layers-downwards'],
  ['console/src/ui/probe-40.ts', '../shell/router.js', 'layers-downwards'],
  ['console/src/api/probe-41.ts', '../hub/link.js', 'layers-downwards'],
  ['console/src/i18n/probe-42.ts', '../api/api.js', 'layers-downwards'],
  ['console/src/screens/probe-43.ts', '../frame/frame.js', 'screens-without-frame'],
  ['console/src/messages/probe-44.ts', '../i18n/format.js', 'messages-take-text'],
  ['console/src/messages/server.probe-45.ts', './de/common.js', 'server-sentences-alone'],
] as const;

test('lets a module write only its own tables', () => {
  const check = (folder: string) =>
    spawnSync(process.execPath, [join(root, 'scripts', 'check-table-writes.mjs'), folder], {
      encoding: 'utf8',
    });
  expect(check(root)).toMatchObject({ status: 0, stderr: '' });
  const probe = join(tinyTree, 'core/src/engine/jobs/probe.ts');
  writeFileSync(
    probe,
    `import { type Row, events, jobs } from '../../foundation/events/index.js';
import { own } from './tables.js';
export const write = (session, row: Row) => [session.insert(own, row), session.update(
  events, {}, row), session.find(jobs)];
`,
  );
  expect(check(tinyTree)).toMatchObject({
    status: 1,
    stderr: 'core/src/engine/jobs/probe.ts:3: events belongs to events: use the index of events\n',
  });
  rmSync(probe);
});

test('keeps the service within its size budget and refuses more', () => {
  const check = (...folder: string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts', 'check-size.mjs'), ...folder], { encoding: 'utf8' });
  expect(check()).toMatchObject({ status: 0, stderr: '' });
  const arrows = 'arrows between modules, percent of possible';
  const budget = { 'source lines': 1, 'files in core': 100, [arrows]: 0 };
  writeFileSync(join(tinyTree, 'size-budget.json'), JSON.stringify(budget));
  const path = join(tinyTree, 'core/src/backup/backups/probe.ts');
  writeFileSync(path, "import '../../engine/jobs/own.js';\nexport * from '../../engine/jobs/own.js';\n");
  expect(check(tinyTree)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^source lines: \d+ of 1: too much\narrows .*: \d+ of 0: too much\n$/),
  });
  rmSync(path);
});

test('refuses a component of more than 80 lines', () => {
  const check = (...folder: string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts', 'check-component-lines.mjs'), ...folder], {
      encoding: 'utf8',
    });
  expect(check()).toMatchObject({ status: 0, stderr: '' });
  const path = join(tinyTree, 'console/src/ui/probe.tsx');
  mkdirSync(dirname(path), { recursive: true });
  const component = (lines: number) => `export const Probe = () => (\n${'  <p />\n'.repeat(lines - 2)});\n`;
  writeFileSync(path, `\n${component(80)}`);
  expect(check(tinyTree)).toMatchObject({ status: 0, stderr: '' });
  writeFileSync(path, `\n${component(81)}`);
  expect(check(tinyTree)).toMatchObject({
    status: 1,
    stderr: 'console/src/ui/probe.tsx:2: 81 lines: take out a part that has a name of its own\n',
  });
  rmSync(path);
});

test('reports exports that no other file uses', () => {
  const folder = workspace.folder('unused');
  const files = {
    'package.json': JSON.stringify({ workspaces: ['core'] }),
    'knip.json': readFileSync(join(root, 'knip.json'), 'utf8'),
    'core/package.json': '{}',
    'core/src/server.ts': "export { used } from './room.js';\n",
    'core/src/room.ts': 'export const used = 1;\nexport const planted = 2;\n',
  };
  mkdirSync(join(folder, 'core/src'), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const knip = join(root, 'node_modules/knip/bin/knip.js');
  const found = spawnSync(process.execPath, [knip, '--no-config-hints'], { cwd: folder, encoding: 'utf8' });
  expect(found).toMatchObject({ status: 1, stdout: expect.stringMatching(/planted .*room\.ts:2:14\s*$/) });
});

/** All at once: each look at the tree takes a second. */
describe('forbidden imports', () => {
  let violations: Violation[];
  beforeAll(async () => {
    const put = (file: string, text: string) => {
      const path = join(tinyTree, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    };
    const probes = forbidden.map(([file, target]) =>
      put(file, `import * as target from '${target}';\nexport default target;\n`),
    );
    const first = put('core/src/first.ts', "import './second.js';\nexport const a = 1;\n");
    const second = put('core/src/second.ts', "import './first.js';\nexport const b = 1;\n");
    const asked = put(
      'console/src/ui/asked.ts',
      "import type { B } from './later.js';\nexport type A = B;\n",
    );
    const later = put(
      'console/src/ui/later.ts',
      "export type B = string;\nexport const load = () => import('./asked.js');\n",
    );
    violations = await checkImports(tinyTree, packages);
    for (const path of [...probes, first, second, asked, later]) rmSync(path);
  });

  test.each(forbidden)('%s must not import %s (%s)', (file, _, rule) => {
    expect(violations.map((violation) => [violation.rule, violation.from])).toContainEqual([rule, file]);
  });

  test('finds files that import each other, even for types or dynamically', () => {
    const circles = violations.filter(({ rule }) => rule === 'no-cycles').map(({ from }) => from);
    expect(circles).toEqual(expect.arrayContaining(['core/src/first.ts', 'console/src/ui/asked.ts']));
  });
});

test('allows imports of tsyringe only in the composition of the server', async () => {
  const path = join(tinyTree, 'server/src/composition/probe.ts');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "import * as target from 'tsyringe';\nexport default target;\n");
  expect(await checkImports(tinyTree, packages)).toEqual([]);
});

test.each(pluginFolders)('plugins/%s: has the same facts in manifest, folder and source', (folder) => {
  const { name, holdfast } = readManifest(`plugins/${folder}`);
  expect(name).toBe(`@holdfast/${folder === 'api' ? 'plugin-api' : folder}`);
  const source = readFileSync(join(root, 'plugins', folder, 'src', 'index.ts'), 'utf8');
  const kind = /definePlugin\(\{\s*kind: '([\w-]+)'/.exec(source)?.[1];
  if (holdfast === undefined) {
    expect(kind, 'a library without a manifest is no plugin').toBeUndefined();
    return;
  }
  expect(holdfast.kind).toBe(kind);
  expect(folder).toBe(`${holdfast.kind.replace('-', '')}-${holdfast.id}`);
  // A number is a whole version, `^1.1` also wants what came with 1.1.
  const [major = ''] = /\d+/.exec(String(holdfast.apiVersion)) ?? [];
  expect(Number(major)).toBe(Number.parseInt(pluginApiVersions[holdfast.kind], 10));
});

const kindsWithSuite = ['storage', 'jobs', 'notify', 'driver', 'importer', 'sign-in', 'states'];

test.each(pluginFolders.filter((name) => kindsWithSuite.includes(kindOf(name))))(
  'plugins/%s runs the conformance suite of its kind',
  (folder) => {
    expect(existsSync(join(root, 'plugins', folder, 'test', 'conformance.test.ts'))).toBe(true);
  },
);

function kindOf(folder: string): string {
  return readManifest(`plugins/${folder}`).holdfast?.kind ?? '';
}

const packageFolders = [
  '',
  'contracts',
  'client',
  'cli',
  'core',
  'console',
  'server',
  'test',
  ...pluginFolders.map((name) => `plugins/${name}`),
];
const page = readFileSync(join(root, '.github', 'DEPENDENCIES.md'), 'utf8');
const explained = [...page.matchAll(/^\| `([^`]+)` *\| *\S/gm)].map((match) => match[1] ?? '');

function dependenciesOf(folder: string): string[] {
  const { dependencies, devDependencies } = readManifest(folder);
  const names = Object.keys({ ...dependencies, ...devDependencies });
  return names.filter((name) => !name.startsWith('@holdfast/') && !name.startsWith('@types/'));
}

test.each(packageFolders)('.github/DEPENDENCIES.md gives a reason for each dependency of "%s"', (folder) => {
  expect(dependenciesOf(folder).filter((name) => !explained.includes(name))).toEqual([]);
});

test('names only used packages in .github/DEPENDENCIES.md', () => {
  const used = packageFolders.flatMap(dependenciesOf);
  expect(explained.filter((name) => !used.includes(name))).toEqual([]);
});
