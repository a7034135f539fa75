export type { FieldError, HoldfastEvent, Paths, Schemas } from '@holdfast/client';
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
