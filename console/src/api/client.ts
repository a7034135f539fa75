export type { FieldError, HoldfastEvent, Paths, Schemas, StoredEvent } from '@holdfast/client';
export {
  answer,
  answerWithTag,
  downloadAddress,
  followEvents,
  HoldfastError,
  ifMatch,
  makeClient,
  makeSender,
  randomKey,
} from '@holdfast/client';
