import assert from 'node:assert/strict';
import { archive, type StorageChecks, user } from './context.js';
import { archives, settings, users } from './tables.js';

const jsonValues: unknown[] = [
  null,
  false,
  0,
  -0.5,
  1e21,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  '',
  'null',
  '"quoted" \\ \n\t\0 \u2028',
  'bad\udcffname',
  { 'bad\udcffkey': '\ud83d' },
  '🗄️ ünïcode 日本語',
  [],
  {},
  [[null, { deep: [{ deeper: [1, 'two', false] }] }]],
];

const texts = [
  '',
  ' padded ',
  '0123',
  'null',
  "it's; DROP TABLE user; --",
  '"double" `back` \\ % _ $1 :name ?',
  'line\r\nbreak\ttab',
  'ünïcode 日本語 🗄️',
  'x'.repeat(1 << 20),
];

export const valueChecks: StorageChecks = {
  'insert resolves to the row that find returns': async ({ storage }) => {
    const inserted = await storage.insert(users, user('anna', { email: 'anna@localhost', last_login: 5 }));
    assert.deepEqual(await storage.find(users), [inserted]);
    assert.ok(Number.isSafeInteger(inserted.id) && inserted.id > 0, 'The id is a positive integer.');
  },
  'insert fills in defaults, and null for nullable columns': async ({ storage }) => {
    const { id, ...row } = await storage.insert(users, user('anna'));
    assert.deepEqual(row, {
      username: 'anna',
      email: null,
      password_hash: 'hash',
      is_admin: false,
      is_active: true,
      must_change_password: false,
      last_login: null,
      created_at: 1_700_000_000_000,
    });
    assert.deepEqual(await storage.find(users), [{ id, ...row }]);
  },
  'booleans stay booleans': async ({ storage }) => {
    const { id } = await storage.insert(users, user('anna', { is_admin: true, is_active: false }));
    const [row] = await storage.find(users, { where: { is_admin: true, is_active: false } });
    assert.deepEqual([row?.is_admin, row?.is_active], [true, false]);
    await storage.update(users, { id }, { is_admin: false, is_active: true });
    const [changed] = await storage.find(users, { where: { is_admin: false } });
    assert.deepEqual([changed?.is_admin, changed?.is_active], [false, true]);
  },
  'JSON values are returned unchanged, even lone surrogates': async ({ storage }) => {
    for (const [index, value] of jsonValues.entries()) {
      const inserted = await storage.insert(settings, { key: `key ${index}`, value: value as object });
      assert.deepEqual(inserted.value, value);
    }
    const rows = await storage.find(settings);
    assert.deepEqual(
      rows.map(({ value }) => value),
      jsonValues,
    );
    for (const { id } of rows) await storage.update(settings, { id }, { value: jsonValues });
    assert.deepEqual((await storage.find(settings, { limit: 1 }))[0]?.value, jsonValues);
  },
  'JSON is stored by value: later changes of the object have no effect': async ({ storage }) => {
    const value = { list: ['first'] };
    const inserted = await storage.insert(settings, { key: 'key', value });
    value.list.push('second');
    (inserted.value as typeof value).list.push('third');
    assert.deepEqual((await storage.find(settings))[0]?.value, { list: ['first'] });
  },
  'integers are exact up to the safe limits': async ({ storage }) => {
    const sizes = [0, -1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    for (const [index, size] of sizes.entries()) {
      await storage.insert(archives, archive(`a${index}`, { original_size: size, start: size }));
    }
    for (const size of sizes) {
      const rows = await storage.find(archives, { where: { original_size: size } });
      assert.deepEqual(
        rows.map((row) => [row.original_size, row.start]),
        [[size, size]],
      );
    }
  },
  'text of any content and length is returned unchanged, and found by equality': async ({ storage }) => {
    for (const text of texts) {
      const { id } = await storage.insert(archives, archive(text, { comment: text }));
      const rows = await storage.find(archives, { where: { name: text } });
      assert.deepEqual(
        rows.map((row) => [row.id, row.name, row.comment]),
        [[id, text, text]],
      );
    }
  },
  'text is compared with case, spaces and composition': async ({ storage }) => {
    const names = ['anna', 'Anna', 'anna ', '\u00e9', 'e\u0301'];
    for (const name of names) await storage.insert(users, user(name));
    for (const username of names) {
      const rows = await storage.find(users, { where: { username } });
      assert.deepEqual(
        rows.map((row) => row.username),
        [username],
      );
    }
  },
  'a lone surrogate in text is stored and returned as U+FFFD': async ({ storage }) => {
    const inserted = await storage.insert(archives, archive('one', { comment: 'bad\udcffname' }));
    assert.equal(inserted.comment, 'bad\ufffdname');
    assert.deepEqual(await storage.find(archives, { where: { comment: 'bad\udcffname' } }), [inserted]);
  },
};
