#!/usr/bin/env node
/**
 * Part of `npm run lint`: only code that touches files of the service itself calls `node:fs`. At a path that a user or
 * a repository names there may be a mount that hangs, a pipe or a device: `@holdfast/plugin-api/files` is for those.
 * Takes the root of a checkout; default: this one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare/root.mjs';

/** Beginnings of paths, and whose files these touch. */
const own = {
  'core/src/backup/archives/listing/': 'listings in the data folder',
  'core/src/backup/drills/scratch.fs.ts': 'scratch folders in the data folder',
  'core/src/engine/jobs/held-place.fs.ts': 'the kernel',
  'core/src/engine/jobs/room.fs.ts': 'the data folder',
  'core/src/migration/recovery/self-backup/': 'copies in the data folder',
  'core/src/engine/plugins/': 'installed plugins',
  'core/src/backup/restore/remote/remote-stage.fs.ts': 'the data folder',
  'core/src/backup/restore/stage/target-files.fs.ts': 'the kernel',
  'plugins/api/src/foreign/': 'the helper itself',
  'plugins/cache-redis/src/client.ts': 'certificates that the configuration names',
  'plugins/driver-borg/src/archive-streams.ts': 'pipes in the data folder',
  'plugins/driver-borg/src/brake.ts': 'the kernel',
  'plugins/driver-borg/src/cache-limit.ts': 'the data folder',
  'plugins/driver-borg/src/identity/admission-file.ts': 'the data folder',
  'plugins/driver-borg/src/identity/older-state.ts': 'the data folder',
  'plugins/driver-borg/src/key-files.ts': 'the data folder',
  'plugins/driver-borg/src/launch.ts': 'installed programs',
  'plugins/driver-borg/src/folder-problem.ts': 'the data folder',
  'plugins/driver-borg/src/locks/dead-holders.ts': 'the kernel',
  'plugins/driver-borg/src/locks/lock-identity.ts': 'the data folder',
  'plugins/driver-borg/src/locks/own-locks.ts': 'the data folder',
  'plugins/driver-borg/src/operations/forget.ts': 'the data folder',
  'plugins/driver-borg/src/own-folder.ts': 'the data folder',
  'plugins/driver-borg/src/pull/spooled-streams.ts': 'dumps in the data folder',
  'plugins/driver-borg/src/process-identity.ts': 'the kernel',
  'plugins/driver-borg/src/session-priority.ts': 'the kernel',
  'plugins/driver-borg/src/version.ts': 'installed programs',
  'plugins/driver-borg/src/view.ts': 'the kernel',
  'plugins/source-container/src/recipes.ts': 'the package, and a folder that the configuration names',
  'plugins/source-mongodb/src/server.ts': 'a socket of the service',
  'plugins/source-sqlite/src/index.ts': 'a scratch folder of the service',
  'plugins/states-mqtt/src/index.ts': 'a password and certificates that the configuration names',
  'plugins/storage-': 'the database',
  'server/src/adapters/archive-index/': 'the data folder',
  'server/src/adapters/half-recovered.ts': 'the data folder',
  'server/src/adapters/instance-facts.ts': 'the kernel',
  'server/src/adapters/list-disks.ts': 'the kernel',
  'server/src/adapters/own-files.ts': 'the data folder',
  'server/src/adapters/plugin-of-error.ts': 'installed plugins',
  'server/src/adapters/scripts/': 'the data folder, and the kernel',
  'server/src/adapters/secret-key': 'the data folder',
  'server/src/adapters/service-file.ts': 'the data folder',
  'server/src/adapters/ssh-key-files.ts': 'the folder of the SSH keys',
  'server/src/adapters/stuck-watch.ts': 'standard output',
  'server/src/adapters/tar-packer.ts': 'the data folder',
  'server/src/adapters/wrong-secret-key.ts': 'the data folder',
  'server/src/cli/': 'what its caller names, in a process of its own',
  'server/src/composition/': 'installed plugins',
  'server/src/http/': 'the console, and the documentation',
  'server/src/service.ts': 'the data folder',
};

const folders = ['core/src', 'server/src', ...pluginFolders()];
const call = /(?:from|import\(|require\() ?['"](?:node:)?fs(?:\/promises)?['"]/;
const typesOnly = /^import type .*$/gm;

const top = process.argv[2] ?? root;
let looked = 0;
const problems = folders.flatMap((folder) => filesIn(folder).flatMap(problemsOf));
for (const problem of problems) console.error(problem);
console.log(`${looked} files, ${problems.length} that call node:fs for files of others`);
process.exitCode = problems.length === 0 ? 0 : 1;

function pluginFolders() {
  const skipped = ['testkit'];
  const names = readdirSync(join(process.argv[2] ?? root, 'plugins')).filter(
    (name) => !skipped.includes(name),
  );
  return names.map((name) => `plugins/${name}/src`);
}

function filesIn(folder) {
  const found = readdirSync(join(top, folder), { recursive: true });
  return found.filter((file) => file.endsWith('.ts')).map((file) => `${folder}/${file}`);
}

function problemsOf(file) {
  looked += 1;
  if (Object.keys(own).some((start) => file.startsWith(start))) return [];
  const text = readFileSync(join(top, file), 'utf8').replace(typesOnly, '');
  const found = call.exec(text);
  const isConstants = /^import \{ constants \} from 'node:fs';$/m.test(text);
  if (!found || (isConstants && text.match(new RegExp(call, 'g'))?.length === 1)) return [];
  return [`${file}: for paths that users or repositories name, use @holdfast/plugin-api/files`];
}
