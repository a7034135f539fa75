import { createHash, randomBytes } from 'node:crypto';
import { lstat, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DriverError } from '@holdfast/plugin-api/driver';
import { runTool } from './tool.js';

/** The file that marks a folder as a repository and contains its id. */
const markOf = (folder) => join(folder, 'holdfast-tar.json');
export const archivesOf = (folder) => join(folder, 'archives');
/** Archives may have any name, files may not. */
export const fileName = (archive) => createHash('sha256').update(archive).digest('hex');
export const newId = () => randomBytes(32).toString('hex');

/**
 * @param {Pick<import('@holdfast/plugin-api/driver').RepositoryTarget, 'location' | 'expected'>} target
 * @throws DriverError if it is not a local folder with a repository, or contains another one than expected
 */
export async function openFolder({ location, expected }) {
  const text = await readFile(markOf(localFolder(location)), 'utf8').catch((error) => {
    if (error.code === 'EACCES')
      throw new DriverError('permission', `There is no permission to read ${location}.`);
    return null;
  });
  if (text !== null) {
    if (!expected || JSON.parse(text).id === expected.id) return location;
    throw new DriverError('other_repository', `The repository at ${location} is not the registered one.`);
  }
  const exists = await lstat(location).catch(() => null);
  if (exists) throw new DriverError('not_a_repository', `${location} is not a repository of tar archives.`);
  throw new DriverError('repository_missing', `There is no repository at ${location}.`);
}

function localFolder(location) {
  if (location.startsWith('/')) return location;
  throw new DriverError('usage', 'Repositories of tar archives are folders on this machine.');
}

const make = `
mkdir -p -- "$1/archives" && : > "$1/lock" && cat <&3 > "$1/new" && [ -s "$1/new" ] &&
mv -- "$1/new" "$1/holdfast-tar.json"`;

/** @type {import('@holdfast/plugin-api/driver').BackupDriver['init']} */
export async function init({ location }, { encryption }, options) {
  if (encryption !== 'none')
    throw new DriverError('usage', 'tar does not encrypt: choose the encryption "none".');
  const folder = localFolder(location);
  const names = await readdir(folder).catch(() => null);
  if (names?.includes('holdfast-tar.json')) {
    throw new DriverError('repository_exists', `There is already a repository at ${location}.`);
  }
  if (names?.length) throw new DriverError('path_not_empty', `The folder ${location} is not empty.`);
  const existing = await firstExisting(folder);
  const id = newId();
  const input = JSON.stringify({ version: 1, id });
  try {
    await runTool({ script: make, parameters: [folder], folder, lock: null, input }, options);
  } catch (error) {
    await removeMade(folder, existing);
    throw error;
  }
  return { value: { id, keyFile: null }, warnings: [] };
}

async function firstExisting(folder) {
  let path = folder;
  while (path !== '/' && !(await lstat(path).catch(() => null))) path = dirname(path);
  return path;
}

/** Removes the repository's own content, then the folders above it that did not exist before and are empty. */
async function removeMade(folder, existing) {
  for (const name of ['archives', 'lock', 'new'])
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
  for (let path = folder; path !== existing; path = dirname(path)) await rmdir(path).catch(() => {});
}

const look =
  'cat "$1/holdfast-tar.json" && echo && stat -c %Y "$1/archives" && du -sb "$1/archives" | cut -f1';

/** @type {import('@holdfast/plugin-api/driver').BackupDriver['open']} */
export async function open(target, _, options) {
  const folder = await openFolder(target);
  const text = await runTool({ script: look, parameters: [folder], folder, lock: 'shared' }, options);
  const [mark, seconds, bytes] = text.trim().split('\n');
  const { id } = JSON.parse(mark);
  const lastModified = Number(seconds) * 1000;
  return { value: { id, encryption: 'none', lastModified, storedSize: Number(bytes) }, warnings: [] };
}
