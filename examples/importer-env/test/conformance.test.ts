import { importerSuite } from '@holdfast/testkit';
import { test } from 'vitest';
import plugin from '../index.js';

const content = `export BORG_REPO=/backups/home\nBORG_PASSPHRASE=sesame-4711\nBACKUP_FOLDERS=/home:/etc\nBORG_RSH=ssh\n`;
const suite = importerSuite({
  open: async () => ({ importer: await plugin.create({} as never), close: async () => undefined }),
  files: [{ name: '/etc/backup.env', content }],
  secrets: ['sesame-4711'],
  losses: ['BORG_RSH'],
});
// It writes no files.
for (const { name, run } of suite.filter((each) => !each.name.startsWith('writes ')))
  test.concurrent(name, run);
