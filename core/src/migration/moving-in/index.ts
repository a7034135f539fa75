/** Moves in with existing repositories: finds them, registers many, and takes them over. */

export { discoveryHandler, discoveryJobFacts } from './discovery-handler.js';
export { removeFound } from './remove-found.js';
export * from './tables.js';
export { movingInUseCases } from './use-cases.js';
