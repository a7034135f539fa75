import { reasonOf } from '../kernel/reason-of.js';

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
