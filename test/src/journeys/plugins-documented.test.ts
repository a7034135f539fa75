import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PluginFolder, put } from '../broken-plugins/packages.js';
import { root } from '../import-check.js';
import { makeWorkspace, type Workspace } from '../workspace.js';

/** The plugin of docs/plugins.md, as it stands there. */
let workspace: Workspace;
let folder: string;

const document = readFileSync(join(root, 'docs', 'plugins.md'), 'utf8');
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

test('it passes the suite by the lines that the document has for it', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', 'chat.test.js'], { cwd: folder });
  expect(stdout).toMatch(/^# fail 0$/m);
  expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(10);
});
