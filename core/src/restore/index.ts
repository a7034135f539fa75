/** Plans a restore, extracts into a stage beside the target, and moves the files into place. */

export { removeManifest } from './manifest.js';
export { removePlans } from './plan-restore.js';
export { restoreHandler } from './restore-handler.js';
export { restoreJobFacts } from './restore-view.js';
export { restoreUseCases } from './use-cases.js';
