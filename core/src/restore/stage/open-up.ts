import { joinPath } from '../../archives/archive-path.rules.js';
import { Folder } from './folder.js';

/** What the owner needs to work in a directory. */
const access = 0o700n;

/**
 * Lets the service into every extracted directory, also into those that forbid it to their owner. Returns the modes that
 * it changed, by path, outermost first.
 */
export async function openUp(tree: string): Promise<Map<string, number>> {
  const modes = new Map<string, number>();
  const folder = await Folder.held(tree);
  try {
    await openBelow(folder, '', modes);
  } finally {
    await folder.close();
  }
  return modes;
}

async function openBelow(folder: Folder, path: string, modes: Map<string, number>): Promise<void> {
  const { mode } = await folder.stat();
  if ((mode & access) !== access) {
    modes.set(path, Number(mode & 0o7777n));
    await folder.chmod(Number((mode & 0o7777n) | access));
  }
  for (const entry of await folder.entries()) {
    if (!entry.isDirectory()) continue;
    const inner = await folder.sub(entry.name);
    try {
      await openBelow(inner, joinPath(path, entry.name), modes);
    } finally {
      await inner.close();
    }
  }
}
