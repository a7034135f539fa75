// A service that pulls from a host whose stream pauses after a whole file, tells the tool's process, and waits for its
// own end.
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import plugin from '../dist/index.js';

const [, , folder, binary, sent, probed] = process.argv;
const driver = plugin.create({ configuration: { binary }, dataFolder: join(folder, 'data') });
const location = join(folder, 'repository');
const target = { uid: 'one', location, passphrase: 'a secret', keyFile: null, remoteToolPath: null };
const sends = (bytes, { ends }) => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdout.write(bytes);
  if (ends) stdout.end();
  stderr.end();
  const exit = ends ? Promise.resolve({ code: 0, signal: null }) : new Promise(() => {});
  return { stdin, stdout, stderr, exit };
};
const run = async (command) =>
  command.includes('--create')
    ? sends(Buffer.from(sent, 'base64'), { ends: false })
    : sends(probed, { ends: true });
const settings = { comment: '', excludePatterns: [], compression: 'lz4', customFlags: [] };
const host = { name: 'root@host', toolPath: null, run };
let tool;
await driver.pullArchive(
  target,
  { ...settings, name: 'a', sources: ['/data'], host, way: 'tar' },
  {
    onProcess: (started) => {
      tool = started;
    },
    onLog: ({ text }) => {
      if (text === 'read') process.send(tool);
    },
  },
);
