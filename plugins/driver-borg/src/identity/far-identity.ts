import { spawn } from 'node:child_process';
import type { RepositoryTarget } from '@holdfast/core/plugin';
import { partsOf } from '../location.js';
import { shellWord, sshWords, transportOf } from '../transport.js';

const longestAnswerMs = 20_000;
const mostAnswer = 65_536;

/**
 * The id of a repository on another host, by the tool's own protocol: the shortest way that an account which may do
 * nothing but `borg serve` allows. It takes no lock. Null when no answer says it.
 */
export function farId(target: RepositoryTarget, signal?: AbortSignal): Promise<string | null> {
  const transport = transportOf(target);
  if (!transport) return Promise.resolve(null);
  const { user, host, port, path } = partsOf(target.location);
  const [program, ...words] = sshWords(transport, '/dev/null') as [string, ...string[]];
  const serve = `${shellWord(target.remoteToolPath ?? 'borg')} serve`;
  const child = spawn(program, [...words, '-p', port, `${user}@${host}`, serve], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH },
    timeout: longestAnswerMs,
    killSignal: 'SIGKILL',
    ...(signal && { signal }),
  });
  return new Promise((resolve) => {
    let answer = Buffer.alloc(0);
    child.on('error', () => resolve(null));
    child.on('close', () => resolve(null));
    child.stdin.on('error', () => {});
    child.stdout.on('data', (piece: Buffer) => {
      answer = Buffer.concat([answer, piece]);
      const id = idIn(answer);
      if (id === null && answer.length < mostAnswer) return;
      resolve(id);
      child.stdin.end();
    });
    child.stdin.write(Buffer.concat([negotiation, opening(path)]));
  });
}

/** MessagePack, as far as these two calls need it. */
const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  const head = bytes.length < 32 ? [0xa0 | bytes.length] : [0xda, bytes.length >> 8, bytes.length & 0xff];
  return Buffer.concat([Buffer.from(head), bytes]);
};
const map = (entries: Record<string, Buffer>): Buffer => {
  const parts = Object.entries(entries).flatMap(([key, value]) => [text(key), value]);
  return Buffer.concat([Buffer.from([0x80 | Object.keys(entries).length]), ...parts]);
};
const no = Buffer.from([0xc2]);

const clientVersion = Buffer.from([0x93, 1, 2, 0]);
const negotiation = map({
  i: Buffer.from([1]),
  m: text('negotiate'),
  a: map({ client_data: map({ client_version: clientVersion }) }),
});
const opening = (path: string): Buffer =>
  map({ i: Buffer.from([2]), m: text('open'), a: map({ path: text(path), create: no, lock: no }) });

/** What stands before the 32 bytes of the second answer: `{i: 2, r: …}`. */
const answerHead = '82a16902a172da0020';

function idIn(answer: Buffer): string | null {
  const at = answer.indexOf(answerHead, 0, 'hex');
  const from = at + answerHead.length / 2;
  return at < 0 || answer.length < from + 32 ? null : answer.subarray(from, from + 32).toString('hex');
}
