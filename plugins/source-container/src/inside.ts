import { type Duplex, PassThrough, type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProgramHost } from '@holdfast/plugin-api/source';
import { inspect } from './containers.js';
import type { Engine } from './engine.js';

const headerBytes = 8;
const lookAgainMs = 50;
const mostLooks = 100;

/** Runs programs in a running container. Nothing is installed there, and it needs `sh`. */
export async function inside(engine: Engine, name: string): Promise<ProgramHost> {
  const container = await inspect(engine, name);
  if (!container) throw new Error(`There is no container ${name} on ${engine.hostName}.`);
  if (!container.isRunning || container.isPaused)
    throw new Error(`Container ${name} is not running on ${engine.hostName}: start it.`);
  return {
    name: `container ${name}`,
    connect: () => Promise.reject(new Error("Sockets in containers can't be reached.")),
    async run(command, { signal }) {
      signal?.throwIfAborted();
      const made = await engine.call({
        method: 'POST',
        path: `/containers/${container.id}/exec`,
        body: { AttachStdin: true, AttachStdout: true, AttachStderr: true, Cmd: command },
      });
      const { Id: id } = made.body as { Id?: string };
      if (made.status !== 201 || !id) throw new Error(`${command[0]} could not be started in ${name}.`);
      const body = { Detach: false, Tty: false };
      const connection = await engine.attach({ method: 'POST', path: `/exec/${id}/start`, body });
      signal?.addEventListener('abort', () => connection.destroy(), { once: true });
      const { stdout, stderr, ended } = outputsOf(connection);
      const exit = ended.then(() => exitOf(engine, id));
      exit.catch(() => {});
      return { stdin: inputOf(connection), stdout, stderr, exit };
    },
  };
}

/** Its end is the end of the input, and not of the output. */
const inputOf = (connection: Duplex) =>
  new Writable({
    write: (piece, encoding, done) => void connection.write(piece, encoding, done),
    final: (done) => void connection.end(done),
    destroy(error, done) {
      connection.end();
      done(error);
    },
  });

/** Each frame has a header: the stream (1 or 2), three zeros, and the length. */
function outputsOf(connection: Duplex) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  async function* outputIn(pieces: AsyncIterable<Buffer>) {
    let held: Buffer = Buffer.alloc(0);
    for await (const piece of pieces) {
      held = held.length === 0 ? piece : Buffer.concat([held, piece]);
      while (held.length >= headerBytes) {
        const end = headerBytes + held.readUInt32BE(4);
        if (held.length < end) break;
        const content = held.subarray(headerBytes, end);
        if (held[0] === 2) stderr.write(content);
        else yield content;
        held = held.subarray(end);
      }
    }
    if (held.length > 0) throw new Error('The connection to the container engine broke.');
  }
  const ended = pipeline(connection, outputIn, stdout).finally(() => stderr.end());
  return { stdout: stdout as Readable, stderr: stderr as Readable, ended };
}

async function exitOf(engine: Engine, id: string): Promise<{ code: number | null; signal: string | null }> {
  for (let look = 0; look < mostLooks; look += 1) {
    const { status, body } = await engine.call({ path: `/exec/${id}/json` });
    const { Running: isRunning, ExitCode: code } = body as { Running?: boolean; ExitCode?: number | null };
    if (status !== 200) throw new Error('The container is gone.');
    // Engines note the end a moment after the output ended.
    if (!isRunning) return { code: code ?? null, signal: null };
    await pause(lookAgainMs);
  }
  throw new Error('The container engine does not say how the program ended.');
}
