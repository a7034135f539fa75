import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { node24 } from '../../scripts/prepare/node-24.mjs';
import { root } from './import-check.js';

test('passes the fast tests with Node.js 24', async () => {
  const node = join(node24(), 'bin', 'node');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const { TEST_RING: _, ...env } = process.env;
  const child = spawn(node, [vitest, 'run', '--project', 'fast', '--reporter', 'dot'], { cwd: root, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  expect(code, output.slice(-5_000)).toBe(0);
}, 1_800_000);
