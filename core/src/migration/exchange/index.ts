/** Settings as a file, and files of borgmatic: in and out. */

export type { Need } from './borgmatic/answers.rules.js';
export { openNeeds } from './borgmatic/open-needs.js';
export { type FilesRead, type ReadFiles, readFiles } from './borgmatic/read-files.js';
export { shellWords } from './borgmatic/words.rules.js';
export { exchangeUseCases } from './use-cases.js';
