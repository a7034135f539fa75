import type { JobStatus } from '../jobs/index.js';
import { isSealed, maskedValue, type ParameterValues } from '../kernel/index.js';

const scriptCategories = ['custom', 'template'] as const;
export type ScriptCategory = (typeof scriptCategories)[number];

/** When a script after the backup runs; scripts before it always do. */
const runConditions = ['always', 'success', 'failure', 'warning'] as const;
export type RunOn = (typeof runConditions)[number];

/** A variable of the environment that a script takes. */
export interface ParameterDefinition {
  name: string;
  type: 'text' | 'password';
  default: string;
  description: string;
  required: boolean;
}

const systemPrefix = 'BK_UI_';

/** What the shell or the service itself sets: none of these is a parameter because a script mentions it. */
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

/** The parameters that a text mentions as `${NAME}` or `${NAME:-default}`, by name. */
export function detectParameters(content: string): ParameterDefinition[] {
  const found = new Map<string, ParameterDefinition>();
  // A default that nothing closes would be looked for to the end of the text, again and again.
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

/** The text as a shell wants it: no line ends of Windows, no byte order mark. */
export const scriptText = (content: string): string => content.replace(/^\ufeff/, '').replace(/\r\n/g, '\n');

/** As people see them. */
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
 * The parameters of a script whose text changed and which were not given anew: what the new text mentions,
 * told of as before where it was known, and what was declared before and still occurs in it.
 */
export function parametersAfter(
  content: string,
  before: readonly ParameterDefinition[],
): ParameterDefinition[] {
  const known = new Map(before.map((definition) => [definition.name, definition]));
  const detected = detectParameters(content);
  const names = new Set(detected.map(({ name }) => name));
  const kept = before.filter(({ name }) => !names.has(name) && new RegExp(`\\b${name}\\b`).test(content));
  return [...detected.map((definition) => known.get(definition.name) ?? definition), ...kept];
}

const hookTypes = ['pre-backup', 'post-backup'] as const;
export type HookType = (typeof hookTypes)[number];

/**
 * `job`: the hooks of a repository around one backup. `slot`: the scripts of a schedule around one run of it.
 */
export type JournalScope = 'job' | 'slot';

/**
 * `waiting`: nothing has begun. `before`: hooks before the backup run. `between`: they are done. `refused`:
 * they failed, so that no backup begins. `after`: hooks after the backup run. `closed`: nothing is owed any
 * more.
 */
export type JournalStage = 'waiting' | 'before' | 'between' | 'refused' | 'after' | 'closed';
export const openStages = ['waiting', 'before', 'between', 'refused', 'after'] as const;

/** How hooks after a backup are told of it. */
export type BackupStatus = 'success' | 'warning' | 'failure';

/** One hook as it will run, whatever is changed meanwhile. JSON; holds secrets. */
export interface PlannedHook {
  name: string;
  /** Null: a text of the repository itself. */
  scriptId: number | null;
  content: string;
  /** Values of the script's parameters. */
  environment: Record<string, string>;
  /** Those of them that must not be seen. */
  secrets: string[];
  timeoutSeconds: number;
  runOn: RunOn;
  /** Its failure is one of the whole phase. */
  counts: boolean;
}

export interface HookPlan {
  pre: PlannedHook[];
  post: PlannedHook[];
  /** What every hook of the plan is told beside its own parameters. */
  environment: Record<string, string>;
  /** The backup goes on though hooks before it failed. */
  continueOnFailure: boolean;
}

export const runsAfter = ({ runOn }: Pick<PlannedHook, 'runOn'>, status: BackupStatus): boolean =>
  runOn === 'always' || runOn === status;

export function backupStatus(status: JobStatus | 'completed_with_warnings'): BackupStatus {
  if (status === 'completed') return 'success';
  return status === 'completed_with_warnings' ? 'warning' : 'failure';
}

/** `2 of 3 pre-backup hooks failed: …`; `failures` are sentences. */
export function phaseFailure(type: HookType, failures: readonly string[]): string {
  return failures.length === 1
    ? `${failures[0]}`
    : `${failures.length} ${type} hooks failed: ${failures.join(' ')}`;
}
