import { dirname } from 'node:path';
import { invalid } from '../kernel/index.js';
import { identityOf, type RestoreTarget } from './stage/target-files.fs.js';

/** AppError `invalid` for a place that the service lives by, one within, or a folder that holds one. */
export async function refuseReserved(
  { reserved, look }: Pick<RestoreTarget, 'reserved' | 'look'>,
  path: string,
): Promise<void> {
  const refusal = reserved.refusal(path) ?? (await aliasAbove({ reserved, look }, path));
  if (refusal) throw invalid(`${refusal}: choose another destination.`);
}

/** The same folder may be mounted in two places. */
async function aliasAbove(
  { reserved, look }: Pick<RestoreTarget, 'reserved' | 'look'>,
  path: string,
): Promise<string | null> {
  for (let each = path; each !== '/'; each = dirname(each)) {
    const stats = await look(each);
    const alias = stats && reserved.aliasOf(each, identityOf(stats));
    if (alias) return `${path} lies inside ${alias}, which is also at ${each}`;
  }
  return null;
}
