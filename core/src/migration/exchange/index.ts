/** Settings as a file, and files of other backup tools: in and out. */

export { settingsProblem } from './settings/sections.js';
export { exchangeUseCases } from './use-cases.js';
