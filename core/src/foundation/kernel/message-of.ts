import { isStoreError, Message, type StoreError, say } from '@holdfast/plugin-api';
import { type DriverError, type DriverErrorKind, isDriverError } from '@holdfast/plugin-api/driver';
import { isSilent } from '@holdfast/plugin-api/files';
import type { hostCodes, toolCodes } from './codes.rules.js';
import { isAppError, isRemoteHostError, type RemoteHostError } from './errors.js';
import { escapeName } from './lossless-name.rules.js';
import { asReason } from './sentences.js';

/** What a caught error says to users. Reveals nothing of an error that nobody expected. */
export function messageOf(error: unknown): Message {
  if (isAppError(error)) return error.reason;
  if (isDriverError(error)) return ofTool(error);
  if (isRemoteHostError(error)) return ofHost(error);
  if (isSilent(error)) return silentPlace(error.path);
  return (isStoreError(error) && ofStore(error)) || unexpected;
}

export const unexpected = say`internal: Internal server error. The log has the cause under this request id.`;

export const silentPlace = (path: string): Message =>
  say`folder_hangs: The file system of ${{ path: escapeName(path) }} does not respond: check its host or disk.`;

/** A locked repository has the code of `repositoryLocked`, with the sentence of the driver. */
function ofTool({ kind, message, options }: DriverError): Message {
  if (kind === 'locked') {
    const { code, params } = repositoryLocked(options.holder);
    return new Message(code, params, message);
  }
  return toolMessage(kind, message);
}

/** What the backup tool or its driver reports. */
export function toolMessage(kind: Exclude<DriverErrorKind, 'locked'>, problem: string): Message {
  const code: keyof typeof toolCodes = `tool_${kind}`;
  return new Message(code, { problem }, problem);
}

export const repositoryLocked = (holder: string | undefined): Message =>
  holder
    ? say`repository_locked: The repository is locked by ${{ holder }}. Try again later, or break the lock if nothing uses the repository.`
    : say`repository_locked_unknown: The repository is locked by another process. Try again later, or break the lock if nothing uses the repository.`;

function ofHost({ kind, message, sentence }: RemoteHostError): Message {
  const code: keyof typeof hostCodes = kind === 'host_key_changed' ? kind : `host_${kind}`;
  const why = typeof sentence === 'string' ? {} : asReason(sentence, 'problem');
  return new Message(code, { problem: message, ...why }, message);
}

function ofStore({ kind, key = 'value' }: StoreError): Message | null {
  if (kind === 'unique')
    return say`value_in_use: This ${{ field: key }} is already in use. Choose another one.`;
  if (kind === 'conflict') return say`storage_conflict: Another request changed the same data. Try again.`;
  return kind === 'unavailable'
    ? say`storage_unavailable: The database does not respond. Try again later.`
    : null;
}
