import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeRunFolder, removeRunFolder } from '../../../scripts/testing/leftovers.mjs';
import { makeWorkspace, type Workspace } from '../workspace.js';

let workspace: Workspace;

beforeEach(() => {
  workspace = makeWorkspace();
});
afterEach(() => workspace.remove());

test('ends leftover processes, mounts and files, and names them', async () => {
  const folder = makeRunFolder(workspace.path);
  const mount = join(folder, 'disk');
  mkdirSync(mount);
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', mount]);
  const child = spawn('sleep', ['1000'], { env: { PATH: process.env.PATH, HOME: join(folder, 'home') } });
  const ended = once(child, 'exit');
  await once(child, 'spawn');
  expect(removeRunFolder(folder)).toEqual([
    `The process ${child.pid} was left running: sleep 1000`,
    `${mount} was left mounted.`,
    'disk was left in the temporary folder of the run.',
  ]);
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(existsSync(folder)).toBe(false);
});

test('removes the folders of killed runs and no others', async () => {
  const dead = spawn('true');
  await once(dead, 'exit');
  const killed = workspace.folder(`hf-${dead.pid}-abcdef`);
  writeFileSync(join(killed, 'file'), '');
  const running = workspace.folder(`hf-${process.pid}-abcdef`);
  const other = workspace.folder('other');
  const folder = makeRunFolder(workspace.path);
  expect([killed, running, other, folder].map((path) => existsSync(path))).toEqual([false, true, true, true]);
});
