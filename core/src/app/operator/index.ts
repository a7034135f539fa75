/** Command-line work on the whole database: rotate the secret key, forget lost secrets, move to another storage. */

export { findLostSecrets, forgetSecrets } from './forget-secrets.js';
export { claimSecretKey, examineSecrets, isSecretKey } from './key-check.js';
export {
  type MovedEntity,
  type MoveProgress,
  moveStorage,
  refuseHalfMoved,
  type StorageMove,
} from './move-storage.js';
export { type Resealed, type Resealing, resealSecrets, verifySecrets } from './reseal-secrets.js';
