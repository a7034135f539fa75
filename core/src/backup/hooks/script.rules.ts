import type { JobStatus } from '../../engine/jobs/index.js';
import {
  isSealed,
  type Message,
  maskedValue,
  type ParameterValues,
  say,
} from '../../foundation/kernel/index.js';
import type { StoredSource } from '../repositories/tables.js';

const scriptCategories = ['custom', 'template'] as const;
export type ScriptCategory = (typeof scriptCategories)[number];

/** When a post-backup script runs. Pre-backup scripts always run. */
const runConditions = ['always', 'success', 'failure', 'warning'] as const;
export type RunOn = (typeof runConditions)[number];

/** An environment variable that a script takes as a parameter. */
export interface ParameterDefinition {
  name: string;
  type: 'text' | 'password';
  default: string;
  description: string;
  required: boolean;
}

const systemPrefix = 'BK_UI_';

/** Variables that the shell or the service sets. Mentioning one does not make it a parameter. */
const ordinary = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ', 'TERM', 'PWD', 'OLDPWD'],
  ...['IFS', 'RANDOM', 'SECONDS', 'LINENO', 'HOSTNAME', 'HOSTTYPE', 'OSTYPE', 'UID', 'EUID', 'PPID', 'SHLVL'],
  ...[
    'OPTARG',
    'OPTIND',
    'REPLY',
    'FUNCNAME',
    'PIPESTATUS',
    'DIRSTACK',
    'GROUPS',
    'MACHTYPE',
    'EPOCHSECONDS',
  ],
]);
const isOrdinary = (name: string) => ordinary.has(name) || /^(BASH|LC|LD)_|^BASH/.test(name);

const mention = /\$\{([A-Z][A-Z0-9_]*)(?::-([^}]*))?\}/g;
const secretName = /(^|_)(PASSWORD|PASSPHRASE|TOKEN|SECRET|CREDENTIALS?|AUTH|APIKEY)$|_KEY$/;

/** Parameters that a script mentions as `${NAME}` or `${NAME:-default}`, sorted by name. */
export function detectParameters(content: string): ParameterDefinition[] {
  const found = new Map<string, ParameterDefinition>();
  // Without this cut, each unclosed default would be searched for to the end of the text.
  const closed = content.slice(0, content.lastIndexOf('}') + 1);
  for (const [, name = '', fallback = ''] of closed.matchAll(mention)) {
    if (name.startsWith(systemPrefix) || isOrdinary(name)) continue;
    const known = found.get(name);
    if (known) known.default ||= fallback;
    else found.set(name, { name, type: typeOf(name), default: fallback, description: '', required: false });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const typeOf = (name: string) => (secretName.test(name) ? 'password' : 'text');

/** Normalises a script for the shell: no Windows line endings, no byte order mark. */
export const scriptText = (content: string): string => content.replace(/^\ufeff/, '').replace(/\r\n/g, '\n');

/** Values for display, with secrets masked. */
export function maskValues(
  stored: ParameterValues | null,
  parameters: readonly ParameterDefinition[] = [],
): Record<string, string> | null {
  if (stored === null) return null;
  const hidden = new Set(parameters.filter(({ type }) => type === 'password').map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [
      name,
      isSealed(value) || hidden.has(name) ? maskedValue : value,
    ]),
  );
}

/**
 * The parameters of a script whose text changed without new declarations: those that the new text mentions,
 * with their previous declaration if any, and previously declared ones that still occur in it.
 */
export function parametersAfter(
  content: string,
  before: readonly ParameterDefinition[],
): ParameterDefinition[] {
  const known = new Map(before.map((definition) => [definition.name, definition]));
  const detected = detectParameters(content);
  const names = new Set(detected.map(({ name }) => name));
  const stillUsed = before.filter(
    ({ name }) => !names.has(name) && new RegExp(`\\b${name}\\b`).test(content),
  );
  return [...detected.map((definition) => known.get(definition.name) ?? definition), ...stillUsed];
}

/** The exit code of a pre-backup hook for "not now" (`EX_TEMPFAIL`, as in borgmatic): the backup is skipped. */
export const notNow = 75;

const hookTypes = ['pre-backup', 'post-backup'] as const;
export type HookType = (typeof hookTypes)[number];

/**
 * `job`: the hooks of a repository around one backup. `slot`: the scripts of a schedule around one run of it.
 */
export type JournalScope = 'job' | 'slot';

/**
 * `waiting`: nothing has started. `before`: pre-backup hooks are running. `between`: they have finished.
 * `refused`: they failed, so no backup starts. `after`: post-backup hooks are running. `closed`: nothing is
 * left to run.
 */
export type JournalStage = 'waiting' | 'before' | 'between' | 'refused' | 'after' | 'closed';
export const openStages = ['waiting', 'before', 'between', 'refused', 'after'] as const;

/** The result of a backup as passed to post-backup hooks. */
export type BackupStatus = 'success' | 'warning' | 'failure';

/** A hook as it will run, even if its script changes in the meantime. JSON; contains secrets. */
export interface PlannedHook {
  name: string;
  /** Null for an inline script of the repository. */
  scriptId: number | null;
  content: string;
  /** Values of the script's parameters. */
  environment: Record<string, string>;
  /** The values among them to redact. */
  secrets: string[];
  timeoutSeconds: number;
  runOn: RunOn;
  /** Whether its failure fails the whole phase. */
  counts: boolean;
}

export interface PlannedSources {
  connectionId: number | null;
  all: StoredSource[];
}

export interface HookPlan {
  pre: PlannedHook[];
  post: PlannedHook[];
  /** The sources of the repository, with their secrets sealed; absent without any. */
  sources?: PlannedSources;
  /** Variables for every hook, in addition to its own parameters. */
  environment: Record<string, string>;
  /** Whether the backup runs even though pre-backup hooks failed. */
  continueOnFailure: boolean;
}

export const runsAfter = ({ runOn }: Pick<PlannedHook, 'runOn'>, status: BackupStatus): boolean =>
  runOn === 'always' || runOn === status;

export function backupStatus(status: JobStatus | 'completed_with_warnings'): BackupStatus {
  if (status === 'completed') return 'success';
  return status === 'completed_with_warnings' ? 'warning' : 'failure';
}

/** `2 pre-backup hooks failed: …`, or the only failure. */
export function phaseFailure(type: HookType, failures: readonly Message[]): Message {
  const [first] = failures;
  if (first && failures.length === 1) return first;
  const count = failures.length;
  const all = failures.join(' ');
  return say`hooks_failed: ${{ count }} ${{ type }} hooks failed: ${{ failures: all }}`;
}
