import { once } from 'node:events';
import { Duplex, PassThrough, type Readable, Writable } from 'node:stream';
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
  const host: ProgramHost = {
    name: `container ${name}`,
    connect: (address, options) => connectInside(host, address, options),
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
  return host;
}

/** Connects to `$1`, port `$2`, and writes a line when that is done. It ends when one of both sides does. */
const connecting = `
if command -v bash >/dev/null; then exec bash -c '
  exec 3<>"/dev/tcp/$1/$2" || exit 1
  exec 4<&0; echo
  cat <&3 & cat <&4 >&3 & wait -n; kill $(jobs -p); wait' bash "$1" "$2"
fi
command -v nc >/dev/null || exit 127
echo; exec nc "$1" "$2"
`;

async function connectInside(host: ProgramHost, address: string, options: { signal?: AbortSignal }) {
  const colon = address.lastIndexOf(':');
  if (colon < 1) throw new Error("Sockets of paths in containers can't be reached.");
  const place = [address.slice(0, colon), address.slice(colon + 1)];
  const { stdin, stdout, stderr, exit } = await host.run(['sh', '-c', connecting, 'sh', ...place], options);
  stderr.resume();
  const refused = exit.then(({ code }) => {
    if (code === 127) throw new Error(`${host.name} has neither bash nor nc to connect to ${address}.`);
    throw new Error(`Nothing answers at ${address} in ${host.name}.`);
  });
  refused.catch(() => {});
  // The line that says that it is connected.
  while (stdout.read(1) === null) await Promise.race([once(stdout, 'readable'), refused]);
  // It says that it was destroyed, also to those who did that.
  return Duplex.from({ readable: stdout, writable: stdin }).on('error', () => {});
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
