import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './published/installation.js';
import { TestServer } from './server.js';

let files: string[];
let sources: string[];

/** Node notes which code a process loaded. The first start is left out: it makes the database and the first user. */
beforeAll(async () => {
  const { workspace } = await startedOnce();
  const folder = workspace.folder('coverage');
  const scripts = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return (result as { url: string }[]).map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
  files = [...new Set(scripts)].map((url) => fileURLToPath(url));
  sources = files.flatMap((file) => [file, ...sourcesOf(file)]).map((file) => relative(root, file));
});

let server: TestServer;
afterAll(() => server?.remove());

async function startedOnce(): Promise<TestServer> {
  const env: Record<string, string | undefined> = { NODE_V8_COVERAGE: undefined };
  server = await TestServer.start({ env });
  await server.stop();
  env.NODE_V8_COVERAGE = server.workspace.folder('coverage');
  await server.launch();
  await server.stop();
  return server;
}

function sourcesOf(file: string): string[] {
  if (!existsSync(`${file}.map`)) return [];
  const map = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] };
  return map.sources.map((source) => resolve(dirname(file), source));
}

test('loads the service and its database', () => {
  for (const needed of ['server/src/service.ts', 'core/src/app/', 'plugins/storage-sqlite/'])
    expect(sources.filter((source) => source.startsWith(needed))).not.toEqual([]);
  for (const library of ['express', 'sequelize', 'sqlite3', 'zod'])
    expect(sources.filter((source) => source.startsWith(`node_modules/${library}/`))).not.toEqual([]);
});

test.each([
  ...[
    '@agendajs/mongo-backend',
    '@keyv/redis',
    '@node-rs/argon2',
    '@ts-rest/open-api',
    'agenda',
    'commander',
  ],
  ...['mongodb', 'multer', 'nodemailer', 'pg', 'redis', 'ssh2', 'undici'],
])('does not load %s at the start', (library) => {
  const within = new RegExp(`(^|/)node_modules/${library}/`);
  expect(sources.filter((source) => within.test(source))).toEqual([]);
});

test.each([
  ...[
    'server/src/cli/doctor/',
    'server/src/http/docs/openapi.ts',
    'plugins/testkit/',
    'plugins/storage-postgres/',
  ],
  ...['plugins/jobs-mongodb/', 'plugins/cache-redis/', 'plugins/notify-apprise/', 'plugins/states-mqtt/'],
])('loads nothing of %s at the start', (folder) => {
  expect(existsSync(join(root, folder)), `${folder} is there`).toBe(true);
  expect(sources.filter((source) => source.startsWith(folder))).toEqual([]);
});

test('opens few files at the start', () => {
  expect(files.length).toBeLessThan(60);
});
