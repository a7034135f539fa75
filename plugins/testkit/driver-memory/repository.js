// @ts-check
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DriverError } from '@holdfast/plugin-api/driver';
import { Tool, whileHeld } from './tool.js';

/**
 * @typedef {import('@holdfast/plugin-api/driver').BackupDriver} BackupDriver
 * @typedef {import('@holdfast/plugin-api/driver').RepositoryTarget} RepositoryTarget
 * @typedef {import('@holdfast/plugin-api/driver').ArchiveSummary} ArchiveSummary
 * @typedef {import('@holdfast/plugin-api/driver').ArchiveStats} ArchiveStats
 * @typedef {{ summary: ArchiveSummary, stats: ArchiveStats, commandLine: string[] }} StoredArchive
 * @typedef {object} State
 * @property {string} id
 * @property {import('@holdfast/plugin-api/driver').Encryption} encryption
 * @property {string | null} key null: none, or in a file of the user
 * @property {StoredArchive[]} archives oldest first
 */

const stateOf = (/** @type {string} */ folder) => join(folder, 'repository.json');
const sha256 = (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex');
export const newId = () => randomBytes(32).toString('hex');

/**
 * The state of the target's repository, if the target may open it.
 * @param {RepositoryTarget} target
 * @returns {State}
 */
export function readState(target) {
  const state = readBare(target.location);
  const { expected } = target;
  if (expected && (expected.id !== state.id || expected.encryption !== state.encryption))
    throw new DriverError(
      'other_repository',
      `The repository at ${target.location} is not the registered one.`,
    );
  if (state.encryption === 'none') return state;
  const key = readKey(state.key ?? target.keyFile ?? '');
  if (key?.id !== state.id) throw new DriverError('key_missing', 'The key of the repository is missing.');
  if (!target.passphrase || key.passphrase !== sha256(target.passphrase))
    throw new DriverError('passphrase_wrong', 'The passphrase is wrong.');
  return state;
}

/**
 * @param {string} folder
 * @returns {State}
 */
function readBare(folder) {
  try {
    return JSON.parse(readFileSync(stateOf(folder), 'utf8'));
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === 'EACCES') throw new DriverError('permission', `${folder} may not be read.`, { cause });
    if (existsSync(folder))
      throw new DriverError('not_a_repository', `${folder} is not a repository.`, { cause });
    throw new DriverError('repository_missing', `There is no repository at ${folder}.`, { cause });
  }
}

/** @type {NonNullable<BackupDriver['idAt']>} */
export const idAt = async (location) => (existsSync(stateOf(location)) ? readBare(location).id : null);

/**
 * @typedef {object} Task
 * @property {string} operation
 * @property {RepositoryTarget} target
 * @property {import('@holdfast/plugin-api/driver').OperationOptions} [options]
 */

/**
 * Does some work on the repository while its tool runs.
 * @template T
 * @param {Task} task
 * @param {(state: State, tool: Tool) => Promise<T> | T} work
 * @param {'shared' | 'exclusive'} [lock]
 */
export async function withTool({ operation, target, options }, work, lock = 'shared') {
  readState(target);
  const tool = await Tool.start({ operation, folder: target.location, lock }, options);
  try {
    return await work(readState(target), tool);
  } catch (error) {
    throw tool.errorOf(error);
  } finally {
    await tool.end();
  }
}

/**
 * As `withTool`; the tool runs until the reader has everything, or leaves.
 * @template T
 * @param {Task} task
 * @param {(state: State) => Iterable<T>} produce
 */
export async function* streamed({ operation, target, options }, produce) {
  readState(target);
  const tool = await Tool.start({ operation, folder: target.location, lock: 'shared' }, options);
  try {
    for (const piece of produce(readState(target))) {
      tool.go();
      yield piece;
    }
  } catch (error) {
    throw tool.errorOf(error);
  } finally {
    await tool.end();
  }
}

/**
 * Replaces the repository's state at once.
 * @param {string} folder
 * @param {State} state
 * @param {Tool} tool
 */
export async function store(folder, state, tool) {
  writeFileSync(join(folder, 'next.json'), JSON.stringify(state));
  await tool.commit();
}

/** @type {BackupDriver['init']} */
export async function init({ location, passphrase }, { encryption }, options) {
  if (existsSync(stateOf(location)))
    throw new DriverError('repository_exists', `There is already a repository at ${location}.`);
  if (existsSync(location) && readdirSync(location).length > 0)
    throw new DriverError('path_not_empty', `The folder ${location} is not empty.`);
  if (encryption !== 'none' && !passphrase)
    throw new DriverError('passphrase_wrong', 'There is no passphrase.');
  const id = newId();
  const key = encryption === 'none' ? null : keyText(id, passphrase ?? '');
  const isFile = encryption.startsWith('keyfile');
  const tool = await Tool.start({ operation: 'init', folder: location, lock: null }, options);
  let made;
  try {
    made = mkdirSync(location, { recursive: true });
    for (const name of ['archives', 'blobs']) mkdirSync(join(location, name));
    writeFileSync(join(location, 'lock'), '');
    await store(location, { id, encryption, key: isFile ? null : key, archives: [] }, tool);
    await whileHeld(location, 'init.made', options?.signal);
    return { value: { id, keyFile: isFile ? key : null }, warnings: [] };
  } catch (error) {
    if (made) rmSync(made, { recursive: true });
    else if (existsSync(location))
      for (const name of readdirSync(location)) rmSync(join(location, name), { recursive: true });
    throw tool.errorOf(error);
  } finally {
    await tool.end();
  }
}

/** @param {string} folder */
export const changedAt = (folder) => statSync(stateOf(folder)).mtimeMs;

/** @type {NonNullable<BackupDriver['destroy']>} */
export const destroy = (target, _, options) =>
  withTool({ operation: 'destroy', target, options }, () => {
    rmSync(target.location, { recursive: true });
    return { value: null, warnings: [] };
  });

const header = 'HOLDFAST_MEMORY_KEY';

/** @param {string} id @param {string} passphrase */
function keyText(id, passphrase) {
  const body = `${header} ${id}\n${sha256(passphrase)}\n`;
  return `${body}${sha256(body)}\n`;
}

/** @param {string} text */
function readKey(text) {
  const [, body = '', id, passphrase, sum] =
    new RegExp(`^(${header} (\\w+)\n(\\w+)\n)(\\w+)\\s*$`).exec(text) ?? [];
  return id && sum === sha256(body) ? { id, passphrase } : null;
}

/** @type {BackupDriver['exportKey']} */
export const exportKey = (target, _, options) =>
  withTool({ operation: 'exportKey', target, options }, ({ key }) => {
    const text = key ?? target.keyFile;
    if (!text) throw new DriverError('usage', 'The repository is not encrypted, so there is no key.');
    return { value: { text }, warnings: [] };
  });

/** @type {BackupDriver['importKey']} */
export async function importKey({ location }, { text }) {
  const key = readKey(text);
  if (!key) throw new DriverError('usage', 'This is not a key file of this tool, or it is cut off.');
  if (key.id !== readBare(location).id)
    throw new DriverError('usage', 'This is the key file of another repository.');
  return { value: { keyFile: text }, warnings: [] };
}

/** @type {NonNullable<BackupDriver['changePassphrase']>} */
export const changePassphrase = (target, { passphrase }, options) =>
  withTool(
    { operation: 'changePassphrase', target, options },
    async (state, tool) => {
      const text = keyText(state.id, passphrase);
      await store(target.location, { ...state, key: state.key && text }, tool);
      return { value: { keyFile: state.key === null ? text : null }, warnings: [] };
    },
    'exclusive',
  );
