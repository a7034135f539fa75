import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeName } from '../../kernel/lossless-name.rules.js';
import { DriverError } from '../../kernel/errors.js';
import type { SourceHost } from '../../ports/backup-driver.js';
import { hostCommand } from './host-session.js';
import { textOf } from './on-host.js';
import { whatIsMissing } from './same-trees.js';

export interface Delivery {
  /** The working folder there. */
  folder: string;
  /** What is sent, as it lies here. */
  tree: string;
  stream: Readable;
  signal: AbortSignal;
}

const fullDisk = /No space left on device|Disk quota exceeded/;
const mostWarnings = 5;

/** Sends a tree and looks whether all of it is there. Returns what the host could not set; rejects with DriverError. */
export async function receive(host: SourceHost, delivery: Delivery): Promise<string[]> {
  const said = await send(host, delivery);
  delivery.signal.throwIfAborted();
  const { path, special } = await listed(host, delivery);
  const lines = said.split('\n').filter((line) => line !== '' && !/^tar: Exiting with failure/.test(line));
  if (fullDisk.test(said)) {
    throw new DriverError(
      'no_space',
      `The disk of ${host.name} is full. Free space there, or choose another.`,
    );
  }
  if (path !== null) {
    const why = lines.at(-1) ?? 'its tar does not say why';
    throw new DriverError('failed', `${escapeName(path)} did not arrive whole on ${host.name}: ${why}.`);
  }
  const lost = special > 0 ? [`${special} special files could not be made on ${host.name}.`] : [];
  return [...lost, ...lines.slice(0, mostWarnings)];
}

/** What tar says on the host; whether it is content is judged by what arrived. */
async function send(host: SourceHost, { folder, stream, signal }: Delivery): Promise<string> {
  const process = await host.run(hostCommand('receive', folder), { signal });
  const exit = process.exit;
  exit.catch(() => undefined);
  const said = textOf(process.stderr);
  process.stdout.resume();
  const sent = pipeline(stream, process.stdin).then(
    () => null,
    (error: unknown) => error,
  );
  const { code, signal: killed } = await exit;
  stream.destroy();
  const problem = await sent;
  if (code === null) throw new DriverError('connection', `${host.name} ended the transfer (${killed}).`);
  // A host that ends early breaks the stream: then its own words say more.
  if (problem !== null && code === 0) throw problem;
  return said;
}

async function listed(host: SourceHost, { folder, tree, signal }: Delivery) {
  const process = await host.run(hostCommand('list', folder), { signal });
  process.exit.catch(() => undefined);
  process.stdin.end();
  process.stderr.resume();
  const missing = await whatIsMissing(tree, process.stdout as AsyncIterable<Buffer>);
  await process.exit;
  return missing;
}
