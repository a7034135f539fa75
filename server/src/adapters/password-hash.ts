import type { PasswordHash } from '@holdfast/core/server';

/**
 * Argon2id with 19 MiB, 2 passes, 1 lane. The library is loaded on first use, because most starts don't need
 * it.
 */
export const argon2PasswordHash: PasswordHash = {
  async hash(password) {
    const { hash } = await import('@node-rs/argon2');
    return hash(password, { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  },
  async verify(hashed, password) {
    const { verify } = await import('@node-rs/argon2');
    return verify(hashed, password).catch(() => false);
  },
};

/** `Algorithm.Argon2id` is a const enum, which isolated modules can't read. */
const argon2id = 2;
