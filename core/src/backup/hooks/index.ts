/** Runs scripts before and after backups, and records which still have to run. */

export { getAttachment } from './attachments.js';
export { findScript } from './find-script.js';
export { type HookWorker, makeHookWorker } from './hook-worker.js';
export { reopenRun, waitsForEarlierRun } from './job-journal.js';
export { openValues, parameterPurpose, sealValues } from './parameter-values.js';
export { hasHooks, hasPreHook } from './plan-hooks.js';
export { removeScriptRuns } from './run-hooks.js';
export { maskValues, openStages, scriptText } from './script.rules.js';
export { forgetInScripts, scriptsUseCases } from './script-use-cases.js';
export { getScript } from './scripts.js';
export * from './tables.js';
export { waitsForRelease } from './waits-for-release.js';
export { type BackupWork, withHooks } from './with-hooks.js';
