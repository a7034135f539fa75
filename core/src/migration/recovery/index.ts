/** The recovery sheet: all that somebody needs to read the backups without this service. */

export { recoveryUseCases, type SheetFormat } from './use-cases.js';
