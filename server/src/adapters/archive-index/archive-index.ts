import type { ArchiveIndex } from '@holdfast/core/server';
import { addArchive, addedArchive } from './add-archive.js';
import { readArchives } from './archive-book.js';
import { compareArchives, growthOf } from './compare.js';
import type { IndexFile } from './index-file.js';
import { lostFiles } from './lost.js';
import { readEntries } from './read-entries.js';
import { removeArchives } from './remove-archives.js';
import { searchPaths } from './search.js';
import { historyOf } from './versions.js';

export const archiveIndexIn = (file: IndexFile, maxBytes: number): ArchiveIndex => ({
  archives: () => file.read(readArchives),
  find: (toolId) => file.read((db) => addedArchive(db, toolId)),
  add: (archive, entries, options = {}) =>
    file.write((db) => addArchive(db, archive, entries, { maxBytes, ...options }), options.signal),
  remove: async (toolIds) => {
    if (toolIds.length > 0) await file.write((db) => removeArchives(db, toolIds));
  },
  entries: (toolId, signal) => file.stream((db) => readEntries(db, toolId, signal)),
  search: (search) => file.read((db) => searchPaths(db, search), search.signal),
  history: (path) => file.read((db) => historyOf(db, path)),
  lost: (removed, signal) => file.read((db) => lostFiles(db, removed), signal),
  changes: (pair, page, signal) => file.read((db) => compareArchives(db, pair, page), signal),
  growth: (pair, signal) => file.read((db) => growthOf(db, pair), signal),
});
