import { z } from 'zod';

const label = '[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?';
const hostName = new RegExp(`^${label}(?:\\.${label})*\\.?$`);
const ipv6 = z.string().ip({ version: 'v6' });
const wellFormed = (text: string) => !/\p{Surrogate}/u.test(text);
const printable = (text: string) => !/\p{Cc}/u.test(text);
export const line = (max: number) =>
  z
    .string()
    .max(max, `must have at most ${max} characters`)
    .refine((value) => !/[\0\r\n]/.test(value), 'must be one line without NUL')
    .refine(wellFormed, 'must be well-formed Unicode');
const cleanPath = (text: string) =>
  text === '/' ||
  text
    .replace(/\/$/, '')
    .split('/')
    .slice(1)
    .every((part) => part !== '' && part !== '..');

/** One line of display text. */
export const text = (max: number) => line(max).refine(printable, 'must not contain control characters');

export const host = z
  .string()
  .trim()
  .max(253, 'must have at most 253 characters')
  .refine(
    (name) => hostName.test(name) || ipv6.safeParse(name).success,
    'must be a host name or an IP address, without brackets or port',
  )
  .transform((name) => name.toLowerCase())
  .openapi({ type: 'string', example: 'storage.example.org' });
export const username = z
  .string()
  .trim()
  .regex(
    /^[A-Za-z0-9_][A-Za-z0-9._+-]{0,63}$/,
    'must be a user name: letters, digits and . _ + -, not beginning with . + or -',
  )
  .openapi({ example: 'ann' });
export const port = z.number().int().min(1, 'must be from 1 to 65535').max(65_535, 'must be from 1 to 65535');
export const password = line(1024)
  .refine((value) => value !== '', 'must not be empty')
  .openapi({
    format: 'password',
    description: 'Used once, never stored.',
    example: 'correct horse battery staple',
  });

/** Absolute path on a remote host; a trailing slash is removed. */
export const remotePath = line(4096)
  .refine((path) => path.startsWith('/'), 'must begin with /')
  .refine(cleanPath, 'must not contain `..` or empty segments')
  .transform((path) => (path === '/' ? path : path.replace(/\/$/, '')))
  .openapi({ type: 'string', example: '/backups' });
export const prefix = line(4096)
  .transform((path) => path.trim().replace(/^\/*/, '/').replace(/\/+$/, ''))
  .refine(cleanPath, 'must not contain `..` or empty segments')
  .transform((path) => (path === '' ? null : path))
  .openapi({
    type: 'string',
    description: 'Prepended to paths in SSH commands, never to SFTP paths.',
    example: '/volume1',
  });
export const fingerprintExample = 'SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
export const fingerprint = z
  .string()
  .trim()
  .regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/, 'must be a fingerprint as printed by ssh-keygen -lf: SHA256:…')
  .transform((value) => value.replace(/=$/, ''))
  .openapi({ type: 'string', example: fingerprintExample });
export const expectedFingerprint = fingerprint
  .optional()
  .openapi({ type: 'string', description: 'The fingerprint that the host key must have.' });
export const restrict = z
  .object({
    path: remotePath,
    append_only: z.boolean().default(true).openapi({
      description: 'Data that is stored on the host cannot be removed permanently with the key.',
    }),
  })
  .optional()
  .openapi({ description: 'Restricts the key to repositories below this path on the host.' });

export const sshKeyType = z.enum(['rsa', 'ed25519', 'ecdsa']);
export const keyType = sshKeyType.default('rsa').openapi({ description: 'rsa: 3072 bits, ecdsa: nistp256.' });
export const description = text(2000).nullable().optional();
export const passphrase = z
  .string()
  .max(1024, 'must have at most 1024 characters')
  .refine((value) => !value.includes('\0'), 'must not contain NUL')
  .optional()
  .openapi({ format: 'password', description: 'Passphrase of an encrypted private key. Never stored.' });
