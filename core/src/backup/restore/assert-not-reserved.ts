import { dirname } from 'node:path';
import { invalid, type Message, say } from '../../foundation/kernel/index.js';
import { identityOf, type RestoreTarget } from './stage/target-files.fs.js';

/** Throws AppError `invalid` for a reserved path, a path inside one, or a folder that contains one. */
export async function assertNotReserved(
  { reserved, look }: Pick<RestoreTarget, 'reserved' | 'look'>,
  path: string,
): Promise<void> {
  const problem = reserved.refusal(path) ?? (await aliasAbove({ reserved, look }, path));
  if (problem) throw invalid(problem);
}

/** The same folder may be mounted at two paths. */
async function aliasAbove(
  { reserved, look }: Pick<RestoreTarget, 'reserved' | 'look'>,
  path: string,
): Promise<Message | null> {
  for (let each = path; each !== '/'; each = dirname(each)) {
    const stats = await look(each);
    const alias = stats && reserved.aliasOf(each, identityOf(stats));
    if (alias)
      return say`destination_inside_alias: ${{ destination: path }} is inside ${{ reserved: alias }}, which is also at ${{ path: each }}: choose another destination.`;
  }
  return null;
}
