import { dirname } from 'node:path';
import { invalid } from '../kernel/index.js';
import { identityOf, type RestoreTarget } from './stage/target-files.fs.js';

/** Throws AppError `invalid` for a reserved path, a path inside one, or a folder that contains one. */
export async function assertNotReserved(
  { reserved, look }: Pick<RestoreTarget, 'reserved' | 'look'>,
  path: string,
): Promise<void> {
  const problem = reserved.refusal(path) ?? (await aliasAbove({ reserved, look }, path));
  if (problem) throw invalid(`${problem}: choose another destination.`);
}

/** The same folder may be mounted in two places. */
async function aliasAbove(
  { reserved, look }: Pick<RestoreTarget, 'reserved' | 'look'>,
  path: string,
): Promise<string | null> {
  for (let each = path; each !== '/'; each = dirname(each)) {
    const stats = await look(each);
    const alias = stats && reserved.aliasOf(each, identityOf(stats));
    if (alias) return `${path} is inside ${alias}, which is also at ${each}`;
  }
  return null;
}
