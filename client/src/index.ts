/** A typed client of the HTTP API of Holdfast, for browsers and Node.js. */

export { answer, answerWithTag, ifMatch, type Reply, type TaggedAnswer } from './answers.js';
export { type HoldfastClient, makeClient, randomKey } from './client.js';
export {
  type DownloadOptions,
  type DownloadParameters,
  type DownloadPath,
  downloadAddress,
} from './downloads.js';
export { type ErrorFacts, type FieldError, HoldfastError } from './errors.js';
export {
  type EventKind,
  type FollowOptions,
  followEvents,
  type HoldfastEvent,
  type JobProgress,
  type StoredEvent,
  type StreamPlace,
  type StreamState,
} from './events.js';
export type { Operations, Paths, Schemas } from './schemas.js';
export { type ClientOptions, makeSender, type WaitInfo } from './sending.js';
