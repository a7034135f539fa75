import type { CreateArchiveInput } from '@holdfast/plugin-api/driver';
import { type Flag, flagsAndValues } from '../custom-flags.js';
import { type TarExclude, tarExclude } from './tar-excludes.js';

type Wanted = Pick<CreateArchiveInput, 'excludePatterns' | 'customFlags'>;

export interface TarPlan {
  /** Flags of the host's tar. */
  tar: string[];
  /** Flags of the tool that reads the stream. */
  tool: string[];
  /** Names of flags that have no effect on a tar stream. */
  unused: string[];
  problems: string[];
}

const forTool = ['-c', '--checkpoint-interval', '--chunker-params', '--upload-ratelimit', '--upload-buffer'];

/** Translates the user's patterns and flags for a tar stream. */
export function planTar({ excludePatterns, customFlags }: Wanted): TarPlan {
  const flags = flagsAndValues(customFlags);
  const keepsTags = flags.some(({ name }) => name === '--keep-exclude-tags');
  const plan: TarPlan = { tar: [], tool: [], unused: [], problems: [] };
  for (const pattern of excludePatterns) take(plan, tarExclude(pattern));
  for (const flag of flags) takeFlag(plan, flag, keepsTags);
  return plan;
}

function take(plan: TarPlan, exclude: TarExclude): void {
  if ('problem' in exclude) plan.problems.push(exclude.problem);
  else plan.tar.push(...exclude.flags);
}

function takeFlag(plan: TarPlan, { name, value }: Flag, keepsTags: boolean): void {
  const all = keepsTags ? '' : '-all';
  if (name === '-e' || name === '--exclude') take(plan, tarExclude(value ?? ''));
  else if (name === '--pattern') plan.problems.push('The flag --pattern is not supported by tar.');
  else if (name === '-x' || name === '--one-file-system') plan.tar.push('--one-file-system');
  else if (name === '--exclude-caches') plan.tar.push(`--exclude-caches${all}`);
  else if (name === '--exclude-if-present') plan.tar.push(`--exclude-tag${all}=${value}`);
  else if (forTool.includes(name)) plan.tool.push(value === null ? name : joined(name, value));
  else if (name !== '--keep-exclude-tags') plan.unused.push(name);
}

const joined = (name: string, value: string): string =>
  name.startsWith('--') ? `${name}=${value}` : `${name}${value}`;

/**
 * The host's paths relative to the root, without their first slash, as the tool stores them. A trailing slash would
 * follow a symlink, which the tool saves as such.
 */
export const tarCommand = (plan: TarPlan, sources: readonly string[]): string[] => [
  ...[
    'env',
    'LC_ALL=C.UTF-8',
    'TAR_OPTIONS=',
    'tar',
    '--create',
    '--file=-',
    '--format=pax',
    '--directory=/',
  ],
  ...plan.tar,
  // Without any path, tar refuses to begin.
  ...(sources.length > 0 ? ['--'] : ['--files-from=/dev/null']),
  ...sources.map((source) => source.replace(/^\/+|\/+$/g, '') || '.'),
];
