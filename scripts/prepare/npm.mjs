import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { run } from './run.mjs';
import { PrepareError } from './say.mjs';

/** What npm says, and what helps. */
const advice = [
  [/ENOSPC/, 'The disk is full: free 1 GB'],
  [
    /E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|NETUNREACH|HOSTUNREACH|SOCKETTIMEOUT)/,
    'The package registry can’t be reached: connect to the network, or set `npm config set registry` and a proxy',
  ],
  [/\bE40[13]\b/, 'The package registry refuses access: sign in with `npm login`'],
  [/EACCES|EPERM|EROFS/, 'npm can’t write here: start as the owner of this folder and of npm’s cache'],
  [
    /`npm ci` can only install/,
    'package.json and package-lock.json differ: undo the change, or run `npm install`',
  ],
];

/** Without network, npm asks for each package three times before it says so, which takes minutes. */
function failsOften() {
  let failures = 0;
  return (chunk) => {
    failures += `${chunk}`.match(/attempt \d failed with E/g)?.length ?? 0;
    return failures > 20;
  };
}
const isNoise = (line) => /^npm (http|warn) /.test(line);

/**
 * Runs npm, the one that started this process if there is one. Its output is shown only if it fails.
 * @throws PrepareError
 */
export async function npm(parameters, { env } = {}) {
  const own = process.env.npm_execpath;
  const [command, ...before] = own && basename(own).startsWith('npm') ? [process.execPath, own] : ['npm'];
  const all = [...before, ...parameters, '--loglevel=http'];
  const { code, output } = await run(command, all, { env, quiet: true, isHopeless: failsOften() });
  if (code === 0) return;
  const shown = output
    .trimEnd()
    .split('\n')
    .filter((line) => !isNoise(line));
  const [, what] = advice.find(([pattern]) => pattern.test(output)) ?? [];
  throw new PrepareError(
    `${shown.join('\n')}\n\n${what ?? `npm ${parameters[0]} failed: see its output above`}, and run the command again.`,
  );
}

/** Native modules compile against the headers beside the running node, if they exist, so that nothing is downloaded. */
export function nodeHeaders() {
  const prefix = dirname(dirname(process.execPath));
  if (process.env.npm_config_nodedir || !existsSync(join(prefix, 'include', 'node', 'node.h'))) return {};
  return { npm_config_nodedir: prefix };
}
