import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkImports, makeTinyTree, readManifest, root } from './import-check.js';
import { makeWorkspace } from './workspace.js';

const workspace = makeWorkspace();
afterAll(() => workspace.remove());

const rooms = ['contracts', 'core', 'plugins', 'server'];
const pluginFolders = readdirSync(join(root, 'plugins'));

test('the imports of the whole tree keep to the rules', async () => {
  const violations = await checkImports(root, ['contracts/src', 'core/src', 'plugins', 'server/src']);
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

test('the rules let through what is allowed', async () => {
  expect(await checkImports(tinyTree, rooms)).toEqual([]);
});

test.each([
  ['core/src/usecases/probe.ts', 'express', 'core-libraries'],
  ['core/src/runtime/probe.ts', 'sequelize', 'core-libraries'],
  ['core/src/runtime/probe.ts', 'mongodb', 'core-libraries'],
  ['core/src/runtime/probe.ts', 'redis', 'core-libraries'],
  ['core/src/runtime/probe.ts', 'ssh2', 'core-libraries'],
  ['core/src/runtime/probe.ts', 'tsyringe', 'core-libraries'],
  ['core/src/runtime/probe.ts', 'node:child_process', 'core-no-processes'],
  ['core/src/usecases/probe.ts', 'node:fs', 'core-pure-rules'],
  ['core/src/domain/probe.ts', 'node:fs/promises', 'core-pure-rules'],
  ['core/src/runtime/probe.ts', '../../../plugins/storage-a/src/index.js', 'driver-stays-behind-its-port'],
  ['core/src/runtime/probe.ts', '../../../server/src/index.js', 'core-libraries'],
  ['contracts/src/probe.ts', '../../core/src/index.js', 'contracts-alone'],
  ['contracts/src/probe.ts', 'express', 'contracts-alone'],
  ['plugins/cache-b/src/probe.ts', '../../storage-a/src/index.js', 'plugins-alone'],
  ['plugins/cache-b/src/probe.ts', '../../storage-sequelize/src/index.js', 'libraries-of-a-kind'],
  ['plugins/cache-b/src/probe.ts', '../../../contracts/src/index.js', 'plugins-by-one-door'],
  ['plugins/cache-b/src/probe.ts', '../../../core/src/server.js', 'plugins-by-one-door'],
  ['plugins/cache-b/src/probe.ts', '../../../server/src/index.js', 'plugins-by-one-door'],
  ['server/src/probe.ts', 'sequelize', 'server-no-databases'],
  ['server/src/probe.ts', '../../plugins/storage-a/src/index.js', 'driver-stays-behind-its-port'],
  ['server/src/probe.ts', '../../core/src/index.js', 'server-by-two-doors'],
  ['server/src/http/probe.ts', 'tsyringe', 'tsyringe-in-composition'],
  ['server/src/probe.ts', 'no-such-library', 'no-unresolvable'],
])('%s must not import %s (%s)', async (file, target, rule) => {
  const path = join(tinyTree, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `import * as target from '${target}';\nexport default target;\n`);
  try {
    const violations = await checkImports(tinyTree, rooms);
    expect(violations.map((violation) => [violation.rule, violation.from])).toContainEqual([rule, file]);
  } finally {
    rmSync(path);
  }
});

test('two files that import each other are found', async () => {
  const [first, second] = ['core/src/first.ts', 'core/src/second.ts'].map((file) => join(tinyTree, file));
  writeFileSync(first ?? '', "import './second.js';\nexport const a = 1;\n");
  writeFileSync(second ?? '', "import './first.js';\nexport const b = 1;\n");
  try {
    const violations = await checkImports(tinyTree, rooms);
    expect(violations.map(({ rule }) => rule)).toContain('no-cycles');
  } finally {
    rmSync(first ?? '');
    rmSync(second ?? '');
  }
});

test('only the composition of the server may import tsyringe', async () => {
  const path = join(tinyTree, 'server/src/composition/probe.ts');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "import * as target from 'tsyringe';\nexport default target;\n");
  expect(await checkImports(tinyTree, rooms)).toEqual([]);
});

test.each(pluginFolders)('plugins/%s: manifest, folder and source tell the same', (folder) => {
  const { name, holdfast } = readManifest(`plugins/${folder}`);
  expect(name).toBe(`@holdfast/${folder}`);
  const source = readFileSync(join(root, 'plugins', folder, 'src', 'index.ts'), 'utf8');
  const kind = /definePlugin\(\{\s*kind: '(\w+)'/.exec(source)?.[1];
  if (holdfast === undefined) {
    expect(kind, 'a library without a manifest is no plugin').toBeUndefined();
    return;
  }
  expect(holdfast.kind).toBe(kind);
  expect(folder).toBe(`${holdfast.kind}-${holdfast.id}`);
  expect(holdfast.apiVersion).toBe(kind === 'storage' ? 2 : 1);
});

const kindsWithSuite = ['storage', 'jobs', 'notify', 'driver'];

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
  'core',
  'server',
  'test',
  ...pluginFolders.map((name) => `plugins/${name}`),
];
const page = readFileSync(join(root, 'docs', 'dependencies.md'), 'utf8');
const explained = [...page.matchAll(/^\| `([^`]+)` *\| *\S/gm)].map((match) => match[1] ?? '');

function dependenciesOf(folder: string): string[] {
  const { dependencies, devDependencies } = readManifest(folder);
  const names = Object.keys({ ...dependencies, ...devDependencies });
  return names.filter((name) => !name.startsWith('@holdfast/') && !name.startsWith('@types/'));
}

test.each(packageFolders)('docs/dependencies.md gives a reason for each dependency of "%s"', (folder) => {
  expect(dependenciesOf(folder).filter((name) => !explained.includes(name))).toEqual([]);
});

test('docs/dependencies.md names nothing that is no longer used', () => {
  const used = packageFolders.flatMap(dependenciesOf);
  expect(explained.filter((name) => !used.includes(name))).toEqual([]);
});
