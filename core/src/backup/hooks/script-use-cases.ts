import type { StorageSession } from '@holdfast/plugin-api';
import type { NoteSchedule } from '../calendar/index.js';
import type { Forgotten } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
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
  listScripts: listScripts(dependencies),
  getScript: getScript(dependencies),
  createScript: createScript(dependencies),
  updateScript: updateScript(dependencies, noteSchedule),
  deleteScript: deleteScript(dependencies),
  testScript: testScript(dependencies),
  testText: testText(dependencies),
  cleanUpOrphans: cleanUpOrphans(dependencies),
  listAttachments: listAttachments(dependencies),
  getAttachment: getAttachment(dependencies),
  attachScript: attachScript(dependencies),
  updateAttachment: updateAttachment(dependencies),
  detachScript: detachScript(dependencies),
});

/** Runs in the transaction that removes the repository. */
export async function forgetInScripts(
  session: StorageSession,
  { repository }: { repository: RepositoryRow },
): Promise<Forgotten> {
  await session.remove(repositoryScripts, { repository_id: repository.id });
  return {};
}
