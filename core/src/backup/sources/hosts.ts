import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { HostProcess } from '@holdfast/plugin-api/driver';
import type { Command, CommandHost, ProgramHost } from '@holdfast/plugin-api/source';
import { notFound, say } from '../../foundation/kernel/index.js';
import { type HostNeeds, sourceHost } from '../ssh/index.js';
import { sshConnections } from '../ssh/tables.js';
import type { SourcesNeeds } from './needs.js';

interface HostOptions {
  signal: AbortSignal;
  /** Gets what programs print to their standard error while their output is read. */
  log(line: string): void;
}

/** Of each output that is read as a whole. */
const mostText = 1024 * 1024;
const longestLine = 2_000;

export interface Place {
  /** SSH connection to the host; null: this machine. */
  connectionId: number | null;
  /** Name of a container on it; null: the host itself. */
  container: string | null;
}

type Needs = HostNeeds & Pick<SourcesNeeds, 'programs' | 'sourceKinds'>;

/** Throws AppError `not_found`, DriverError, and what the plugin for containers throws. */
export async function hostOf(
  needs: Needs,
  { connectionId, container }: Place,
  options: HostOptions,
): Promise<CommandHost> {
  const host = commandHost(await machineOf(needs, connectionId), connectionId === null, options);
  if (container === null) return host;
  const enter = needs.sourceKinds.find(({ source }) => source.enter)?.source.enter;
  if (!enter) throw notFound(say`containers_unsupported: No plugin can run programs in containers.`);
  const { signal, log } = options;
  const inside = await enter(container, { host, signal, log: (_level, text) => log(text) });
  return commandHost(inside, false, options);
}

/** For people; null: this machine. Throws AppError `not_found`. */
export const hostNameOf = async (needs: Needs, connectionId: number | null): Promise<string | null> =>
  connectionId === null ? null : (await machineOf(needs, connectionId)).name;

async function machineOf(needs: Needs, connectionId: number | null): Promise<ProgramHost> {
  if (connectionId === null) return needs.programs;
  const [connection] = await needs.storage.find(sshConnections, { where: { id: connectionId }, limit: 1 });
  if (!connection)
    throw notFound(
      say`source_host_removed: The SSH connection to the host of the sources was removed: choose another.`,
    );
  return sourceHost(needs, connection, { sudo: connection.sudo });
}

/**
 * Reads variables from lines on standard input, as arguments can be seen by others. Then either the program gets the
 * rest of the input, or it is ended when the input ends: with this process, or with the connection. Some programs wait
 * for their server even then: they are killed. It waits for its children: many containers have no init that would.
 */
const runner = `
while IFS= read -r line && [ -n "$line" ]; do
  value=$(printf "%b." "\${line#*=}")
  export "\${line%%=*}=\${value%.}"
done
reads=$1; shift
[ "$reads" = no ] || exec "$@"
exec 3<&0 </dev/null
"$@" 3<&- & pid=$!
{
  cat <&3 & cat=$!; exec 3<&-
  trap 'kill "$cat"; wait "$cat"; exit' TERM
  wait "$cat"; kill "$pid"
  for second in 1 2 3 4 5 6 7 8 9 10; do sleep 1; done; kill -9 "$pid"
} >/dev/null 2>&1 & watch=$!
exec 3<&-
wait "$pid"; code=$?
kill "$watch" 2>/dev/null
wait "$watch" 2>/dev/null
exit "$code"
`;

const octal = (value: string) =>
  [...Buffer.from(value)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('');

function commandHost(host: ProgramHost, isLocal: boolean, { signal, log }: HostOptions): CommandHost {
  const start = async (
    { argv, env = {}, input }: Command,
    given: AbortSignal,
    to?: number,
  ): Promise<HostProcess> => {
    given.throwIfAborted();
    const broken = new AbortController();
    const until = AbortSignal.any([given, broken.signal]);
    const reads = input === undefined ? 'no' : 'yes';
    const options = { signal: until, ...(to !== undefined && { stdout: to }) };
    const process = await host.run(['sh', '-c', runner, 'sh', reads, ...argv], options);
    const { stdin } = process;
    stdin.on('error', () => {});
    // A program that is ended leaves its children; they end with their input.
    until.addEventListener('abort', () => stdin.destroy(), { once: true });
    process.exit.catch(() => {}).finally(() => stdin.destroy());
    const lines = Object.entries(env).map(([name, value]) => `${name}=${octal(value)}\n`);
    if (!stdin.write(`${lines.join('')}\n`)) await once(stdin, 'drain', { signal: until });
    if (typeof input === 'string') stdin.end(input);
    else if (input) {
      input.on('error', (error) => broken.abort(error)).pipe(stdin);
      stdin.on('close', () => input.destroy());
    }
    // The end of an incomplete input looks like its end to the program.
    const exit = process.exit.finally(() => broken.signal.throwIfAborted());
    exit.catch(() => {});
    return { ...process, exit };
  };
  return {
    name: host.name,
    isLocal,
    connect: (address) => host.connect(address, { signal }),
    async run(command) {
      const { stdout, stderr, exit } = await start(command, signal);
      const [out, messages] = await Promise.all([cutText(stdout), cutText(stderr)]);
      return { code: (await exit).code, stdout: out, stderr: messages };
    },
    async open(command, until, to) {
      const { stdout, stderr, exit } = await start(command, AbortSignal.any([signal, until]), to);
      logLines(stderr, log);
      return { output: stdout, code: exit.then(({ code }) => code) };
    },
  };
}

/** The rest is read and dropped, so that the program does not wait. */
const cutText = (stream: Readable): Promise<string> =>
  text(
    (async function* () {
      let left = mostText;
      for await (const piece of stream as AsyncIterable<Buffer>) {
        if (left > 0) yield piece.subarray(0, left);
        left -= piece.length;
      }
    })(),
  );

function logLines(stream: Readable, log: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('error', () => {});
  stream.on('data', (piece: string) => {
    const lines = (rest + piece).split('\n');
    rest = (lines.pop() ?? '').slice(-longestLine);
    for (const line of lines) log(line.slice(0, longestLine));
  });
  stream.on('close', () => {
    if (rest !== '') log(rest);
  });
}
