// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DriverError } from '@holdfast/plugin-api/driver';

export const blobSize = 1024 ** 2;

const nameOf = (/** @type {Buffer} */ bytes) => createHash('sha256').update(bytes).digest('hex');
const fileOf = (/** @type {string} */ folder, /** @type {string} */ name) => join(folder, 'blobs', name);

/** @param {string} folder @param {Buffer} bytes @returns its name, and how many bytes are new */
export function writeBlob(folder, bytes) {
  const name = nameOf(bytes);
  const file = fileOf(folder, name);
  if (existsSync(file)) return { name, added: 0 };
  writeFileSync(`${file}.partial`, bytes);
  renameSync(`${file}.partial`, file);
  return { name, added: bytes.length };
}

/** @param {string} folder @param {string} name */
export function readBlob(folder, name) {
  if (isBlobSound(folder, name)) return readFileSync(fileOf(folder, name));
  throw new DriverError('damaged', 'The repository is damaged.');
}

/** @param {string} folder @param {string} name */
export function isBlobSound(folder, name) {
  return existsSync(fileOf(folder, name)) && nameOf(readFileSync(fileOf(folder, name))) === name;
}

/** @param {string} folder @param {string} name */
export const sizeOfBlob = (folder, name) =>
  statSync(fileOf(folder, name), { throwIfNoEntry: false })?.size ?? 0;
