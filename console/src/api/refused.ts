import type { Answer } from '../i18n/sentences.js';
import { HoldfastError } from './client.js';

/** An attempt that failed, as an answer says it. */
export const refused = (answer: Answer): HoldfastError =>
  new HoldfastError({
    status: 422,
    detail: answer.message,
    code: answer.message_code,
    params: answer.message_params as Params,
  });

type Params = HoldfastError['params'];
