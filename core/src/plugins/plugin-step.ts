import { reasonOf } from '../kernel/index.js';

/**
 * Looks on from outside of this thread: code in an endless loop lets no timer of the thread come to its turn. Told of a
 * step before it begins, and of its sentence; the function that it gives back is called with each sign of life (true) and
 * at the end of the step (false).
 */
export type StepWatch = (sentence: string, ms: number) => (goesOn: boolean) => void;

export interface PluginStep<T> {
  /** What a step that hangs did, without a period: `chat took more than 5 s to start`. */
  late: string;
  /** How long it may last without a sign of life. */
  ms: number;
  /** How long it may last with them; default: no longer. */
  mostMs?: number;
  watch?: StepWatch | undefined;
  work(stillWorking: () => void): T | Promise<T>;
  failed(cause: unknown): PluginError;
}

/** Runs one step of one plugin. PluginError: `timed_out`, what `failed` makes, or that of the step itself. */
export async function runStep<T>({ late, ms, mostMs = ms, watch, work, failed }: PluginStep<T>): Promise<T> {
  const watcher = watch?.(`${late}.`, ms);
  const limits: NodeJS.Timeout[] = [];
  const limit = new Promise<never>((_, reject) => {
    const end = (sentence: string) => () => reject(new PluginError('timed_out', sentence));
    limits.push(setTimeout(end(`${late}.`), ms));
    if (mostMs > ms)
      limits.push(setTimeout(end(`${late}: it was still at it after ${mostMs / 1000} s.`), mostMs));
  });
  const stillWorking = () => {
    if (mostMs <= ms) return;
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
  /** The name of a package, or a folder, as it was given. */
  name: string;
  from: PluginOrigin;
  /** The service starts without it when it fails. */
  optional: boolean;
}

export const builtIn = (name: string): PluginSource => ({ name, from: 'built-in', optional: false });

export type PluginErrorCode =
  /** No package of that name, or no folder at that path. */
  | 'not_found'
  /** package.json is missing or no JSON, or its `holdfast` block is missing or incomplete. */
  | 'no_manifest'
  | 'unknown_kind'
  | 'wrong_api_version'
  | 'taken_id'
  | 'taken_scheme'
  | 'missing_entry'
  | 'entry_outside'
  /** The entry failed while it was imported, or exports no plugin. */
  | 'bad_module'
  | 'kind_mismatch'
  | 'bad_configuration'
  /** What `create` gave lacks methods of its port. */
  | 'incomplete_port'
  /** Two plugins of a kind of which one is used, or one beside a variable that chooses another. */
  | 'two_chosen'
  /** Marked optional, though nothing can stand in for it. */
  | 'not_optional'
  /** The configuration chose an id that no package offers. */
  | 'not_selected'
  /** The store has another version of the schema than the server. */
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

/** The cause is left out where its text would bring the secret back. */
export function redacted(error: PluginError, redact: (text: string) => string): PluginError {
  const text = redact(error.message);
  return text === error.message ? error : new PluginError(error.code, text);
}
