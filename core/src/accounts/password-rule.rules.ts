import { randomBytes } from 'node:crypto';
import { passwordLength } from '@holdfast/contracts';

/** What is wrong with a new password, as the rest of a sentence ("must have …"), or null. */
export function passwordFault(password: string): string | null {
  if (password.length < passwordLength.min) return `must have at least ${passwordLength.min} characters`;
  if (password.length > passwordLength.max) return `must have at most ${passwordLength.max} characters`;
  return null;
}

/** 32 characters, 192 random bits. */
export const generatePassword = (): string => randomBytes(24).toString('base64url');
