import { spawn } from 'node:child_process';
import type { RepositoryTarget } from '@holdfast/plugin-api/driver';
import { partsOf } from '../location.js';
import { shellWord, sshArgs, transportOf } from '../transport.js';

const longestAnswerMs = 20_000;
const mostAnswer = 65_536;

/**
 * The id of a repository on another host, even if the account may run nothing but `borg serve`. Takes no lock. Null
 * if no answer contains it.
 */
export async function remoteId(target: RepositoryTarget, signal?: AbortSignal): Promise<string | null> {
  const transport = transportOf(target);
  if (!transport) return null;
  const { user, host, port, path } = partsOf(target.location);
  const args = [...sshArgs(transport, '/dev/null'), '-p', port, `${user}@${host}`];
  const serve = `${shellWord(target.remoteToolPath ?? 'borg')} serve`;
  const ask = (command: string) => askHost([...args, command], path, signal);
  if (!isPlain(path)) return (await ask(serve)).id;
  const { id, unanswered } = await ask(`${configFirst(path)} ${serve}`);
  return unanswered ? (await ask(serve)).id : id;
}

/** A path that neither the shell nor `borg serve` reads as something else. */
const isPlain = (path: string): boolean => shellWord(path) === path && !/^\/(~|\.\/)/.test(path);

/**
 * A shell prints the id from the repository's config and exits before it starts the tool, which takes three times as
 * long. A forced `borg serve` gets this as a variable, which it drops.
 */
const configFirst = (path: string): string => `LOOK="$(grep -s '^id = ' ${path}/config >&2 && kill $$)"`;

interface HostAnswer {
  id: string | null;
  /** The host was reached but gave neither answer. */
  unanswered: boolean;
}

const notReached = 255;

function askHost(args: string[], path: string, signal?: AbortSignal): Promise<HostAnswer> {
  const [program = '', ...parameters] = args;
  const child = spawn(program, parameters, {
    stdio: 'pipe',
    env: { PATH: process.env.PATH },
    timeout: longestAnswerMs,
    killSignal: 'SIGKILL',
    ...(signal && { signal }),
  });
  return new Promise((resolve) => {
    let answer = Buffer.alloc(0);
    let output = '';
    const end = (id: string | null) => resolve({ id, unanswered: false });
    child.on('error', () => end(null));
    child.on('close', (code) => resolve({ id: null, unanswered: code !== null && code !== notReached }));
    child.stdin.on('error', () => {});
    child.stdout.on('data', (piece: Buffer) => {
      answer = Buffer.concat([answer, piece]);
      const id = idIn(answer);
      if (id !== null || answer.length >= mostAnswer) end(id);
    });
    child.stderr.setEncoding('latin1').on('data', (piece: string) => {
      output = (output + piece).slice(-mostAnswer);
      const [, id] = /^id = ([0-9a-f]{64})\r?$/m.exec(output) ?? [];
      if (id) end(id);
    });
    child.stdin.end(Buffer.concat([negotiation, opening(path)]));
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

/** The bytes before the 32 bytes of the second answer: `{i: 2, r: …}`. */
const answerHead = '82a16902a172da0020';

function idIn(answer: Buffer): string | null {
  const at = answer.indexOf(answerHead, 0, 'hex');
  const from = at + answerHead.length / 2;
  return at < 0 || answer.length < from + 32 ? null : answer.subarray(from, from + 32).toString('hex');
}
