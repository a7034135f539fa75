/** Compressions that are accepted for a repository, compared with what borg accepts. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository, passphrase, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { Borg } from './borg.js';

let server: TestServer;
let api: Api;
let repository: Repository;
let borg: Borg;
beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  const path = join(server.workspace.path, 'repository');
  repository = await createRepository(api, { name: 'one', path, source_directories: ['/etc'] });
  borg = new Borg(path, server.workspace.folder('by-hand'), { passphrase });
});
afterAll(async () => {
  await server?.stop();
  server?.workspace.remove();
});

/** Borg takes these, too, but means something else by them, or what can be written more plainly. */
const spellings = ['lz4,1', 'none,1', 'zstd,+3', 'auto,auto,lz4'];
const whole = 'none lz4 zstd zstd,1 zstd,22 zlib,0 zlib,9 lzma lzma,0 lzma,9 auto,lz4 auto,lzma,6 auto,none';
const hidden = 'obfuscate,1,lz4 obfuscate,6,none obfuscate,110,lz4 obfuscate,123,auto,zstd,10';
const wrong =
  'gzip ZSTD zstd, zstd,0 zstd,23 zstd,3,4 zlib,10 lzma,10 auto auto, obfuscate obfuscate,1 obfuscate,7,lz4 ' +
  'obfuscate,109,lz4 obfuscate,124,lz4 obfuscate,x,lz4';

test.each([...spellings, ...`${whole} ${hidden} ${wrong}`.split(' ')])(
  'accepts %s only if borg does, and otherwise explains the format',
  async (compression) => {
    const answer = await api.put(`/api/repositories/${repository.id}`, { compression });
    const flags = ['--dry-run', `--compression=${compression}`];
    const run = borg.run('create', ...flags, `${repository.path}::x`, server.workspace.folder('empty'));
    const isAccepted = await run.then(
      () => true,
      () => false,
    );
    expect(answer.status).toBe(isAccepted && !spellings.includes(compression) ? 200 : 400);
    if (answer.status === 400) expect(answer.body.detail).toMatch(/^compression .*(takes|must be)/);
  },
);
