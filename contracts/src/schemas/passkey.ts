import { z } from 'zod';
import { nameText, timestamp } from '../common.js';
import { givenPassword } from './user.js';

export const passkeyView = z.object({
  id: z.string().openapi({ example: 'mPfGm8UQ3xk3bJ0yq1h0Xw' }),
  name: z.string().openapi({ example: 'Phone' }),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});
export type PasskeyView = z.infer<typeof passkeyView>;

export const passkeyId = z
  .string()
  .regex(/^[\w-]{1,1400}$/, 'must be the id of a passkey')
  .openapi({ description: 'Id of the passkey.', example: 'mPfGm8UQ3xk3bJ0yq1h0Xw' });

const challenge = z
  .string()
  .min(1, 'must not be empty')
  .max(500, 'must have at most 500 characters')
  .openapi({ example: 'hf_3Jt0c1mJvR8VbQ2s' });

/** What a browser gets from an authenticator, as `PublicKeyCredential.toJSON()` gives it. */
const response = z
  .object({ id: passkeyId, type: z.literal('public-key') })
  .passthrough()
  .openapi({ description: 'The answer of the authenticator: `toJSON()` of the `PublicKeyCredential`.' });

/** What a browser passes to an authenticator. */
export const passkeyOptions = z.object({
  challenge: z.string().openapi({
    description: 'To be sent with the answer, within ten minutes.',
    example: 'hf_3Jt0c1mJvR8VbQ2s',
  }),
  options: z.record(z.unknown()).openapi({
    description:
      'For `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` of `PublicKeyCredential`.',
    example: { rpId: 'backup.example.org' },
  }),
});

export const passkeyAnswer = z.object({ challenge, response });
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

export const passkeySignInStart = z
  .object({
    challenge: challenge.optional().openapi({
      description:
        '`second_factor.challenge` of the response to the first step. Without it, the passkey replaces user name ' +
        'and password.',
    }),
  })
  .openapi({ example: { challenge: 'hf_3Jt0c1mJvR8VbQ2s' } });

export const passkeySignIn = passkeyAnswer.extend({ remember: z.boolean().default(false) });

export const newPasskey = passkeyAnswer.extend({ name: nameText.openapi({ example: 'Phone' }) });
export type NewPasskey = z.infer<typeof newPasskey>;

export const addedPasskey = z.object({
  success: z.literal(true),
  passkey: passkeyView,
  recovery_codes: z.array(z.string()).openapi({
    description: 'Ten, if there were none; otherwise empty. Only this response contains them.',
    example: [],
  }),
});

/** Either of them. */
export const confirmationGiven = z
  .object({
    password: givenPassword.optional(),
    challenge: challenge.optional(),
    response: response.optional(),
  })
  .refine(
    ({ password, challenge, response }) => (password === undefined) === Boolean(challenge && response),
    'must have either a password, or challenge and response of a passkey',
  );
