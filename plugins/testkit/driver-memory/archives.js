// @ts-check
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DriverError } from '@holdfast/plugin-api/driver';
import { isBlobSound, readBlob, sizeOfBlob } from './blobs.js';
import { Reader } from './read-sources.js';
import { changedAt, newId, store, streamed, withTool } from './repository.js';
import { restore } from './restore.js';

/**
 * @typedef {import('./repository.js').BackupDriver} BackupDriver
 * @typedef {import('./repository.js').State} State
 * @typedef {import('@holdfast/plugin-api/driver').ArchiveEntry & { blobs: string[] }} StoredEntry
 */

const entriesIn = (/** @type {string} */ folder, /** @type {string} */ id) =>
  join(folder, 'archives', `${id}.json`);

/** @param {State} state @param {string} name */
function archiveOf(state, name) {
  const found = state.archives.find(({ summary }) => summary.name === name);
  if (found) return found;
  throw new DriverError('archive_missing', `There is no archive ${name}.`);
}

/** @param {string} folder @param {string} id @returns {StoredEntry[]} */
const entriesOf = (folder, id) => JSON.parse(readFileSync(entriesIn(folder, id), 'utf8'));

/** @param {string} folder @param {State['archives']} archives */
function blobsOf(folder, archives) {
  return new Set(
    archives.flatMap(({ summary }) => entriesOf(folder, summary.id).flatMap(({ blobs }) => blobs)),
  );
}

/** Bytes that archives need. @param {string} folder @param {State['archives']} archives */
function storedSize(folder, archives) {
  return [...blobsOf(folder, archives)].reduce((sum, blob) => sum + sizeOfBlob(folder, blob), 0);
}

/** @type {BackupDriver['open']} */
export const open = (target, _, options) =>
  withTool({ operation: 'open', target, options }, ({ id, encryption, archives }) => {
    const told = {
      lastModified: changedAt(target.location),
      storedSize: storedSize(target.location, archives),
    };
    return { value: { id, encryption, ...told }, warnings: [] };
  });

/** @type {BackupDriver['createArchive']} */
export const createArchive = (target, input, options) =>
  withTool(
    { operation: 'createArchive', target, options },
    async (state, tool) => {
      if (state.archives.some(({ summary }) => summary.name === input.name))
        throw new DriverError('archive_exists', `There is already an archive ${input.name}.`);
      const folder = target.location;
      const start = Date.now();
      const reader = new Reader({ folder, input, tool, onProgress: options?.onProgress });
      for (const stream of input.streams ?? []) await reader.addStream(stream);
      for (const source of input.sources) await reader.add(source);
      await tool.waitWhileHeld('createArchive');
      const { entries, stats, warnings, unread } = reader;
      const { name, comment } = input;
      const by = { hostname: hostname().split('.')[0] ?? '', username: userInfo().username };
      const summary = { id: newId(), name, start, end: Date.now(), comment, ...by };
      const archive = { summary, stats, commandLine: ['memory', 'create', ...input.sources] };
      writeFileSync(entriesIn(folder, summary.id), JSON.stringify(entries));
      const archives = [...state.archives, archive];
      await store(folder, { ...state, archives }, tool);
      const repositoryStoredSize = storedSize(folder, archives);
      return { value: { archive: summary, stats, unread, repositoryStoredSize }, warnings };
    },
    'exclusive',
  );

/** @type {BackupDriver['listArchives']} */
export const listArchives = (target, { checkpoints }, options) =>
  withTool({ operation: 'listArchives', target, options }, ({ archives }) => {
    const all = archives.map(({ summary }) => summary);
    return { value: checkpoints ? all : all.filter(({ name }) => !isUnfinished(name)), warnings: [] };
  });

/** As Borg names them. This driver makes none itself. @param {string} name */
const isUnfinished = (name) => name.endsWith('.checkpoint');

/** @type {NonNullable<BackupDriver['look']>} */
export const look = (target, _, options) =>
  withTool({ operation: 'look', target, options }, ({ id, encryption, archives }) => {
    const told = archives.map(({ summary, commandLine }) => ({ ...summary, commandLine }));
    return {
      value: { id, encryption, lastModified: changedAt(target.location), archives: told },
      warnings: [],
    };
  });

