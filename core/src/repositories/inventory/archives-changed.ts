import type { NewEvent } from '../../events/event.rules.js';

export interface ArchiveChange {
  /** Names; an archive that was replaced under its name is in both. */
  added: string[];
  removed: string[];
}

/** The event that caches follow. */
export const archivesChanged = (
  repositoryId: number,
  change: Partial<ArchiveChange>,
  jobId: number | null = null,
): NewEvent => ({
  kind: 'archives_changed',
  repositoryId,
  jobId,
  data: { added: change.added ?? [], removed: change.removed ?? [] },
});
