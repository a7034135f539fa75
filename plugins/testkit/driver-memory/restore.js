// @ts-check
import {
  chmodSync,
  chownSync,
  closeSync,
  lchownSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { bytesOfName, DriverError } from '@holdfast/plugin-api/driver';
import { readBlob } from './blobs.js';

/** @typedef {import('./archives.js').StoredEntry} StoredEntry */

/**
 * Writes the chosen entries of an archive into a folder.
 * @param {{ repository: string, entries: StoredEntry[], paths: string[], folder: string, exclude?: readonly string[],
 *   tool: import('./tool.js').Tool }} work
 */
export async function restore({ repository, entries, paths, folder, exclude = [], tool }) {
  const chosen = entries.filter(({ path }) => isBelow(path, paths) && !exclude.includes(path));
  const unknown = paths.find((path) => !entries.some((entry) => isBelow(entry.path, [path])));
  if (unknown !== undefined)
    throw new DriverError('path_missing', `The archive does not contain ${unknown}.`);
  const written = new Map();
  const at = (/** @type {string} */ path) => bytesOfName(`${folder}/${path}`);
  for (const entry of chosen) {
    await new Promise((resolve) => setImmediate(resolve));
    tool.go();
    const first = entry.hardLinkTarget ?? entry.path;
    const place = at(entry.path);
    mkdirSync(at(entry.path.replace(/\/?[^/]*$/, '')), { recursive: true });
    if (entry.type === 'directory') mkdirSync(place, { recursive: true });
    else if (entry.type === 'symlink') symlinkSync(bytesOfName(entry.symlinkTarget ?? ''), place);
    else if (written.has(first)) linkSync(written.get(first), place);
    else if (entry.type === 'file') {
      const { blobs } = entries.find(({ path }) => path === first) ?? entry;
      const file = openSync(place, 'wx');
      for (const blob of blobs) writeSync(file, readBlob(repository, blob));
      closeSync(file);
      written.set(first, place);
    }
  }
  // A folder's time is set after its content was made, and its mode may forbid to make it.
  for (const entry of chosen.toReversed()) if (entry.type !== 'other') setAttributes(entry, at(entry.path));
}

/** @param {string} path @param {string[]} paths */
const isBelow = (path, paths) =>
  paths.length === 0 || paths.some((one) => one === '' || path === one || path.startsWith(`${one}/`));

/** @param {StoredEntry} entry @param {Buffer} place */
function setAttributes({ type, mode, uid = 0, gid = 0, mtime }, place) {
  if (process.getuid?.() === 0) (type === 'symlink' ? lchownSync : chownSync)(place, uid, gid);
  const bits = [...mode.slice(1)].reduce((sum, letter) => sum * 2 + (letter === '-' ? 0 : 1), 0);
  if (type !== 'symlink') chmodSync(place, bits);
  lutimesSync(place, mtime / 1000, mtime / 1000);
}
