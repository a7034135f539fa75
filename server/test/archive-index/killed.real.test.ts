import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asProgram } from '../as-program.js';
import { archive, entry, indexWorld, repository, stream } from './index-world.js';

/** Adds an archive, and is killed after a number of entries. */
const program = `
import { makeArchiveIndexes } from './program.mjs';
const [folder, repository, most] = process.argv.slice(2);
const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
const index = await makeArchiveIndexes({ dataDirectory: folder, maxBytes: 1e9, log }).open(repository);
const file = (path) => ({ path, type: 'file', size: 7, mtime: 1, hardLinkTarget: null, symlinkTarget: null, healthy: true });
async function* some() {
  for (let n = 0; ; n++) {
    if (n >= most) process.kill(process.pid, 'SIGKILL');
    yield [file('folder/' + n), file('further/' + n)];
  }
}
await index.add({ toolId: 'id-2', name: 'daily-2', hostname: 'host', start: 2 * 86400000 }, some());
`;

test('keeps earlier archives when a process is killed', { timeout: 60_000 }, async () => {
  const world = indexWorld();
  try {
    await asProgram('adapters/archive-index/index.ts', world.folder, ['sqlite3']);
    writeFileSync(join(world.folder, 'main.mjs'), program);
    const file = (n: number) => entry(`folder/${n}`);
    const files = Array.from({ length: 2_000 }, (_, n) => file(n));
    const index = await world.indexes.open(repository);
    await index.add(archive(1), stream(files));
    for (const most of [1, 3_000, 30_000]) {
      const words = [join(world.folder, 'main.mjs'), world.folder, repository, String(most)];
      const { stderr, signal } = spawnSync(process.execPath, words, { encoding: 'utf8', env: {} });
      expect({ stderr, signal }).toEqual({ stderr: '', signal: 'SIGKILL' });
    }
    const another = await world.another().open(repository);
    for (const each of [index, another]) {
      expect((await each.archives()).map(({ toolId }) => toolId)).toEqual(['id-1']);
      expect(await each.history(file(1).path)).toHaveLength(1);
      expect(await each.history('further')).toBeNull();
    }
    const added = await another.add(archive(2), stream([...files, file(5_000)]));
    expect(added?.delta).toMatchObject({ added: 1, changed: 0, removed: 0 });
    expect(world.warnings).toEqual([]);
  } finally {
    await world.end();
  }
});
