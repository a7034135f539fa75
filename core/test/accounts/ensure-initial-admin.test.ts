import { describe, expect, it } from 'vitest';
import { users } from '../../src/foundation/accounts/tables.js';
import { ensureInitialAdmin } from '../../src/foundation/accounts/users.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { appError } from './service.js';

const passwords = { hash: async (text: string) => `hash of ${text}`, verify: async () => false };

describe('the first user', () => {
  const fresh = () => {
    const storage = memoryStorage();
    return { storage, ensure: ensureInitialAdmin.bind(null, { storage, passwords, clock: manualClock() }) };
  };

  it('gets a generated password that must be changed', async () => {
    const { storage, ensure } = fresh();
    const password = await ensure();
    expect(password).toMatch(/^[\w-]{32}$/);
    expect(await storage.find(users)).toMatchObject([
      { username: 'admin', is_admin: true, must_change_password: true, password_hash: `hash of ${password}` },
    ]);
    expect(await ensure()).toBeNull();
  });

  it('keeps a given password; later starts change nothing', async () => {
    const { storage, ensure } = fresh();
    expect(await ensure('given password')).toBeNull();
    expect(await ensure('another password')).toBeNull();
    expect(await storage.find(users)).toMatchObject([
      { must_change_password: false, password_hash: 'hash of given password' },
    ]);
  });

  it('is not made with a password that breaks the rule', async () => {
    const { storage, ensure } = fresh();
    await expect(ensure('short')).rejects.toMatchObject(
      appError('invalid', /^INITIAL_ADMIN_PASSWORD must have/),
    );
    expect(await storage.find(users)).toEqual([]);
  });

  it('is made once by processes that start together', async () => {
    const { storage, ensure } = fresh();
    const shown = await Promise.all([ensure(), ensure(), ensure()]);
    expect(shown.filter((password) => password !== null)).toHaveLength(1);
    expect(await storage.find(users)).toHaveLength(1);
  });
});
