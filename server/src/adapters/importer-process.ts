import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ImporterFailure, inTurn, type OpenImporter } from '@holdfast/core/server';

/** Seconds of a processor: should this process be killed, an endless loop ends too. */
const limited = 'ulimit -t 60; exec "$0" "$@"';
const confined = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';
/** Links are kept: where they lead need not be allowed. */
const flags = [confined, '--no-warnings', '--preserve-symlinks', '--max-old-space-size=256'];

const program = `
const none = () => undefined;
const log = { debug: none, info: none, warn: none, error: none, child: () => log };
const fetch = async () => { throw new Error('An importer has no network.'); };
process.on('disconnect', () => process.exit());
process.on('message', async ({ entry, configuration, method, parameters }) => {
  try {
    const { default: plugin } = await import(entry);
    const importer = await plugin.create({ configuration, log, clock: { now: Date.now }, dataFolder: '', fetch });
    if (!importer[method]) throw { code: 'absent' };
    process.send({ answer: JSON.stringify(await importer[method](...parameters)) ?? 'null' });
  } catch (error) {
    process.send({ name: String(error?.name ?? ''), code: String(error?.code) });
  }
});
`;

interface Said {
  answer?: string;
  name?: string;
  code?: string;
}

const oneByOne = inTurn();

/**
 * A process for each import. Of all processes, one works at a time. `longestMs`, for each answer: far more than files of
 * another tool need, on a busy machine too.
 */
export const openImporter = (({ entry, folder, configuration }, longestMs: number = 20_000) => {
  const reads = [join(folder, '*'), ...librariesBeside(folder)].map((path) => `--allow-fs-read=${path}`);
  const words = [process.execPath, ...flags, ...reads, '--eval', program];
  const child = spawn('/bin/sh', ['-c', limited, ...words], {
    env: {},
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = new Promise<never>((_, reject) => {
    const end = (kind: ImporterFailure['kind'], reason: string) => reject(new ImporterFailure(kind, reason));
    child.once('error', () => end('threw', 'it could not be started'));
    // By itself, or by a signal: of a limit, or of running out of memory.
    child.once('exit', (code) =>
      code === null
        ? end('excess', 'it took too much time or memory')
        : end('threw', 'it ended without a result'),
    );
  });
  ended.catch(() => undefined);
  const close = () => void child.kill('SIGKILL');
  const call = async (method: string, parameters: readonly unknown[]) => {
    const said = new Promise<Said>((resolve) => child.once('message', resolve));
    const timer = setTimeout(close, longestMs);
    // The end of the process also reports a failure to send.
    child.send({ entry: pathToFileURL(entry).href, configuration, method, parameters }, () => undefined);
    const { answer, name, code } = await Promise.race([said, ended]).finally(() => clearTimeout(timer));
    if (answer !== undefined) return JSON.parse(answer) as unknown;
    throw new ImporterFailure('threw', reasonOf({ name, code }));
  };
  return { call: (method, parameters) => oneByOne(() => call(method, parameters)), close };
}) satisfies OpenImporter;

const reasons: Partial<Record<string, string>> = {
  ERR_ACCESS_DENIED: 'it tried to use something it has no access to',
  ERR_MODULE_NOT_FOUND: 'a library that it needs is missing',
  absent: 'it does not offer this',
};

/** Error texts may contain secrets from the files, so only their kind is reported. */
function reasonOf({ name = '', code = '' }: Said): string {
  return reasons[code] ?? (/^\w{1,40}$/.test(name) ? `it threw an error (${name})` : 'it threw an error');
}

function librariesBeside(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [join(above, 'node_modules', '*'), ...librariesBeside(above)];
}
