import type { Redactor } from '../../src/foundation/ports/services.js';

/** Hides registered secrets, as the real one promises. */
export function plainRedactor(): Redactor {
  const secrets = new Map<string, number>();
  return {
    protect(secret) {
      secrets.set(secret, (secrets.get(secret) ?? 0) + 1);
      return {
        release() {
          const left = (secrets.get(secret) ?? 0) - 1;
          if (left > 0) secrets.set(secret, left);
          else secrets.delete(secret);
        },
      };
    },
    redact: (text) => [...secrets.keys()].reduce((result, secret) => result.replaceAll(secret, '***'), text),
  };
}
