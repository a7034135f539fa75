import { settingsProblem } from '@holdfast/core/server';
import { importerSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import { read } from '../src/read.js';
import { write } from '../src/write.js';
import { content } from './sample.js';

describe('importer-borgmatic passes the suite for importers', () => {
  const suite = importerSuite({
    open: async () => ({ importer: { read, write }, close: async () => undefined }),
    files: [{ name: '/etc/borgmatic/config.yaml', content }],
    answers: [
      { kind: 'include', name: '/etc/borgmatic/common.yaml', text: 'keep_daily: 7\n' },
      { kind: 'credential', name: 'systemd topic', text: 'sesame-4711' },
    ],
    secrets: ['sesame-4711', 'sesame-4712', 'sesame-4713', 'sesame-4714'],
    losses: ['postgresql_databases[0]', 'strange'],
    problemOf: settingsProblem,
  });
  for (const { name, run } of suite) it.concurrent(name, run);
});
