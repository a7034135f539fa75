import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/** `$1` is the tool. */
const holder = `trap '' INT TERM HUP; read -r _ || kill -TERM "-$1"`;

/**
 * Keeps the tool's input open if this process dies: the tool would take its end for the end of the data. A process of
 * its own holds the other end, and ends the tool first. The returned function ends that process.
 */
export function holdInput(pid: number, input: Writable): () => void {
  const shell = spawn('/bin/sh', ['-c', holder, 'holder', String(pid)], {
    env: {},
    // Only there: on the first three descriptors it would block, for this process too.
    stdio: ['pipe', 'ignore', 'ignore', input],
    detached: true,
  });
  shell.on('error', () => {});
  shell.stdin?.on('error', () => {});
  return () => void shell.stdin?.end('done\n');
}
