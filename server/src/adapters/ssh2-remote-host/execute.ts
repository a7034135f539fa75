import type { Readable } from 'node:stream';
import type { Connection } from './connection.js';
import { noCommands, stepFailure } from './failures.js';
import { outputBytes } from './limits.js';
import { lineFor } from './quote.js';
import { startCommand } from './start-command.js';

export interface Execution {
  code: number | null;
  stdout: Buffer;
  stderr: string;
}

export interface Command {
  step: string;
  /** For the shell of the account, with quoted words. */
  line: string;
  input?: string | Buffer;
}

/** Runs a command and collects its output. Rejects with RemoteHostError if the host does not run commands. */
export async function execute(connection: Connection, { step, line, input }: Command): Promise<Execution> {
  const { channel, ended } = await startCommand(connection, { step, line });
  channel.end(input ?? '');
  const [stdout, stderr, exit] = await Promise.all([
    contentOf(channel, step),
    contentOf(channel.stderr, step),
    ended,
  ]);
  return { code: exit?.code ?? null, stdout, stderr: stderr.toString() };
}

const contentOf = (stream: Readable, step: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > outputBytes) reject(stepFailure(step, new Error('it produces too much output')));
      else chunks.push(chunk);
    });
    stream.on('end', () => resolve(Buffer.concat(chunks)));
  });

const begin = 'holdfast-begin';
const end = 'holdfast-end';

export interface Script {
  step: string;
  /** For `sh`. Must be constant: pass values as `parameters` (`$1` and so on). */
  text: string;
  parameters?: readonly string[];
  input?: string;
}

/**
 * Runs a constant script and returns its output without text that shells of the host print before and after
 * it. `code` is the exit code of the script. Rejects with RemoteHostError `refused` if the host ran another
 * command.
 */
export async function runScript(
  connection: Connection,
  { step, text, parameters = [], input }: Script,
): Promise<{ code: number; output: Buffer; stderr: string }> {
  const script = `printf '%s\\n' ${begin}; (${text}\n); c=$?; printf '%s %s\\n' ${end} "$c"`;
  const line = lineFor(connection.account, ['sh', '-c', script, 'sh', ...parameters]);
  const { stdout, stderr } = await execute(connection, { step, line, ...(input ? { input } : {}) });
  const start = stdout.indexOf(`${begin}\n`);
  const stop = stdout.lastIndexOf(`${end} `);
  if (start < 0 || stop < 0) throw noCommands(step, stderr || stdout.toString());
  const code = Number.parseInt(stdout.toString('latin1', stop + end.length), 10);
  return { code, output: stdout.subarray(start + begin.length + 1, stop), stderr };
}
