// A service that starts a long backup, tells the tool's process, and waits for its own end. With the word `unnoted`
// it dies before the tool may begin.
import { randomUUID } from 'node:crypto';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import plugin from '../dist/index.js';

const [, , folder, when] = process.argv;
const driver = plugin.create({ configuration: { binary: 'borg' }, dataFolder: join(folder, 'data') });
const location = join(folder, 'repository');
const target = { uid: randomUUID(), location, passphrase: 'a secret', keyFile: null, remoteToolPath: null };
await mkdir(join(folder, 'source'));
await writeFile(join(folder, 'source', 'long'), '');
await truncate(join(folder, 'source', 'long'), 256 * 1024 ** 3);
await driver.init(target, { encryption: 'repokey' });
const input = {
  name: 'a',
  comment: '',
  sources: [join(folder, 'source')],
  excludePatterns: [],
  compression: 'lz4',
};
let tool;
await driver.createArchive(
  target,
  { ...input, customFlags: [] },
  {
    onProcess: (started) => {
      tool = started;
      if (when !== 'unnoted') return;
      process.send(tool);
      return new Promise(() => {});
    },
    onProgress: ({ originalSize }) => {
      if (originalSize > 0) process.send(tool);
    },
  },
);
