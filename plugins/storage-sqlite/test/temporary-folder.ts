import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** A folder for each test of a file, removed after it. Resolves names in it. */
export function temporaryFolder(): (name: string) => string {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-sqlite-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  return (name) => join(folder, name);
}
