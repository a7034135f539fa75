import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdfast } from '../command.js';
import { TestServer } from '../server.js';
import { PostgresDatabase } from '../services/postgres-database.js';
import { makeWorkspace } from '../workspace.js';

/** A database that the service can't use ends the start: one sentence that says what to do, and exit code 1. */
const workspace = makeWorkspace();
const role = `hf_${randomBytes(6).toString('hex')}`;
const password = randomBytes(12).toString('hex');
let database: PostgresDatabase;

beforeAll(() => {
  database = new PostgresDatabase();
  database.sql(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
});
afterAll(() => {
  database?.sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  database?.drop();
  workspace.remove();
});

async function refused(url: string, sentence: RegExp): Promise<void> {
  const env = { DATABASE_URL: url, DATA_DIR: workspace.folder('data'), PORT: '0' };
  const { code, out, err } = await holdfast([], { env });
  expect([code, err.trimEnd().split('\n')]).toEqual([1, [expect.stringMatching(sentence)]]);
  expect(out).not.toContain('listens');
  expect(out + err).not.toContain(password);
}

test('refuses a user without rights, a read-only user and a newer schema', async () => {
  const asUser = new URL(database.url);
  Object.assign(asUser, { username: role, password });
  await refused(
    asUser.href,
    new RegExp(`The user ${role} lacks rights in the database ${database.name}.*\\.$`),
  );

  const server = await TestServer.start({ env: { DATABASE_URL: database.url } });
  await server.remove();
  await refused(database.url, /^The secret key in .* does not match this database\. .*\.$/);
  const env = { DATABASE_URL: database.url, DATA_DIR: workspace.folder('data') };
  const forgotten = await holdfast(['secrets', 'forget', '--yes', '--json'], { env });
  expect(JSON.parse(forgotten.out)).toEqual({ forgotten: true, secrets: ['the seal of the audit trail'] });
  expect((await holdfast(['audit', 'verify'], { env })).code).toBe(0);
  database.sql(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
  await refused(asUser.href, /may not read and change the table "\w+".*\.$/);

  database.sql("INSERT INTO schema_version (version, name, applied_at) VALUES (99, 'of later', 1)");
  await refused(database.url, /has schema version 99, but this program knows versions up to \d+: .*\.$/);
});
