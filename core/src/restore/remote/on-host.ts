import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DriverError } from '../../kernel/errors.js';
import type { HostProcess, SourceHost } from '../../ports/backup-driver.js';

const mostText = 4_000;

/** Runs one command and returns what it says, without the line's end. Rejects with DriverError when it fails. */
export async function onHost(
  host: SourceHost,
  { command, input = [] }: { command: readonly string[]; input?: Iterable<string> | undefined },
): Promise<string> {
  const process = await host.run(command, {});
  const { exit } = process;
  exit.catch(() => undefined); // Awaited once all was read.
  const sent = pipeline(Readable.from(input), process.stdin).catch(() => undefined);
  const [said, problems] = await Promise.all([textOf(process.stdout), textOf(process.stderr), sent]);
  const { code, signal } = await exit;
  if (code === 0) return said;
  if (code === null) throw new DriverError('connection', `${host.name} ended the command (${signal}).`);
  throw new DriverError('failed', `${host.name}: ${said || problems || `it failed with code ${code}`}.`);
}

/** The end of what a stream says. */
export async function textOf(stream: HostProcess['stdout']): Promise<string> {
  let text = '';
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    text = (text + chunk.toString('utf8')).slice(-mostText);
  }
  return text.trim();
}
