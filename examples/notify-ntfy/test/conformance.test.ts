import { notifierSuite } from '@holdfast/testkit';
import { test } from 'vitest';
import plugin from '../index.js';

const suite = notifierSuite({ plugin, urlFor: ({ host }) => `ntfy://${host}/backups` });
for (const { name, run } of suite) test.concurrent(name, run);
