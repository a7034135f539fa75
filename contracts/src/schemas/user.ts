import { z } from 'zod';
import { id, nameText, timestamp } from '../common.js';
import * as field from './fields.js';
import { grants, role } from './grant.js';

/** Length of a new password, in characters. There are no complexity rules: length matters more. */
export const passwordLength = { min: 8, max: 1024 } as const;

export const newPassword = z
  .string()
  .min(passwordLength.min, `must have at least ${passwordLength.min} characters`)
  .max(passwordLength.max, `must have at most ${passwordLength.max} characters`)
  .openapi({ format: 'password', example: 'correct horse battery staple' });

/** A password to compare with the stored one. The upper bound limits the hashing work. */
export const givenPassword = z
  .string()
  .min(1, 'must not be empty')
  .max(passwordLength.max, `must have at most ${passwordLength.max} characters`)
  .openapi({ format: 'password', example: 'correct horse battery staple' });

/** Case-sensitive. */
export const username = nameText
  .refine((text) => !/\p{Cs}/u.test(text), 'must be well-formed Unicode')
  .openapi({ example: 'ann' });

/** Hosts without a dot (`root@nas`) are valid: they are common in private networks. */
export const email = z
  .string()
  .trim()
  .max(254, 'must have at most 254 characters')
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
  .refine((text) => !/\p{C}/u.test(text), 'must be an e-mail address')
  .openapi({ format: 'email', example: 'operator@example.org' });

const restore_paths = z
  .array(z.string().startsWith('/', 'must be an absolute path').max(4096))
  .max(100)
  .openapi({
    description: 'Of a `limited` user with the right `operate`: folders on this machine to restore into.',
    example: ['/srv/restored'],
  });

export const userView = z.object({
  id,
  username: field.accountName,
  email: z.string().nullable().openapi({ example: 'operator@example.org' }),
  is_active: z.boolean().openapi({ example: true }),
  is_admin: z.boolean(),
  role,
  grants: grants.openapi({ description: 'Of a `limited` user.' }),
  restore_paths,
  has_password: z.boolean().openapi({
    description: 'Users without a password sign in with a provider.',
    example: true,
  }),
  must_change_password: z.boolean().openapi({
    description: 'Until the password is changed, all routes except those for your own account return 403.',
  }),
  second_factor: z
    .object({
      totp: z.boolean().openapi({ description: 'An authenticator app is set up.' }),
      passkeys: z.number().int(),
      recovery_codes: z.number().int().openapi({ description: 'How many are left.', example: 10 }),
    })
    .openapi({ description: 'Asked for at each sign-in with a password; not of API tokens.' }),
  must_set_up_second_factor: z.boolean().openapi({
    description: 'Until one is set up, all routes except those for your own account return 403.',
  }),
  last_login: timestamp.nullable(),
  created_at: timestamp,
});
export type UserView = z.infer<typeof userView>;

export const newUser = z.object({
  username,
  password: newPassword,
  email: email.nullable().optional(),
  is_admin: z.boolean().optional().openapi({ description: 'The same as the role `admin`.' }),
  role: role.optional(),
  grants: grants.optional(),
  restore_paths: restore_paths.optional(),
});
export type NewUser = z.infer<typeof newUser>;

/** Absent fields are not changed; `email: null` clears it. */
export const userChanges = z.object({
  email: email.nullable().optional(),
  is_active: z.boolean().optional(),
  is_admin: z.boolean().optional(),
  role: role.optional(),
  grants: grants.optional(),
  restore_paths: restore_paths.optional(),
});
export type UserChanges = z.infer<typeof userChanges>;

export const credentials = z.object({
  username: z
    .string()
    .min(1, 'must not be empty')
    .max(255, 'must have at most 255 characters')
    .openapi({ example: 'ann' }),
  password: givenPassword,
});
export type Credentials = z.infer<typeof credentials>;

/** The second step of a sign-in. */
export const secondFactorAnswer = z.object({
  challenge: z.string().min(1, 'must not be empty').max(100).openapi({
    description: '`second_factor.challenge` of the response to the first step.',
    example: 'hf_3Jt0c1mJvR8VbQ2s',
  }),
  code: givenCode(),
});

function givenCode() {
  return z
    .string()
    .min(1, 'must not be empty')
    .max(100, 'must have at most 100 characters')
    .openapi({ description: 'Of the authenticator app, or a recovery code.', example: '123456' });
}

export const totpSetup = z.object({
  challenge: z
    .string()
    .openapi({ description: 'For the next step, within ten minutes.', example: 'hf_3Jt0c1mJvR8VbQ2s' }),
  secret: z.string().openapi({ description: 'For apps without a camera.', example: 'JBSWY3DPEHPK3PXP' }),
  uri: z.string().openapi({ example: 'otpauth://totp/Holdfast:ann?issuer=Holdfast&secret=JBSWY3DPEHPK3PXP' }),
  qr_svg: z.string().openapi({ description: 'The `uri` as a picture for the app.', example: '<svg />' }),
});

export const recoveryCodes = z.object({
  success: z.literal(true),
  recovery_codes: z.array(z.string()).openapi({
    description: 'Each replaces the second factor once. Only this response contains them.',
    example: ['k7qd-2m9x-w4tn-8rbe'],
  }),
});

export const passwordChange = z.object({
  current_password: givenPassword.openapi({ example: 'the old password' }),
  new_password: newPassword,
});
export type PasswordChange = z.infer<typeof passwordChange>;

/** The response to a login or a refresh. */
export const sessionView = z.object({
  access_token: field.accessToken,
  token_type: z.literal('bearer'),
  expires_in: z.number().int().openapi({ description: 'Seconds.', example: 86400 }),
  must_change_password: z.boolean(),
});
export type SessionView = z.infer<typeof sessionView>;

export const browserCredentials = credentials.extend({
  remember: z
    .boolean()
    .default(false)
    .openapi({
      description:
        'Whether the browser keeps the session when it is closed: for 30 days after its last use. Otherwise the ' +
        'session ends with the browser, or 12 hours after its last use.',
    }),
});
export type BrowserCredentials = z.infer<typeof browserCredentials>;

/** The response to a sign-in or a refresh of a browser: its access token and its user. */
export const browserSessionView = userView.extend({
  access_token: field.accessToken,
  token_type: z.literal('bearer'),
  expires_in: z.number().int().openapi({ description: 'Seconds.', example: 900 }),
});
export type BrowserSessionView = z.infer<typeof browserSessionView>;

export const confirmation = z.object({
  success: z.literal(true),
  confirmed_until: timestamp.openapi({
    description: 'Until then, this session may perform actions that cannot be undone.',
  }),
});

/** Of a user at a provider of a sign-in plugin. */
export const identityView = z.object({
  id,
  provider: z.string().openapi({ description: 'Id of the sign-in plugin.', example: 'oidc' }),
  name: z.string().openapi({ description: 'The name at the provider.', example: 'ann' }),
  created_at: timestamp,
  last_login: timestamp.nullable(),
});
export type IdentityView = z.infer<typeof identityView>;
