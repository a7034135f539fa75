/** Errors, transactions, leases, time limits and table definitions, used by every module. */

export { Message, type MessageParams, say, together } from '@holdfast/plugin-api';
export {
  type Caller,
  confirmationRefusal,
  requireConfirmation,
  type SignedInCaller,
} from './caller.rules.js';
export { clockToleranceMs } from './clock.rules.js';
export {
  AppError,
  conflict,
  type FieldError,
  forbidden,
  invalid,
  isAppError,
  isRemoteHostError,
  notFound,
  RemoteHostError,
  type RemoteHostErrorKind,
  type SecondFactorMethod,
} from './errors.js';
export { escapeHtml } from './escape-html.rules.js';
export { grouped } from './grouped.rules.js';
export { clientSize, humanSize } from './human-size.rules.js';
export { isoTime } from './iso-time.js';
export { inOneTransaction } from './joined-storage.js';
export { heldRow, keepLease, type Lease, takeLease } from './lease.js';
export { escapeName, hasUndecodable } from './lossless-name.rules.js';
export { messageOf, silentPlace, toolMessage } from './message-of.js';
export { newUid } from './new-uid.js';
export { inTurn, OneAtATime } from './one-at-a-time.js';
export { callLease, type Pace, type Paced, paces } from './pace.js';
export { partOf } from './part-of.js';
export { contains, normalised, requireValidPath, withoutEndSlash } from './paths.rules.js';
export { plannedStorage } from './planned-storage.js';
export { ReadCache } from './read-cache.js';
export { reasonOf } from './reason-of.js';
export { type Repeated, repeat } from './repeat.js';
export {
  isSealed,
  maskedValue,
  type ParameterValues,
  type SealedValue,
  textFor,
} from './sealed-values.rules.js';
export {
  asReason,
  codeOf,
  errorColumns,
  lastErrorColumns,
  lastErrorOf,
  messageFrom,
  messageOfColumns,
  reasonColumns,
  type StoredMessage,
  sentenceOf,
  shownMessage,
  shownParams,
  shownReason,
  storedMessage,
  toolWarnings,
  waitingColumns,
} from './sentences.js';
export { addSetting, readSetting, writeSetting } from './settings.js';
export { quotedWord, shellWord } from './shell-word.rules.js';
export { caseless, composed, spellings } from './spelling.rules.js';
export * from './tables.js';
export { atMost, untilAborted, withinTime } from './time-limits.js';
export { isBetween } from './time-of-day.rules.js';
export {
  inTransaction,
  patientReads,
  type StorageScope,
  scopedStorage,
  untilStored,
} from './transactions.js';
export { useCasesOf } from './use-cases-of.js';
export { wrapSession, wrapStorage } from './wrap-storage.js';
