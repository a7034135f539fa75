import { lstat, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { StorageBackend } from '@holdfast/plugin-api';
import { readStart } from '@holdfast/plugin-api/files';
import { invalid, isoTime, say } from '../../../foundation/kernel/index.js';
import type { RecoveryNeeds } from '../needs.js';
import { copyPluginData, describe, filesBelow, ignoreMissing, isOwnData, synced } from './copied-files.fs.js';
import { type CopyManifest, databaseFile, manifestFile, parseManifest } from './manifest.rules.js';

export type { CopyManifest } from './manifest.rules.js';

export interface Copying extends Pick<RecoveryNeeds, 'clock' | 'ownKeys' | 'serverVersion'> {
  storage: Pick<StorageBackend, 'copies'>;
  settings: Pick<RecoveryNeeds['settings'], 'dataDirectory' | 'installation'>;
  /** Inside of a service that has requests to answer. */
  gently?: boolean;
  /** Schema version of the database. */
  schema: number;
}

/**
 * Writes a consistent copy of the installation, which may be running, to a new folder of mode 700. The folder
 * gets its final name only when the copy is complete and synced; leftovers of a killed run are replaced.
 * Throws AppError `invalid` for a folder that is not empty.
 */
export async function writeCopy(
  needs: Copying,
  folder: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<CopyManifest> {
  await requireEmpty(folder);
  const draft = join(dirname(folder), `.${basename(folder)}.unfinished`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  try {
    const manifest = await fillCopy(needs, draft, signal);
    await rename(draft, folder);
    await synced(dirname(folder));
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** How many bytes a copy takes at most. */
export async function sizeOfCopy({ storage, settings: { dataDirectory } }: Copying): Promise<number> {
  const data = join(dataDirectory, 'plugin-data');
  const sizes = (await filesBelow(data, isOwnData)).map(async (path) => (await stat(join(data, path))).size);
  const all = await Promise.all(sizes);
  return all.reduce((sum, size) => sum + size, await copiesOf(storage).size());
}

async function fillCopy(needs: Copying, folder: string, signal?: AbortSignal): Promise<CopyManifest> {
  const { storage, ownKeys, clock, serverVersion, settings, schema, gently } = needs;
  const copies = copiesOf(storage);
  await copies.write(join(folder, databaseFile), signal ? { signal } : {});
  const put = (name: string, text: string) => writeFile(join(folder, name), text, { mode: 0o600 });
  await put('secret_key', `${ownKeys.current}\n`);
  if (ownKeys.former.length > 0) await put('secret_key.former', `${JSON.stringify(ownKeys.former)}\n`);
  await copyPluginData(settings.dataDirectory, folder);
  signal?.throwIfAborted();
  const manifest: CopyManifest = {
    format: 1,
    holdfast: serverVersion,
    installation: settings.installation,
    schema,
    database: copies.form,
    made_at: isoTime(clock.now()),
    host: hostname(),
    files: [],
  };
  for (const path of await filesBelow(folder)) manifest.files.push(await describe(folder, path, { gently }));
  await put(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);
  for (const path of await filesBelow(folder)) await synced(join(folder, path));
  await synced(folder);
  return manifest;
}

/** Throws AppError `invalid` for a storage that can't copy itself. */
export function copiesOf({ copies }: Copying['storage']) {
  if (copies) return copies;
  throw invalid(
    say`storage_without_copies: The storage plugin can't copy its data while it is in use: it lacks "copies".`,
  );
}

/** With a line for each file of plugins. */
const mostOfManifest = 2 ** 26;

/** Checks a copy against its manifest. Throws AppError `invalid` for one that is not whole. */
export async function readCopy(folder: string): Promise<CopyManifest> {
  const text = await readStart(join(folder, manifestFile), mostOfManifest).then(String, (error) => {
    ignoreMissing(error);
    return '';
  });
  const manifest = parseManifest(text);
  if (!manifest)
    throw invalid(say`copy_without_manifest: ${{ folder }} does not contain a copy of Holdfast.`);
  const names = manifest.files.map(({ path }) => path);
  const lacking = [databaseFile, 'secret_key'].find((name) => !names.includes(name));
  if (lacking !== undefined) throw differs(folder, lacking);
  for (const { path, bytes, sha256 } of manifest.files) {
    const file = join(folder, path);
    const isFile = await lstat(file).then(
      (found) => found.isFile(),
      () => false,
    );
    const found = isFile ? await describe(folder, path) : null;
    if (found?.bytes !== bytes || found.sha256 !== sha256) throw differs(folder, path);
  }
  return manifest;
}

const differs = (folder: string, path: string) =>
  invalid(
    say`copy_differs: The copy in ${{ folder }} is incomplete or changed: ${{ path }} is missing or differs from what was written. Use another copy.`,
  );

async function requireEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTDIR') ignoreMissing(error);
    return error.code === 'ENOTDIR' ? ['.'] : [];
  });
  if (names.length === 0) return;
  throw invalid(say`copy_folder_not_empty: ${{ folder }} is not empty: choose a new folder for the copy.`);
}
