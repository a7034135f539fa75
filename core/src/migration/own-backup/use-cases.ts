import type { OwnBackupNeeds } from './needs.js';
import { getOwnBackup } from './own-backup-view.js';
import { putOwnBackup } from './switch-own-backup.js';

export const ownBackupUseCases = (dependencies: OwnBackupNeeds) => ({
  getOwnBackup: getOwnBackup(dependencies),
  putOwnBackup: putOwnBackup(dependencies),
});
