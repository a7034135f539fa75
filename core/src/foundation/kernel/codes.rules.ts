import type { DriverErrorKind } from '@holdfast/plugin-api/driver';
import type { RemoteHostErrorKind } from './errors.js';

/** Codes of messages that `say` does not write, with their meanings; docs/developers/messages.md lists them all. */
export type CodeTable<Code extends string = string> = Readonly<Record<Code, string>>;

/** The sentence is what the backup tool or its driver reports. */
export const toolCodes: CodeTable<`tool_${Exclude<DriverErrorKind, 'locked'>}`> = {
  tool_cancelled: 'The backup tool was ended before it was done.',
  tool_passphrase_wrong: 'The passphrase of the repository is wrong.',
  tool_key_missing: 'The key of the repository is missing.',
  tool_repository_missing: 'There is no repository at its place.',
  tool_not_a_repository: 'What lies there is no repository.',
  tool_other_repository: 'Another repository lies there than the registered one.',
  tool_repository_exists: 'There is a repository already.',
  tool_path_not_empty: 'The folder is not empty.',
  tool_archive_missing: 'There is no such archive.',
  tool_archive_exists: 'There is an archive of this name already.',
  tool_path_missing: 'A path does not exist.',
  tool_damaged: 'The repository or an archive is damaged.',
  tool_archive_unsigned: 'Archives are not signed: borg before 1.2.5 made or renamed them.',
  tool_older_state: 'The repository is in an older state than when it was last used.',
  tool_append_only: 'The repository is append-only.',
  tool_no_space: 'There is no space left.',
  tool_quota: 'The account that stores the repository has used up its quota.',
  tool_repository_quota: 'The repository has reached its own storage quota.',
  tool_permission: 'A file may not be read or written.',
  tool_connection: 'The other host cannot be reached, or the connection was lost.',
  tool_host_key_changed: 'The other host shows another key than the pinned one.',
  tool_tool_missing: 'The backup tool is not installed where it has to run.',
  tool_tool_too_old: 'The backup tool is too old.',
  tool_usage: 'The backup tool rejected its arguments.',
  tool_failed: 'The backup tool failed for another reason.',
};

/** The sentence is what was found out about another host. */
export const hostCodes: CodeTable<
  `host_${Exclude<RemoteHostErrorKind, 'host_key_changed'>}` | 'host_key_changed'
> = {
  host_unreachable: 'The host cannot be reached, or the connection was lost.',
  host_timeout: 'The host does not answer.',
  host_authentication: 'The host did not accept the key or the password.',
  host_key_changed: 'The host shows another key than the pinned one.',
  host_protocol: 'The host does not speak SSH correctly.',
  host_refused: 'The host does not allow it.',
  host_missing: 'A file or program is missing on the host.',
  host_permission: 'A file on the host may not be read or written.',
  host_disk_full: 'There is no space left on the host.',
  host_cancelled: 'The work on the host was cancelled.',
  host_failed: 'The work on the host failed for another reason.',
};

export const otherCodes: CodeTable<'fields_invalid' | 'several_sentences'> = {
  fields_invalid: 'The sentences of all fields that are wrong. `errors` has each of them.',
  several_sentences: 'Independent sentences: {sentences}. Their codes, in the same order: {codes}.',
};
