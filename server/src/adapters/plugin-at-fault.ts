import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const place = /(file:\/\/\/[^\s)]+?|\/[^\s()]+?):\d+:\d+/g;

/**
 * The name of the plugin in whose package an error arose: one of the files in its stack belongs to a package with a
 * `holdfast` block. Null when there is none, or only the product's own.
 */
export function pluginAtFault(error: unknown, builtIn: readonly string[]): string | null {
  try {
    const { stack } = (error ?? {}) as { stack?: unknown };
    if (typeof stack !== 'string') return null;
    for (const [, path = ''] of stack.matchAll(place)) {
      const name = pluginOf(path.startsWith('file:') ? fileURLToPath(path) : path);
      if (name !== null && !builtIn.includes(name)) return name;
    }
  } catch {
    // An error that can't even be read tells nothing.
  }
  return null;
}

/** Of the nearest package.json that has a `holdfast` block: a plugin brings packages of its own along. */
function pluginOf(file: string): string | null {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name, holdfast } = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, unknown>;
    if (holdfast !== undefined && typeof name === 'string') return name;
  }
  return null;
}
