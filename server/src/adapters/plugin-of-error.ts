import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const place = /(file:\/\/\/[^\s)]+?|\/[^\s()]+?):\d+:\d+/g;

/**
 * The name of the plugin that caused an error: a file in the stack belongs to a package with a `holdfast`
 * block. Null if there is none, or only built-in plugins.
 */
export function pluginOfError(error: unknown, builtIn: readonly string[]): string | null {
  try {
    const { stack } = (error ?? {}) as { stack?: unknown };
    if (typeof stack !== 'string') return null;
    for (const [, path = ''] of stack.matchAll(place)) {
      const name = pluginOf(path.startsWith('file:') ? fileURLToPath(path) : path);
      if (name !== null && !builtIn.includes(name)) return name;
    }
  } catch {
    // An unreadable error can't be attributed.
  }
  return null;
}

/** Uses the nearest package.json with a `holdfast` block, because plugins have their own dependencies. */
function pluginOf(file: string): string | null {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name, holdfast } = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, unknown>;
    if (holdfast !== undefined && typeof name === 'string') return name;
  }
  return null;
}
