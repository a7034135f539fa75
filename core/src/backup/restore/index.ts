/** Plans a restore, extracts into a stage next to the target, and moves the files into place. */

export { reserveBytes, withinRoom } from './extract-within.js';
export { removeManifest } from './manifest.js';
export { removePlans } from './plan-restore.js';
export { Selection } from './restore.rules.js';
export { restoreHandler } from './restore-handler.js';
export { restoreJobFacts } from './restore-view.js';
export { Folder, Folders, unlessMissing } from './stage/folder.fs.js';
export { removePath } from './stage/remove-tree.fs.js';
export { freeBytes } from './stage/target-files.fs.js';
export * from './tables.js';
export { restoreUseCases } from './use-cases.js';
