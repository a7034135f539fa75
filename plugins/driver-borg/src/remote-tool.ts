import { execFile } from 'node:child_process';
import type { DriverError, RepositoryTarget } from '@holdfast/plugin-api/driver';
import { hostOf, toolMissing } from './connection-errors.js';
import { partsOf } from './location.js';
import type { ToolExit } from './process.js';
import { shellWord, sshArgs, transportOf } from './transport.js';

const longestAnswerMs = 20_000;
/** Exit codes of a shell that can't run, or can't find, a program. */
const cannotRun = new Set([126, 127]);

/** The remote side ended before its first message; borg then often loses what the shell there printed. */
export const endedAtOnce = ({ log }: Pick<ToolExit, 'log'>): boolean =>
  log.errors.some(({ text }) => text.includes('Is borg working on the server?'));

/** Asks the host whether borg exists there at all. Null if it does, or if that is unknown. */
export async function missingTool(target: RepositoryTarget): Promise<DriverError | null> {
  const transport = transportOf(target);
  if (!transport) return null;
  const { user, host, port } = partsOf(target.location);
  const [program, ...args] = sshArgs(transport, '/dev/null') as [string, ...string[]];
  const command = `${shellWord(target.remoteToolPath ?? 'borg')} --version`;
  const code = await exitCodeOf(program, [...args, '-p', port, `${user}@${host}`, command]);
  return cannotRun.has(code) ? toolMissing(hostOf(target.location)) : null;
}

const exitCodeOf = (program: string, args: string[]): Promise<number> =>
  new Promise((resolve) => {
    const options = { timeout: longestAnswerMs, env: { PATH: process.env.PATH } };
    const child = execFile(program, args, options, (error) =>
      resolve(typeof error?.code === 'number' ? error.code : error ? -1 : 0),
    );
    child.stdin?.end();
  });
