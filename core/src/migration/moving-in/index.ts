/** Moves in with existing repositories, files of other backup tools and settings as a file, and out again. */

export { discoveryHandler, discoveryJobFacts } from './discovery-handler.js';
export { removeFound } from './remove-found.js';
export { settingsProblem } from './settings/sections.js';
export * from './tables.js';
export { movingInUseCases } from './use-cases.js';
