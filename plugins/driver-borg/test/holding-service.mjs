// A service that holds a lock of the repository: `write` with a long backup, `read` with a file that it doesn't take.
// It says so with a line, and waits for its own end. The tool is stopped by then: it would let go in good order when it
// finds out that nobody reads it any more, before the kernel kills it too.
import { execFileSync } from 'node:child_process';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import plugin from '../dist/index.js';

const [, , folder, dataFolder, what] = process.argv;
const hold = () => {
  execFileSync('pkill', ['-STOP', '-x', 'borg']);
  console.log('holds');
};
const driver = plugin.create({ configuration: { binary: 'borg' }, dataFolder, log: console });
const target = {
  uid: 'one',
  location: join(folder, 'repository'),
  passphrase: 'a secret',
  keyFile: null,
  remoteToolPath: null,
};
if (what === 'read') {
  const path = join(folder, 'source', 'file').slice(1);
  driver.readFile(target, { archive: 'first', path }).once('readable', hold);
} else {
  const source = join(folder, 'long');
  await truncate(source, 256 * 1024 ** 3);
  const input = { name: 'long', comment: '', sources: [source], excludePatterns: [], customFlags: [] };
  const onProgress = ({ originalSize }) => originalSize > 0 && hold();
  await driver.createArchive(target, { ...input, compression: 'lz4' }, { onProgress });
}
