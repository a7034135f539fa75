import { useCasesOf } from '../../foundation/kernel/index.js';
import type { RecoveryNeeds } from './needs.js';
import { getSelfBackup } from './self-backup/self-backup-view.js';
import { putSelfBackup } from './self-backup/switch-self-backup.js';
import { makeSheet, noteSavedSheet, sheetState } from './sheet/make-sheet.js';

export const recoveryUseCases = (needs: RecoveryNeeds) => ({
  ...useCasesOf(needs, {
    makeSheet,
    noteSavedSheet,
    sheetState,
    getSelfBackup,
  }),

  putSelfBackup: putSelfBackup(needs),
});
