import { constants } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Finding } from '@holdfast/plugin-api';
import { refuseHalfRecovered } from '../../adapters/half-recovered.js';
import { keyFiles } from '../../adapters/secret-key.js';
import type { Configuration } from '../../config.js';
import { type Check, failed, ok, unlessMissing, warning } from './check.js';

const mebibyte = 1 << 20;

export const fileChecks = ({ dataDirectory, sshDirectory, secretKey }: Configuration): Check[] => [
  { area: 'data folder', run: () => dataFolder(dataDirectory) },
  { area: 'disk space', run: () => diskSpace(dataDirectory) },
  { area: 'secret key', run: () => secretKeyFiles(dataDirectory, secretKey !== undefined) },
  { area: 'SSH folder', run: () => sshFolder(sshDirectory) },
];

async function dataFolder(path: string): Promise<Finding[]> {
  const facts = await unlessMissing(stat(path));
  if (!facts) return [await parentOf(path)];
  if (!facts.isDirectory()) return [failed(`${path} is not a folder.`, 'Set DATA_DIR to a folder.')];
  const half = await refuseHalfRecovered(path).then(
    () => null,
    (error: Error) => error.message,
  );
  if (half !== null) return [failed(half)];
  if (!(await mayWrite(path))) return [failed(`${path} is not writable.`, ownAdvice(path))];
  if ((facts.mode & 0o077) !== 0)
    return [warning(`Other users can access ${path} (${modeOf(facts.mode)}).`, `chmod 700 ${path}`)];
  return [ok(`${path} is writable, only by its owner.`)];
}

async function parentOf(path: string): Promise<Finding> {
  let parent = dirname(path);
  while (!(await unlessMissing(stat(parent)))) parent = dirname(parent);
  if (await mayWrite(parent)) return ok(`${path} does not exist yet. The first start creates it.`);
  return failed(
    `${path} does not exist, and ${parent} is not writable.`,
    `Create it and make the service user its owner.`,
  );
}

async function diskSpace(path: string): Promise<Finding[]> {
  let place = path;
  while (!(await unlessMissing(stat(place)))) place = dirname(place);
  const { bavail, bsize, files, ffree } = await statfs(place);
  const free = Math.floor((bavail * bsize) / mebibyte);
  const text = `${free} MiB are free for ${path}.`;
  const advice = 'Free some space: jobs fail if the disk is full.';
  if (files > 0 && ffree === 0) return [failed(`No inodes are free for ${path}.`, advice)];
  if (free < 100) return [failed(text, advice)];
  return [free < 1024 ? warning(text, advice) : ok(text)];
}

async function secretKeyFiles(dataDirectory: string, given: boolean): Promise<Finding[]> {
  const files = keyFiles(dataDirectory);
  const findings = [given ? ok('SECRET_KEY is set.') : await keyFile(files.key)];
  if (await unlessMissing(stat(files.next))) {
    const text = 'A key rotation was interrupted. All secrets are still readable.';
    findings.push(warning(text, 'Run "holdfast secrets rotate" again.'));
  }
  for (const path of given ? Object.values(files) : [files.next, files.former]) {
    const facts = await unlessMissing(stat(path));
    if (facts && (facts.mode & 0o077) !== 0) findings.push(exposedKey(path, facts.mode));
  }
  return findings;
}

async function keyFile(path: string): Promise<Finding> {
  const facts = await unlessMissing(stat(path));
  if (!facts) return ok(`${path} does not exist yet. The first start creates it.`);
  if ((facts.mode & 0o077) !== 0) return exposedKey(path, facts.mode);
  if (await may(path, constants.R_OK)) return ok(`${path} is readable, only by its owner.`);
  return failed(`${path} is not readable.`, ownAdvice(path));
}

const exposedKey = (path: string, mode: number) =>
  failed(
    `Other users can read ${path} (${modeOf(mode)}).`,
    `Run chmod 600 ${path}. If someone may have read it, also run "holdfast secrets rotate".`,
  );

/** The permissions that ssh requires for the folder and for private keys. */
async function sshFolder(path: string): Promise<Finding[]> {
  const facts = await unlessMissing(stat(path));
  if (!facts) return [ok(`${path} does not exist yet. The first key creates it.`)];
  if (!(await mayWrite(path)))
    return [failed(`${path} is not writable.`, `${ownAdvice(path)} Or set SSH_DIR.`)];
  const findings: Finding[] = [];
  if ((facts.mode & 0o022) !== 0)
    findings.push(
      failed(`Other users can write to ${path} (${modeOf(facts.mode)}).`, `Run chmod 700 ${path}.`),
    );
  for (const name of await readdir(path)) {
    if (!/^id_\w+$/.test(name)) continue;
    const { mode } = await stat(join(path, name));
    if ((mode & 0o077) === 0) continue;
    findings.push(
      failed(
        `Other users can access ${join(path, name)} (${modeOf(mode)}); ssh will not use it.`,
        'Run chmod 600 on it.',
      ),
    );
  }
  return findings.length > 0 ? findings : [ok(`${path} has the permissions that ssh requires.`)];
}

const may = (path: string, how: number) =>
  access(path, how).then(
    () => true,
    () => false,
  );
const mayWrite = (path: string) => may(path, constants.R_OK | constants.W_OK | constants.X_OK);
const ownAdvice = (path: string) => `Run this as the service user, or make that user the owner of ${path}.`;
const modeOf = (mode: number) => `mode ${(mode & 0o777).toString(8)}`;
