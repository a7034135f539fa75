import { createHash, randomBytes } from 'node:crypto';
import type { SecondFactorMethod } from '../kernel/index.js';
import type { UserRow } from './tables.js';

/** Who needs a second factor. */
export type SecondFactorPolicy = 'off' | 'admin' | 'all';

type Factors = Pick<UserRow, 'totp_secret' | 'passkeys' | 'recovery_codes'>;

export const hasSecondFactor = ({ totp_secret, passkeys }: Pick<Factors, 'totp_secret' | 'passkeys'>) =>
  totp_secret !== null || passkeys.length > 0;

export const methodsOf = ({ totp_secret, passkeys, recovery_codes }: Factors): SecondFactorMethod[] => [
  ...(totp_secret === null ? [] : (['totp'] as const)),
  ...(passkeys.length === 0 ? [] : (['passkey'] as const)),
  ...(recovery_codes.length === 0 ? [] : (['recovery_code'] as const)),
];

/** Users without a password sign in elsewhere, where the second factor is asked for, too. */
export const mustSetUpFactor = (
  user: Factors & Pick<UserRow, 'is_admin' | 'password_hash'>,
  policy: SecondFactorPolicy,
): boolean =>
  user.password_hash !== '' &&
  !hasSecondFactor(user) &&
  (policy === 'all' || (policy === 'admin' && user.is_admin));

const codes = 10;
/** Without letters and digits that look alike. 32 of them: 5 bits each. */
const letters = 'abcdefghjkmnpqrstuvwxyz023456789';

const makeCode = () =>
  [...randomBytes(16)]
    .map((byte) => letters[byte % letters.length])
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-');

/** 80 random bits each, so that a fast hash is enough. Only the hashes are stored. */
export function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const made = Array.from({ length: codes }, makeCode);
  return { codes: made, hashes: made.map(hashOfCode) };
}

/** As people type them: blanks, dashes and case make no difference. */
export const hashOfCode = (code: string): string =>
  createHash('sha256').update(plainCode(code)).digest('hex');

export const plainCode = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase();
