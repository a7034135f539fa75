import { type ChildProcessWithoutNullStreams, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import type { SourceHost } from '@holdfast/plugin-api/driver';
import type { ProgramHost } from '@holdfast/plugin-api/source';

/** A file system that does not answer costs a process, and no request waits longer. */
const longestMs = 30_000;

/** Programs on this machine, as on another host. */
const programsHere = (timeout?: number): SourceHost & ProgramHost => ({
  name: 'this machine',
  toolPath: null,
  run: async ([program = '', ...words], { signal, stdout = 'pipe' }) => {
    const env = { PATH: process.env.PATH, LC_ALL: 'C' };
    const child = spawn(program, words, {
      env,
      stdio: ['pipe', stdout, 'pipe'] as StdioOptions,
      ...(timeout !== undefined && { timeout }),
      killSignal: 'SIGKILL',
      signal,
    });
    const exit = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, killed) => resolve({ code, signal: killed }));
    });
    const { stdin, stderr } = child as ChildProcessWithoutNullStreams;
    return { stdin, stdout: child.stdout ?? Readable.from([]), stderr, exit };
  },
  connect: async (address, { signal }) => {
    const colon = address.lastIndexOf(':');
    const socket = address.startsWith('/')
      ? connect(address)
      : connect({ host: address.slice(0, colon), port: Number(address.slice(colon + 1)) });
    await once(socket, 'connect', { signal });
    return socket;
  },
});

export const thisMachine = programsHere(longestMs);
/** Without a time limit. */
export const programs = programsHere();
