import type { StorageSession } from '@holdfast/plugin-api';
import { conflict, say } from '../../foundation/kernel/index.js';
import { repositories } from './tables.js';

interface Writer {
  toolId: string;
  mode: 'full' | 'observe';
  ownId?: number;
}

/**
 * Throws AppError `conflict` when another registration writes to this repository, or to a copy with the same id. The
 * tool can't tell them apart, and writing to both destroys the protection of encrypted data.
 */
export async function refuseSecondWriter(session: StorageSession, { toolId, mode, ownId }: Writer) {
  if (mode === 'observe') return;
  const same = await session.find(repositories, { where: { tool_id: toolId, mode: 'full' } });
  const other = same.find(({ id }) => id !== ownId);
  if (!other) return;
  throw conflict(
    say`repository_second_writer: Repository ${{ repository: other.name }} at ${{ path: other.path }} has the same id and is written to: this is the same repository or a copy of it. Writing to both destroys data. Monitor this one only (mode observe), or remove the other one from Holdfast first.`,
  );
}
