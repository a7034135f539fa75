import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PluginFolder, put } from '../broken-plugins/packages.js';
import { root } from '../import-check.js';
import { makeWorkspace, type Workspace } from '../workspace.js';

/** The plugin of docs/developers/plugins.md, as it stands there. */
let workspace: Workspace;
let folder: string;

const document = readFileSync(join(root, 'docs', 'developers', 'plugins.md'), 'utf8');
const blocks = (language: string) =>
  [...document.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);

beforeAll(() => {
  workspace = makeWorkspace();
  const [manifest = ''] = blocks('json');
  const [code = '', tests = ''] = blocks('js');
  folder = new PluginFolder(workspace.folder('packages')).add('chat', { manifest, code });
  put(join(folder, 'chat.test.js'), tests);
});
afterAll(() => workspace.remove());

test('passes the suite with the documented lines', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', 'chat.test.js'], { cwd: folder });
  expect(stdout).toMatch(/^# fail 0$/m);
  expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(10);
});

/** What the command writes, and what it says. */
async function create(name: string) {
  const packages = new PluginFolder(workspace.folder('created'));
  const command = [join(root, 'server', 'bin', 'holdfast.js'), 'plugins', 'create', name];
  return { folder: join(packages.path, name), ...(await run(command, packages.path)) };
}

const run = (parameters: string[], cwd: string) =>
  promisify(execFile)(process.execPath, parameters, { cwd }).then(
    ({ stdout }) => ({ stdout, stderr: '' }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ stdout, stderr }),
  );

test('passes the created suite with a created plugin', async () => {
  const { folder, stdout } = await create('notify-my-chat');
  expect(stdout).toContain('npm install && npm test');
  const { stdout: results } = await run(['--test'], folder);
  expect(results).toMatch(/^# fail 0$/m);
  expect(Number(/^# pass (\d+)$/m.exec(results)?.[1])).toBeGreaterThan(10);
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toMatchObject({
    holdfast: { id: 'my-chat', schemes: ['mychat', 'mychats'] },
  });
});

test.each([
  ['.', /is not empty. Name a new folder/],
  ['notify-a b', /"a b" is not a valid plugin id\. Use a-z/],
])('refuses to create a plugin in "%s" and writes nothing', async (name, sentence) => {
  const packages = new PluginFolder(workspace.folder(`refused-${name.length}`));
  const before = readdirSync(packages.path);
  const command = [join(root, 'server', 'bin', 'holdfast.js'), 'plugins', 'create', name];
  expect((await run(command, packages.path)).stderr).toMatch(sentence);
  expect(readdirSync(packages.path)).toEqual(before);
});
