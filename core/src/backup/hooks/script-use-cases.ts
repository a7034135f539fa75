import type { StorageSession } from '@holdfast/plugin-api';
import { useCasesOf } from '../../foundation/kernel/index.js';
import type { Forgotten } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import type { NoteSchedule } from '../schedules/calendar/index.js';
import {
  attachScript,
  cleanUpOrphans,
  detachScript,
  getAttachment,
  listAttachments,
  updateAttachment,
} from './attachments.js';
import type { HooksNeeds } from './needs.js';
import { createScript, deleteScript, getScript, listScripts, updateScript } from './scripts.js';
import { repositoryScripts } from './tables.js';
import { testScript, testText } from './test-script.js';

export const scriptsUseCases = (dependencies: HooksNeeds, noteSchedule: NoteSchedule) => ({
  ...useCasesOf(dependencies, {
    listScripts,
    getScript,
    createScript,
    deleteScript,
    testScript,
    testText,
    cleanUpOrphans,
    listAttachments,
    getAttachment,
    attachScript,
    updateAttachment,
    detachScript,
  }),

  updateScript: updateScript.bind(null, dependencies, noteSchedule),
});

/** Runs in the transaction that removes the repository. */
export async function forgetInScripts(
  session: StorageSession,
  { repository }: { repository: RepositoryRow },
): Promise<Forgotten> {
  await session.remove(repositoryScripts, { repository_id: repository.id });
  return {};
}
