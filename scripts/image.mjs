#!/usr/bin/env node
/**
 * `npm run image [-- --base NAME] [--tag NAME]`: builds the image of the Dockerfile with buildah and prints the size
 * of each layer. Exits with 1 if the image is too large.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { baseOr } from './image/base.mjs';
import { sizesOf } from './image/layers.mjs';
import { registrySettings } from './image/registry-settings.mjs';
import { needed, visibly } from './image/tools.mjs';
import { root } from './prepare/root.mjs';
import { PrepareError, stopWith } from './prepare/say.mjs';

const atMost = 370e6;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    tag: { type: 'string', default: `localhost/holdfast:${version}` },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'holdfast-image-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

try {
  await needed('buildah');
  const [, published] = /^ARG BASE=(.*)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
  const base = values.base ?? (await baseOr(published));
  // Only Docker's format supports the health check.
  const form = ['--format', 'docker', '--isolation', 'chroot', '--layers'];
  const what = ['--build-arg', `BASE=${base}`, ...registrySettings(folder), '--tag', values.tag, root];
  visibly('buildah', 'build', ...form, ...what);
  const { table, bytes } = await sizesOf(values.tag);
  process.stdout.write(`${table}\n`);
  if (bytes > atMost) throw new PrepareError(`The image is larger than ${atMost / 1e6} MB.`);
} catch (error) {
  stopWith(error);
}
