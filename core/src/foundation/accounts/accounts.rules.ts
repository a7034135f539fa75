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

/** Letters of other scripts, and digits, that look like these Latin letters. */
const lookalikes: Record<string, string> = {
  а: 'a',
  α: 'a',
  ɑ: 'a',
  в: 'b',
  с: 'c',
  ϲ: 'c',
  ԁ: 'd',
  е: 'e',
  ε: 'e',
  һ: 'h',
  н: 'h',
  і: 'l',
  ı: 'l',
  ι: 'l',
  ӏ: 'l',
  i: 'l',
  '1': 'l',
  '|': 'l',
  ј: 'j',
  к: 'k',
  κ: 'k',
  м: 'm',
  п: 'n',
  η: 'n',
  о: 'o',
  ο: 'o',
  σ: 'o',
  '0': 'o',
  р: 'p',
  ρ: 'p',
  ѕ: 's',
  т: 't',
  τ: 't',
  υ: 'u',
  ѵ: 'v',
  ν: 'v',
  ԝ: 'w',
  х: 'x',
  χ: 'x',
  у: 'y',
  γ: 'y',
};

/** The same for names that people can't tell apart: case, marks, blanks, invisible characters, lookalikes. */
export const skeletonOf = (username: string): string =>
  [...username.normalize('NFKD').toLowerCase()]
    .filter((char) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(char))
    .map((char) => lookalikes[char] ?? char)
    .join('')
    .replaceAll('rn', 'm');
