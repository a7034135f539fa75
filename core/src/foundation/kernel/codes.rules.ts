import type { DriverErrorKind } from '@holdfast/plugin-api/driver';
import type { RemoteHostErrorKind } from './errors.js';

/** Codes of messages that `say` does not write, with their meanings; docs/developers/messages.md lists them all. */
export type CodeTable<Code extends string = string> = Readonly<Record<Code, string>>;

/** The message is the one that the backup tool or its driver reports. */
export const toolCodes: CodeTable<`tool_${Exclude<DriverErrorKind, 'locked'>}`> = {
  tool_cancelled: 'Borg was stopped before it finished.',
  tool_passphrase_wrong: 'The passphrase of the repository is wrong.',
  tool_key_missing: 'The key of the repository is missing.',
  tool_repository_missing: 'There is no repository at its path.',
  tool_not_a_repository: 'There is no repository at this path.',
  tool_other_repository: 'There is a different repository at this path.',
  tool_repository_exists: 'A repository already exists.',
  tool_path_not_empty: 'The folder is not empty.',
  tool_archive_missing: 'The archive does not exist.',
  tool_archive_exists: 'An archive with this name already exists.',
  tool_path_missing: 'A path does not exist.',
  tool_damaged: 'The repository or an archive is damaged.',
  tool_archive_unsigned: 'Archives are not signed: Borg before 1.2.5 created or renamed them.',
  tool_older_state: 'The repository is in an older state than when it was last used.',
  tool_append_only: 'The repository is append-only.',
  tool_no_space: 'There is no space left.',
  tool_quota: 'The account that stores the repository has used up its quota.',
  tool_repository_quota: 'The repository has reached its own storage quota.',
  tool_permission: 'A file may not be read or written.',
  tool_connection: 'The host cannot be reached, or the connection was lost.',
  tool_host_key_changed: 'The host presents a different key than the pinned one.',
  tool_tool_missing: 'Borg is not installed where it has to run.',
  tool_tool_too_old: 'Borg is too old.',
  tool_usage: 'Borg rejected its arguments.',
  tool_failed: 'Borg failed for another reason.',
};

/** The message describes a failure on another host. */
export const hostCodes: CodeTable<
  `host_${Exclude<RemoteHostErrorKind, 'host_key_changed'>}` | 'host_key_changed'
> = {
  host_unreachable: 'The host cannot be reached, or the connection was lost.',
  host_timeout: 'The host does not respond.',
  host_authentication: 'The host did not accept the key or the password.',
  host_key_changed: 'The host presents a different key than the pinned one.',
  host_protocol: 'The host does not speak SSH correctly.',
  host_refused: 'The host does not allow it.',
  host_missing: 'A file or program is missing on the host.',
  host_permission: 'A file on the host may not be read or written.',
  host_disk_full: 'There is no space left on the host.',
  host_cancelled: 'The work on the host was cancelled.',
  host_failed: 'The work on the host failed for another reason.',
};

export const otherCodes: CodeTable<'fields_invalid' | 'several_sentences'> = {
  fields_invalid: 'The messages of all invalid fields. `errors` has each of them.',
  several_sentences: 'Independent messages: {sentences}. Their codes, in the same order: {codes}.',
};
