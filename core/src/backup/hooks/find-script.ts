import type { StorageSession } from '@holdfast/plugin-api';
import { notFound, say } from '../../foundation/kernel/index.js';
import { type ScriptRow, scripts } from './tables.js';

/** Throws AppError `not_found`. */
export async function findScript(session: StorageSession, id: number): Promise<ScriptRow> {
  const [row] = await session.find(scripts, { where: { id }, limit: 1 });
  if (!row) throw notFound(say`script_unknown: There is no script ${{ id }}: see GET /api/scripts.`);
  return row;
}
