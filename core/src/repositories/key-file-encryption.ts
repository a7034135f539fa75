import type { Encryption } from '../ports/backup-driver.js';

/** True for the encryptions whose key lies beside the repository, in a file. */
export const hasKeyFile = (encryption: Encryption): boolean => encryption.startsWith('keyfile');
