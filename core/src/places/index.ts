/** Lists folders of this machine, and looks at sources before they are backed up. */

export { placesUseCases } from './use-cases.js';
