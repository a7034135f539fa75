import { constants } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Finding } from '@holdfast/plugin-api';
import { keyFiles } from '../../adapters/secret-key.js';
import type { Configuration } from '../../config.js';
import { type Check, failed, ok, unlessMissing, warning } from './check.js';

const mebibyte = 1 << 20;

export const fileChecks = ({ dataDirectory, sshDirectory, secretKey }: Configuration): Check[] => [
  { area: 'data folder', look: () => dataFolder(dataDirectory) },
  { area: 'disk space', look: () => diskSpace(dataDirectory) },
  { area: 'secret key', look: () => secretKeyFiles(dataDirectory, secretKey !== undefined) },
  { area: 'SSH folder', look: () => sshFolder(sshDirectory) },
];

async function dataFolder(path: string): Promise<Finding[]> {
  const facts = await unlessMissing(stat(path));
  if (!facts) return [await parentOf(path)];
  if (!facts.isDirectory()) return [failed(`${path} is no folder.`, 'Set DATA_DIR to one.')];
  if (!(await mayWrite(path))) return [failed(`${path} can't be written.`, ownAdvice(path))];
  if ((facts.mode & 0o077) !== 0)
    return [warning(`${path} is open to other users (${modeOf(facts.mode)}).`, `chmod 700 ${path}`)];
  return [ok(`${path} can be written, by its owner alone.`)];
}

async function parentOf(path: string): Promise<Finding> {
  let parent = dirname(path);
  while (!(await unlessMissing(stat(parent)))) parent = dirname(parent);
  if (await mayWrite(parent)) return ok(`${path} is not there yet: the first start makes it.`);
  return failed(
    `${path} is not there, and ${parent} can't be written.`,
    `Make it and give it to the service.`,
  );
}

async function diskSpace(path: string): Promise<Finding[]> {
  let place = path;
  while (!(await unlessMissing(stat(place)))) place = dirname(place);
  const { bavail, bsize, files, ffree } = await statfs(place);
  const free = Math.floor((bavail * bsize) / mebibyte);
  const text = `${free} MiB are free for ${path}.`;
  const advice = 'Make room: jobs fail on a full disk.';
  if (files > 0 && ffree === 0) return [failed(`No inode is free for ${path}.`, advice)];
  if (free < 100) return [failed(text, advice)];
  return [free < 1024 ? warning(text, advice) : ok(text)];
}

async function secretKeyFiles(dataDirectory: string, given: boolean): Promise<Finding[]> {
  const files = keyFiles(dataDirectory);
  const findings = [given ? ok('SECRET_KEY is set.') : await keyFile(files.key)];
  if (await unlessMissing(stat(files.next))) {
    const text = 'A change of the key was cut off; all secrets can be read all the same.';
    findings.push(warning(text, 'Run "holdfast secrets rotate" again.'));
  }
  for (const path of given ? Object.values(files) : [files.next, files.former]) {
    const facts = await unlessMissing(stat(path));
    if (facts && (facts.mode & 0o077) !== 0) findings.push(openKey(path, facts.mode));
  }
  return findings;
}

async function keyFile(path: string): Promise<Finding> {
  const facts = await unlessMissing(stat(path));
  if (!facts) return ok(`${path} is not there yet: the first start makes it.`);
  if ((facts.mode & 0o077) !== 0) return openKey(path, facts.mode);
  if (await may(path, constants.R_OK)) return ok(`${path} can be read, by its owner alone.`);
  return failed(`${path} can't be read.`, ownAdvice(path));
}

const openKey = (path: string, mode: number) =>
  failed(
    `${path} can be read by other users (${modeOf(mode)}).`,
    `chmod 600 ${path}, and run "holdfast secrets rotate" if somebody may have read it.`,
  );

/** What ssh itself asks of the folder and of private keys in it. */
async function sshFolder(path: string): Promise<Finding[]> {
  const facts = await unlessMissing(stat(path));
  if (!facts) return [ok(`${path} is not there yet: the first key makes it.`)];
  if (!(await mayWrite(path)))
    return [failed(`${path} can't be written.`, `${ownAdvice(path)} Or set SSH_DIR.`)];
  const findings: Finding[] = [];
  if ((facts.mode & 0o022) !== 0)
    findings.push(failed(`${path} can be written by others (${modeOf(facts.mode)}).`, `chmod 700 ${path}`));
  for (const name of await readdir(path)) {
    if (!/^id_\w+$/.test(name)) continue;
    const { mode } = await stat(join(path, name));
    if ((mode & 0o077) === 0) continue;
    findings.push(failed(`${join(path, name)} is open (${modeOf(mode)}): ssh refuses it.`, 'chmod 600'));
  }
  return findings.length > 0 ? findings : [ok(`${path} has the rights that ssh asks for.`)];
}

const may = (path: string, how: number) =>
  access(path, how).then(
    () => true,
    () => false,
  );
const mayWrite = (path: string) => may(path, constants.R_OK | constants.W_OK | constants.X_OK);
const ownAdvice = (path: string) => `Run this as the user of the service, or give ${path} to that user.`;
const modeOf = (mode: number) => `mode ${(mode & 0o777).toString(8)}`;
