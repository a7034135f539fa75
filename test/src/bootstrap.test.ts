import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { count, launch, makeTree, put, putSlow, removeTree, start, tree } from './tiny-tree.js';
import { waitFor } from './wait-for.js';

beforeEach(makeTree);
afterEach(removeTree);

interface Manifest {
  dependencies: Record<string, string>;
}
type Manifests = Manifest & { packages: { server: Manifest } & Record<string, object> };

const installed = (name: string) => existsSync(join(tree, 'node_modules', name));

test('prepares an empty tree once', async () => {
  const first = await start();
  expect(first.output).toMatch(
    /^Packages … \(about 30 s the first time\)\n(.*\n)*Packages: took \d+\.\d s$/m,
  );
  expect(first.output).toContain('the service runs');
  expect(first.code).toBe(0);
  const second = await start();
  expect(second.output).toMatch(/^the service runs \d+\n$/);
  expect([count('builds.log'), count('borg.log')]).toEqual([1, 1]);
});

test('installs tools only for who asks, and the driver once', async () => {
  const before = readFileSync(join(tree, 'package-lock.json'), 'utf8');
  await start();
  expect([installed('vite'), installed('tool'), count('types.log')]).toEqual([true, false, 0]);
  await launch('prepare.mjs', {}, ['dependencies', 'types']).outcome;
  expect([installed('vite'), installed('tool'), count('types.log')]).toEqual([true, true, 1]);
  expect((await start()).output).toMatch(/^the service runs \d+\n$/);
  expect(readFileSync(join(tree, 'scripts.log'), 'utf8'), 'no other script ran').toBe('sqlite3\n');
  expect(readFileSync(join(tree, 'package-lock.json'), 'utf8')).toBe(before);
});

test('repairs an edit, a missing output and a lost driver', async () => {
  await start();
  put('room/src/index.ts', 'export const a = 22;\n');
  await start();
  expect(count('builds.log')).toBe(2);
  rmSync(join(tree, 'console/dist'), { recursive: true });
  await start();
  expect(count('builds.log')).toBe(3);
  rmSync(join(tree, 'sqlite3/build'), { recursive: true });
  expect((await start()).output).toContain('Database driver');
  expect(count('scripts.log')).toBe(2);
});

test('adds a package that an update brings, and keeps the driver', async () => {
  await start();
  const changed = (path: string, change: (content: Manifests) => void) => {
    const content = JSON.parse(readFileSync(join(tree, path), 'utf8'));
    change(content);
    put(path, JSON.stringify(content));
  };
  put('added/package.json', JSON.stringify({ name: 'added', version: '1.0.0' }));
  const add = (content: Manifest) => Object.assign(content.dependencies, { added: 'file:../added' });
  changed('server/package.json', add);
  changed('package-lock.json', ({ packages }) => {
    add(packages.server);
    packages.added = { name: 'added', version: '1.0.0' };
    packages['node_modules/added'] = { resolved: 'added', link: true };
  });
  expect((await start()).output).toContain('Packages: took');
  expect([installed('added/package.json'), count('scripts.log')]).toEqual([true, 1]);
  expect((await start()).output).toMatch(/^the service runs \d+\n$/);
});

test('prepares once and runs both if two start together', async () => {
  const [first, second] = await Promise.all([start(), start()]);
  expect([first.code, second.code]).toEqual([0, 0]);
  expect(first.output + second.output).toContain('waiting for it');
  expect(count('builds.log')).toBe(1);
});

test('repeats an installation that was killed', async () => {
  putSlow('npm');
  const child = launch('start.mjs');
  await waitFor(() => existsSync(join(tree, 'slow.pid')), { what: 'the installation', intervalMs: 20 });
  child.kill('SIGKILL');
  await child.outcome;
  process.kill(Number(readFileSync(join(tree, 'slow.pid'), 'utf8')), 'SIGKILL');
  put('node_modules/vite/package.json', '{"half":');
  put('node_modules/.package-lock.json', '{"packages":{}}');
  rmSync(join(tree, 'bin/npm'));
  expect((await start()).output).toContain('the service runs');
});
