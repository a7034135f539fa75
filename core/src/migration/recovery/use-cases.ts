import { useCasesOf } from '../../foundation/kernel/index.js';
import type { RecoveryNeeds } from './needs.js';
import { getOwnBackup } from './own-backup/own-backup-view.js';
import { putOwnBackup } from './own-backup/switch-own-backup.js';
import { makeSheet, noteSavedSheet, sheetState } from './sheet/make-sheet.js';

export const recoveryUseCases = (needs: RecoveryNeeds) => ({
  ...useCasesOf(needs, {
    makeSheet,
    noteSavedSheet,
    sheetState,
    getOwnBackup,
  }),

  putOwnBackup: putOwnBackup(needs),
});
