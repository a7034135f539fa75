import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  examplePackages,
  installPublished,
  type PublishedInstallation,
  root,
} from '../published/installation.js';
import { compile, runTests } from '../published/run-node.js';
import { TestServer } from '../server.js';
import { HttpSink } from '../services/http-sink.js';

/** Plugins as somebody else writes them, who has the packages and their README and nothing else. */
const thirdParty = join(root, 'test', 'src', 'third-party');
const examples = examplePackages();
let installed: PublishedInstallation;

beforeAll(async () => {
  const libraries = Object.assign({}, ...examples.map(({ dependencies }) => dependencies));
  // A user of TypeScript has the types of Node, which packages for Node need.
  installed = await installPublished({ ...libraries, '@types/node': '^20' });
  for (const { folder } of examples) installed.take(folder);
});
afterAll(() => installed?.remove());

const compiled = new Map<string, Promise<string>>();

/** The folder of the compiled plugin in the installation. */
function written(name: string): Promise<string> {
  const known = compiled.get(name) ?? compilePlugin(name);
  compiled.set(name, known);
  return known;
}

async function compilePlugin(name: string): Promise<string> {
  const folder = installed.take(join(thirdParty, name));
  cpSync(join(thirdParty, 'tsconfig.json'), join(folder, 'tsconfig.json'));
  expect(await compile(folder)).toEqual({ code: 0, output: '' });
  return folder;
}

async function keepsItsPromises(folder: string, file: string, atLeast: number): Promise<void> {
  const { passed, ...run } = await runTests(folder, file);
  expect(run).toEqual({ code: 0, failures: '' });
  expect(passed).toBeGreaterThanOrEqual(atLeast);
}

test.each([
  ['notify-carrier', 20],
  ['storage-json', 66],
])('%s passes the suite of its port with the published types', async (name, atLeast) => {
  await keepsItsPromises(await written(name), 'dist/suite.js', atLeast);
});

test('runs the packed server with added plugins and delivers through them', async () => {
  const plugins = [
    await written('notify-carrier'),
    await written('storage-json'),
    join(installed.path, 'examples', 'notify-ntfy'),
  ];
  const office = await HttpSink.open();
  const server = await TestServer.start({ entry: installed.entry, env: { PLUGINS: plugins.join() } });
  try {
    const api = await server.login();
    expect((await api.get('/')).text, 'the console came with it').toContain('<script type="module"');
    const { body } = await api.get('/api/plugins');
    for (const id of ['carrier', 'ntfy'])
      expect(body.plugins).toContainEqual(expect.objectContaining({ id, kind: 'notify', healthy: true }));
    expect(body.plugins).toContainEqual(
      expect.objectContaining({ id: 'json', kind: 'storage', chosen: true, healthy: true }),
    );
    const urls = [`carrier://${office.host}/harbour`, `ntfy://${office.host}/backups`];
    for (const service_url of urls)
      expect((await api.post('/api/notifications/test', { service_url })).body).toMatchObject({
        success: true,
      });
    const [note, post] = office.requests;
    expect(JSON.parse(note?.body ?? '{}')).toMatchObject({ sender: 'Holdfast' });
    expect(post?.path).toBe('/backups');
  } finally {
    await server.remove();
    await office.close();
  }
});

test('compiles the examples with the published types', async () => {
  copyFileSync(
    join(root, 'test', 'src', 'published', 'tsconfig.examples.json'),
    join(installed.path, 'tsconfig.json'),
  );
  expect(await compile(installed.path)).toEqual({ code: 0, output: '' });
});

const suite = (name: string, atLeast: number, file = 'conformance') =>
  keepsItsPromises(join(installed.path, 'examples', name), `test/${file}.test.js`, atLeast);

test.concurrent.each([
  ['driver-tar', 29],
  ['storage-mariadb', 60],
  ['cache-valkey', 10],
])('passes the suite of its port with the example %s', (name, atLeast) => suite(name, atLeast));

test('passes the suite of its port with the example jobs-postgres', async () => {
  await suite('jobs-postgres', 20);
  await suite('jobs-postgres', 1, 'rows');
});
