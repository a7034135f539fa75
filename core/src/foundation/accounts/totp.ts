import type { SecretBox } from '../ports/services.js';
import { plainCode } from './second-factor.rules.js';
import type { UserRow } from './tables.js';

/** RFC 6238 with the values that all apps know: SHA-1, 6 digits, 30 seconds. */
const stepMs = 30_000;
/** Clocks of phones differ. */
const toleratedSteps = 1;

/** Only who uses it loads it. */
const library = () => import('otpauth');

export async function newTotpSecret(username: string): Promise<{ secret: string; uri: string }> {
  const { Secret, TOTP } = await library();
  const secret = new Secret({ size: 20 });
  return { secret: secret.base32, uri: new TOTP({ issuer: 'Holdfast', label: username, secret }).toString() };
}

/**
 * The time step of a code that is right at `now` and newer than `usedStep`; null for any other. `secret` is base32.
 */
export async function stepOfCode(secret: string, code: string, at: { now: number; usedStep: number }) {
  const token = plainCode(code);
  if (!/^\d{6}$/.test(token)) return null;
  const { Secret, TOTP } = await library();
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token, timestamp: at.now, window: toleratedSteps });
  if (delta === null) return null;
  const step = Math.floor(at.now / stepMs) + delta;
  return step > at.usedStep ? step : null;
}

export const totpPurpose = (userId: number) => `totp:${userId}`;

export const openTotpSecret = (secrets: SecretBox, { id, totp_secret }: UserRow): string | null =>
  totp_secret === null ? null : secrets.open(totpPurpose(id), totp_secret);
