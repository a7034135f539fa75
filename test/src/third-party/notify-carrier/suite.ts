import { test } from 'node:test';
import { notifierSuite } from '@holdfast/testkit';
import plugin from './index.js';

const suite = notifierSuite({ plugin, urlFor: ({ host }) => `carrier://${host}/harbour` });
for (const { name, run } of suite) test(name, run);
