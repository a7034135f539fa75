import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asProgram } from '../as-program.js';
import { indexWorld, repository } from './index-world.js';

/** Adds an archive that fills the disk, makes room, and adds it again. */
const program = `
import { rmSync, writeFileSync } from 'node:fs';
import { makeArchiveIndexes } from './program.mjs';
const [disk, repository] = process.argv.slice(2);
const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
const index = await makeArchiveIndexes({ dataDirectory: disk, maxBytes: 1e9, log }).open(repository);
async function* files(count) {
  for (let n = 0; n < count; n++) {
    yield [{ path: 'folder/a file with a name ' + n, type: 'file', size: 7, mtime: 1, hardLinkTarget: null, symlinkTarget: null, healthy: true }];
  }
}
const archive = (n) => ({ toolId: 'id-' + n, name: 'daily-' + n, hostname: 'host', start: n * 86400000 });
const state = async () => [
  (await index.archives()).map(({ toolId }) => toolId),
  (await index.history('folder/a file with a name 7')).length,
  (await index.search({ literal: 'name 19999', matches: (_, name) => name.endsWith(' 19999'), limit: 9 })).items.length,
];
writeFileSync(disk + '/other', Buffer.alloc(10.6e6));
await index.add(archive(1), files(1000));
const error = await index.add(archive(2), files(20000)).then(() => null, ({ message }) => message);
const full = await state();
rmSync(disk + '/other');
await index.add(archive(2), files(20000));
console.log(JSON.stringify({ error, full, later: await state() }));
process.exit();
`;

test('keeps earlier archives when the disk is full, and continues later', { timeout: 60_000 }, async () => {
  const world = indexWorld();
  try {
    await asProgram('adapters/archive-index/index.ts', world.folder, ['sqlite3']);
    const main = join(world.folder, 'main.mjs');
    writeFileSync(main, program);
    const isRoot = process.getuid?.() === 0;
    const script = 'mount -t tmpfs -o size=12m tmpfs /mnt && exec "$@"';
    const words = [...(isRoot ? [] : ['--user', '--map-root-user']), '--mount', 'sh', '-c', script, 'sh'];
    const { stdout, stderr } = spawnSync('unshare', [...words, process.execPath, main, '/mnt', repository], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      error: expect.stringMatching(/SQLITE_(FULL|IOERR)/),
      full: [['id-1'], 1, 0],
      later: [['id-1', 'id-2'], 1, 1],
    });
  } finally {
    await world.end();
  }
});
