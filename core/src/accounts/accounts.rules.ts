import { createHash, randomBytes } from 'node:crypto';
import { passwordLength } from '@holdfast/contracts';

const prefix = 'hf_';
const form = /^hf_[A-Za-z0-9_-]{43}$/;

/**
 * An opaque access token with 256 random bits. The prefix lets secret scanners and people recognise it. Only
 * its hash is stored; a fast hash is enough, because the token cannot be guessed.
 */
export const makeAccessToken = (): string => prefix + randomBytes(32).toString('base64url');

export const hashOfAccessToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** False for text that can't be an access token, which saves a storage lookup. */
export const looksLikeAccessToken = (text: string): boolean => form.test(text);

/** What is wrong with a new password, as the rest of a sentence ("must have …"), or null. */
export function passwordProblem(password: string): string | null {
  if (password.length < passwordLength.min) return `must have at least ${passwordLength.min} characters`;
  if (password.length > passwordLength.max) return `must have at most ${passwordLength.max} characters`;
  return null;
}

/** 32 characters, 192 random bits. */
export const generatePassword = (): string => randomBytes(24).toString('base64url');
