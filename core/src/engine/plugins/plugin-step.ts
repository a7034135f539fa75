import { reasonOf } from '../../foundation/kernel/index.js';

/**
 * Watches steps from another thread, because an endless loop blocks all timers of this one. Called before a step
 * begins, with the sentence to report when it hangs. The returned function is called with each progress report (true)
 * and at the end of the step (false).
 */
export type StepWatch = (sentence: string, ms: number) => (stillRunning: boolean) => void;

export interface PluginStep<T> {
  /** The message for a step that hangs, without a period: `chat took more than 5 s to start`. */
  late: string;
  /** How long it may take without a progress report, in milliseconds. */
  ms: number;
  /** How long it may take with them; default: `ms`. */
  maxMs?: number;
  watch?: StepWatch | undefined;
  work(stillWorking: () => void): T | Promise<T>;
  failed(cause: unknown): PluginError;
}

/**
 * Runs one step of one plugin. Throws PluginError: `timed_out`, the one that `failed` creates, or that of the step
 * itself.
 */
export async function runStep<T>({ late, ms, maxMs = ms, watch, work, failed }: PluginStep<T>): Promise<T> {
  const watcher = watch?.(`${late}.`, ms);
  const limits: NodeJS.Timeout[] = [];
  const limit = new Promise<never>((_, reject) => {
    const end = (sentence: string) => () => reject(new PluginError('timed_out', sentence));
    limits.push(setTimeout(end(`${late}.`), ms));
    if (maxMs > ms)
      limits.push(setTimeout(end(`${late}: it was still running after ${maxMs / 1000} s.`), maxMs));
  });
  const stillWorking = () => {
    if (maxMs <= ms) return;
    limits[0]?.refresh();
    watcher?.(true);
  };
  try {
    return await Promise.race([Promise.resolve().then(() => work(stillWorking)), limit]);
  } catch (error) {
    throw error instanceof PluginError ? error : failed(error);
  } finally {
    for (const each of limits) clearTimeout(each);
    watcher?.(false);
  }
}

/** Where a plugin was found. */
const pluginOrigins = ['built-in', 'PLUGINS', 'data folder'] as const;
export type PluginOrigin = (typeof pluginOrigins)[number];

/** One package that may be a plugin. */
export interface PluginSource {
  /** The name of a package, or a folder, as configured. */
  name: string;
  from: PluginOrigin;
  /** When it fails, the service starts without it. */
  optional: boolean;
}

export const builtIn = (name: string): PluginSource => ({ name, from: 'built-in', optional: false });

export type PluginErrorCode =
  /** No package with this name, or no folder at this path. */
  | 'not_found'
  /** package.json is missing or not JSON, or its `holdfast` block is missing or incomplete. */
  | 'no_manifest'
  | 'unknown_kind'
  | 'wrong_api_version'
  | 'taken_id'
  | 'taken_scheme'
  | 'missing_entry'
  | 'entry_outside'
  /** The entry failed to import, or exports no plugin. */
  | 'bad_module'
  | 'kind_mismatch'
  | 'bad_configuration'
  /** The result of `create` lacks methods of its port. */
  | 'incomplete_port'
  /** Two plugins of a kind that uses only one, or one although a variable selects another. */
  | 'two_chosen'
  /** Marked optional, although nothing can replace it. */
  | 'not_optional'
  /** The configuration selects an id that no package has. */
  | 'not_selected'
  /** The store has a different schema version than the server. */
  | 'other_schema'
  | 'failed'
  | 'timed_out';

/** Why a plugin can't be used. The message is one sentence that names the package. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
  constructor(
    readonly code: PluginErrorCode,
    message: string,
    options: { cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
  }
}

export const failedTo = (what: string, plugin: { package: string }, cause: unknown) =>
  new PluginError('failed', `${plugin.package} could not ${what}: ${reasonOf(cause)}.`, { cause });

/** Redacts the message. The cause is dropped when its text would reveal the secret. */
export function redacted(error: PluginError, redact: (text: string) => string): PluginError {
  const text = redact(error.message);
  return text === error.message ? error : new PluginError(error.code, text);
}