/** @type {BackupDriver['archiveInfo']} */
export const archiveInfo = (target, { archive }, options) =>
  withTool({ operation: 'archiveInfo', target, options }, (state) => {
    const { summary, stats, commandLine } = archiveOf(state, archive);
    const duration = ((summary.end ?? summary.start) - summary.start) / 1000;
    const value = { ...summary, stats, commandLine, duration, chunkerParams: [], maxArchiveSizeUsed: null };
    return { value, warnings: [] };
  });

/** @type {BackupDriver['listEntries']} */
export const listEntries = (target, { archive }, options) =>
  streamed({ operation: 'listEntries', target, options }, function* (state) {
    const entries = entriesOf(target.location, archiveOf(state, archive).summary.id);
    for (let at = 0; at < entries.length; at += 500)
      yield entries.slice(at, at + 500).map(({ blobs, ...entry }) => entry);
  });

/** @type {BackupDriver['readFile']} */
export const readFile = (target, { archive, path }, options) =>
  Readable.from(
    streamed({ operation: 'readFile', target, options }, function* (state) {
      const entries = entriesOf(target.location, archiveOf(state, archive).summary.id);
      const entry = entries.find((one) => one.path === path && one.type === 'file');
      if (!entry) throw new DriverError('path_missing', `The archive does not contain ${path}.`);
      for (const blob of entry.blobs) yield readBlob(target.location, blob);
    }),
    { objectMode: false },
  );

/** @type {NonNullable<BackupDriver['extract']>} */
export const extract = (target, { archive, ...wanted }, options) =>
  withTool({ operation: 'extract', target, options }, async (state, tool) => {
    const entries = entriesOf(target.location, archiveOf(state, archive).summary.id);
    await restore({ repository: target.location, entries, ...wanted, tool });
    return { value: null, warnings: [] };
  });

/** @type {BackupDriver['deleteArchives']} */
export const deleteArchives = (target, { archives }, options) =>
  withTool(
    { operation: 'deleteArchives', target, options },
    async (state, tool) => {
      const names = [...new Set(archives)];
      const known = new Set(state.archives.map(({ summary }) => summary.name));
      const kept = state.archives.filter(({ summary }) => !names.includes(summary.name));
      if (kept.length < state.archives.length)
        await store(target.location, { ...state, archives: kept }, tool);
      const deleted = names.filter((name) => known.has(name));
      return { value: { deleted, missing: names.filter((name) => !known.has(name)) }, warnings: [] };
    },
    'exclusive',
  );

/** Removes what no archive needs. @type {BackupDriver['compact']} */
export const compact = (target, _, options) =>
  withTool(
    { operation: 'compact', target, options },
    (state) => {
      const folder = target.location;
      const ids = state.archives.map(({ summary }) => summary.id);
      const needed = blobsOf(folder, state.archives);
      const isNeeded = (/** @type {string} */ name) =>
        needed.has(name) || ids.includes(name.replace('.json', ''));
      let freedBytes = 0;
      for (const path of ['archives', 'blobs'].flatMap((part) => unneeded(join(folder, part), isNeeded))) {
        if (path.startsWith(join(folder, 'blobs'))) freedBytes += statSync(path).size;
        rmSync(path);
      }
      return { value: { freedBytes }, warnings: [] };
    },
    'exclusive',
  );

/** @param {string} folder @param {(name: string) => boolean} isNeeded */
const unneeded = (folder, isNeeded) =>
  readdirSync(folder)
    .filter((name) => !isNeeded(name))
    .map((name) => join(folder, name));

/** @type {NonNullable<BackupDriver['check']>} */
export const check = (target, { maxSeconds, repair, verifyData }, options) =>
  withTool(
    { operation: 'check', target, options },
    ({ archives }) => {
      if (repair) throw new DriverError('usage', 'Repairs are not offered.');
      const say = (/** @type {string} */ text, /** @type {'info' | 'error'} */ level = 'info') =>
        options?.onLog?.({ level, text });
      say('The check began.');
      for (const { summary } of archives) {
        for (const { path, blobs } of entriesOf(target.location, summary.id)) {
          const isSound = blobs.every((blob) => isBlobSound(target.location, blob));
          if (!isSound) say(`${summary.name}: ${path} is damaged.`, 'error');
          if (!isSound) throw new DriverError('damaged', 'The repository is damaged.');
        }
        say(`${summary.name} is sound.`);
      }
      say(verifyData ? 'All data was verified: no problems found.' : 'No problems found.');
      return { value: { partial: (maxSeconds ?? 0) > 0 }, warnings: [] };
    },
    'exclusive',
  );
