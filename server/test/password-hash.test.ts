import { expect, test } from 'vitest';
import { argon2PasswordHash } from '../src/adapters/password-hash.js';

test('hashes passwords with Argon2id, 19 MiB and two passes', async () => {
  const hashed = await argon2PasswordHash.hash('correct horse');
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await argon2PasswordHash.verify(hashed, 'correct horse')).toBe(true);
  expect(await argon2PasswordHash.verify(hashed, 'wrong horse')).toBe(false);
  expect(await argon2PasswordHash.verify('not a hash', 'correct horse')).toBe(false);
});
