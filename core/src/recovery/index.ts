/** The recovery sheet: all that somebody needs to read the backups without this service. */

export { readKnownSheet, sheetProblem } from './sheet-state.js';
export { recoveryUseCases, type SheetFormat } from './use-cases.js';
