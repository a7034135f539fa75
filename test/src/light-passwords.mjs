/** Loaded into a service by `--import`: the passwords of tests need not resist anybody who has their hashes. */
import { createRequire } from 'node:module';

// Not where a test notes what a start loads.
if (!process.env.NODE_V8_COVERAGE) {
  const argon2 = createRequire(new URL('../../server/', import.meta.url))('@node-rs/argon2');
  const { hash } = argon2;
  argon2.hash = (password, options) => hash(password, { ...options, memoryCost: 64, timeCost: 1 });
}
