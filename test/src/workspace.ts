import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder that a test fills and removes. */
export interface Workspace {
  path: string;
  folder(...parts: string[]): string;
  remove(): void;
}

export function makeWorkspace(): Workspace {
  const path = mkdtempSync(join(tmpdir(), 'holdfast-'));
  // Services of other users must be able to walk through.
  chmodSync(path, 0o755);
  return {
    path,
    folder(...parts) {
      const folder = join(path, ...parts);
      mkdirSync(folder, { recursive: true });
      return folder;
    },
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}
