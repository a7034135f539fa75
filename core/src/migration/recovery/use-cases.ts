import type { RecoveryNeeds } from './needs.js';
import { getOwnBackup } from './own-backup/own-backup-view.js';
import { putOwnBackup } from './own-backup/switch-own-backup.js';
import { makeSheet, noteSavedSheet, sheetState } from './sheet/make-sheet.js';

export const recoveryUseCases = (needs: RecoveryNeeds) => ({
  makeSheet: makeSheet(needs),
  noteSavedSheet: noteSavedSheet(needs),
  sheetState: sheetState(needs),
  getOwnBackup: getOwnBackup(needs),
  putOwnBackup: putOwnBackup(needs),
});
