/** Imports repositories, settings files and borgmatic configurations, and exports them again. */

export { discoveryHandler, discoveryJobFacts } from './discovery-handler.js';
export { removeFound } from './remove-found.js';
export { settingsProblem } from './settings/sections.js';
export * from './tables.js';
export { movingInUseCases } from './use-cases.js';
