import { z } from 'zod';

export const sentenceCode = z.string().openapi({
  description: 'Stable code of the message. See the page on messages.',
});
export const sentenceParams = z
  .record(z.union([z.string(), z.number(), z.array(z.string())]))
  .openapi({ description: 'The values in the message, by name.' });

/** Of a sentence in a list beside it. */
export const codedReason = z.object({ code: sentenceCode, params: sentenceParams });

/** Without the sentence there is no code; nor in what an earlier release wrote. */
const storedCode = sentenceCode.nullable();

export const messageCode = {
  message_code: sentenceCode.openapi({ example: 'script_exited' }),
  message_params: sentenceParams.openapi({ example: { code: 0 } }),
};
export const openErrorCode = { open_error_code: storedCode, open_error_params: sentenceParams };
export const errorCode = { error_code: storedCode, error_params: sentenceParams };
export const waitingCode = { waiting_for_code: storedCode, waiting_for_params: sentenceParams };
export const lastErrorCode = { last_error_code: storedCode, last_error_params: sentenceParams };
export const reasonCode = { reason_code: storedCode, reason_params: sentenceParams };
