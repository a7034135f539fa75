import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Log } from '@holdfast/plugin-api';

const require = createRequire(import.meta.url);

/** Where the files of the web console are, or will be once it is built; null if it is not installed. */
export function findConsole(log: Log): string | null {
  const folder = installed();
  if (folder === null || !existsSync(join(folder, 'index.html'))) {
    log.warn('the web console is missing: run `npm run build`, or set CONSOLE=off if you do not want it', {
      folder,
    });
  }
  return folder;
}

function installed(): string | null {
  try {
    return join(dirname(require.resolve('@holdfast/console/package.json')), 'dist');
  } catch {
    return null;
  }
}
