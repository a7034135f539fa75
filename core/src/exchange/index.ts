/** Settings as a file, and files of borgmatic: in and out. */

export { exchangeUseCases } from './use-cases.js';
