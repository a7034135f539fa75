import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Command, CommandHost } from '@holdfast/plugin-api/source';

/** The process of the service is gone: nothing runs any more. */
export class Died extends Error {
  override readonly name = 'Died';
}

export interface HostOfCase extends CommandHost {
  readonly isDead: boolean;
  /** Arguments of all commands, and `connect` with the address for each connection. */
  readonly commands: readonly string[][];
  readonly logged: string[];
  /** The signals that end what was opened. */
  readonly opened: readonly AbortSignal[];
  die(): Died;
}

interface Mishap {
  /** The position of the command with which this process dies. */
  diesAt?: number;
  when?: 'before' | 'after';
  onCommand?(): void;
  /** Ends what runs, and lets nothing more begin. */
  signal?: AbortSignal;
}

/** This machine, for one case. */
export function hostOfCase({ diesAt, when = 'before', onCommand, signal }: Mishap = {}): HostOfCase {
  const commands: string[][] = [];
  const logged: string[] = [];
  const opened: AbortSignal[] = [];
  let dead = false;
  const die = () => {
    dead = true;
    return new Died('The process was killed.');
  };
  const begin = (words: readonly string[]): boolean => {
    if (dead) throw die();
    const isLast = commands.push([...words]) - 1 === diesAt;
    onCommand?.();
    signal?.throwIfAborted();
    if (isLast && when === 'before') throw die();
    return isLast;
  };
  const start = ({ argv, env, input }: Command, until = signal) => {
    const isLast = begin(argv);
    // As the service does: a program that is not there ends with code 127.
    const child = spawn('sh', ['-c', 'exec "$@"', 'sh', ...argv], {
      env: { PATH: process.env.PATH, LC_ALL: 'C', ...env },
      ...(until && { signal: until }),
    });
    child.stdin.on('error', () => {});
    if (input === undefined || typeof input === 'string') child.stdin.end(input);
    else void pipeline(input, child.stdin).catch(() => {});
    return { child, isLast };
  };
  return {
    name: 'this machine',
    isLocal: true,
    commands,
    logged,
    opened,
    die,
    get isDead() {
      return dead;
    },
    async run(command) {
      const { child, isLast } = start(command);
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close') as Promise<[number | null]>,
      ]);
      if (isLast) throw die();
      return { code, stdout, stderr };
    },
    async connect(address) {
      const isLast = begin(['connect', address]);
      const colon = address.lastIndexOf(':');
      const socket = address.startsWith('/')
        ? connect(address)
        : connect({ host: address.slice(0, colon), port: Number(address.slice(colon + 1)) });
      await once(socket, 'connect');
      if (isLast) socket.once('close', die);
      return socket;
    },
    async open(command, until) {
      opened.push(until);
      const { child } = start(command, signal ? AbortSignal.any([signal, until]) : until);
      child.stderr.on('data', (piece) => logged.push(String(piece)));
      const code = once(child, 'close').then(([end]) => end as number | null);
      code.catch(() => {});
      return { output: child.stdout.pipe(new PassThrough()), code };
    },
  };
}
