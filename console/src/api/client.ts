export type { HoldfastEvent, Paths, Schemas, StoredEvent } from '@holdfast/client';
export {
  answer,
  answerWithTag,
  downloadAddress,
  followEvents,
  HoldfastError,
  ifMatch,
  makeClient,
  randomKey,
} from '@holdfast/client';
