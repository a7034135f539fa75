import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { entryOf } from '../../server/src/adapters/ssh2-remote-host/authorized-keys.js';
import { groupsOf, lastSix } from '../src/screens/settings/hosts/fingerprint.js';
import { recipes, restrictedLine } from '../src/screens/settings/hosts/recipes.js';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFakeFakeFakeFakeFakeFakeFakeFakeFakeFakeFake holdfast';

it.each([
  ['/backups', true],
  ['/back ups', false],
  [`/it's "here"`, true],
])('matches the line for %s with a deployment by the server', (path, appendOnly) => {
  const deployment = { publicKeyLine: key, restrict: { path, appendOnly } };
  expect(`${restrictedLine(key, path, appendOnly)}\n`).toBe(entryOf(deployment as never));
});

it.each(['any', 'synology'] as const)('adds any line with the command for %s', (recipe) => {
  const home = mkdtempSync(join(tmpdir(), 'recipe-'));
  try {
    const line = restrictedLine(key, `/it's "here" $HOME`, true);
    const command = recipes[recipe].command?.(line, recipes[recipe].example) ?? '';
    execFileSync('sh', ['-c', command], { env: { HOME: home, PATH: process.env.PATH } });
    const file = join(home, '.ssh', 'authorized_keys');
    expect(readFileSync(file, 'utf8')).toBe(`${line}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, '.ssh')).mode & 0o777).toBe(0o700);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

it('shows a fingerprint in groups, and asks for its last six characters', () => {
  const fingerprint = 'SHA256:e59WK0kPhHaREoeJ/A8M0Xaq7cL4EsPhlRbb1HW+GNk';
  expect(groupsOf(fingerprint).join('')).toBe(fingerprint);
  expect(groupsOf(fingerprint).slice(0, 3)).toEqual(['SHA256:', 'e59W', 'K0kP']);
  expect(lastSix(fingerprint)).toBe('HW+GNk');
});
