export { restoreHandler } from './restore-handler.js';
export { restoreUseCases } from './use-cases.js';
