import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pluginApiVersions } from '@holdfast/plugin-api';
import { serverVersion } from '../server-version.js';
import { CommandError } from './exit.js';

/** Creates a notification plugin with a test in a new or empty folder and names it after the folder. */
export async function pluginsCreate(name: string): Promise<number> {
  const folder = resolve(name);
  const id = basename(folder)
    .replace(/^(holdfast-)?notify-/, '')
    .toLowerCase();
  if (!/^[a-z][a-z0-9-]*$/.test(id)) {
    throw new CommandError(
      `"${id}" is not a valid plugin id. Use a-z, 0-9 and -, starting with a letter. Example: holdfast plugins create notify-chat`,
    );
  }
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0)
    throw new CommandError(`${folder} is not empty. Name a new folder.`);
  for (const [file, text] of Object.entries(filesOf(id))) await writeFile(join(folder, file), text);
  console.log(`Created a notification plugin for ${id}:// in ${folder}. Next:
  cd ${name} && npm install && npm test     (packages not in the registry yet? See docs/developers/plugins.md)
  PLUGINS=${folder} holdfast serve`);
  return 0;
}

const major = Number.parseInt(pluginApiVersions.notify, 10);
const scheme = (id: string) => id.replaceAll('-', '');

const filesOf = (id: string): Record<string, string> => ({
  'package.json': `${JSON.stringify(manifestOf(id), null, 2)}\n`,
  'index.js': `import { DeliveryError, definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';

export default definePlugin({
  kind: 'notify',
  // Set by PLUGIN_NOTIFY_${id.toUpperCase().replaceAll('-', '_')}_TOKEN. Secrets are masked in logs and
  // responses.
  configuration: z.object({ token: z.string().optional().describe('secret') }),
  create: ({ configuration: { token }, fetch }) => ({
    schemes: ['${scheme(id)}', '${scheme(id)}s'],
    // ${scheme(id)}://host/path is sent to http://host/path, ${scheme(id)}s:// to https://.
    async send(url, { title, body }, { signal }) {
      const target = url.replace(/^${scheme(id)}/i, 'http');
      const headers = token ? { authorization: \`Bearer \${token}\` } : {};
      const answer = await fetch(target, { method: 'POST', headers, body: \`\${title}\\n\\n\${body}\`, signal });
      await answer.body?.cancel();
      if (answer.ok) return;
      // Retryable errors are retried for 24 hours. Never include the URL in the message: it may contain
      // secrets.
      throw new DeliveryError(\`${id} answered \${answer.status}.\`, { retryable: answer.status >= 500 || answer.status === 429 });
    },
  }),
});
`,
  'index.test.js': `import { test } from 'node:test';
import { notifierSuite } from '@holdfast/testkit';
import plugin from './index.js';

const suite = notifierSuite({
  plugin,
  urlFor: ({ host }) => \`${scheme(id)}://\${host}/backups\`,
  configurationFor: () => ({ token: 'a secret token' }),
});
for (const { name, run } of suite) test(name, run);
`,
});

const manifestOf = (id: string) => ({
  name: `holdfast-notify-${id}`,
  version: '0.1.0',
  type: 'module',
  exports: './index.js',
  keywords: ['holdfast-plugin'],
  scripts: { test: 'node --test' },
  holdfast: { apiVersion: `^${major}`, kind: 'notify', id, schemes: [scheme(id), `${scheme(id)}s`] },
  dependencies: { '@holdfast/plugin-api': `^${serverVersion}`, zod: '^3.25.0' },
  devDependencies: { '@holdfast/testkit': `^${serverVersion}` },
});
