// @ts-check
/**
 * A backup driver for tests that are not about Borg, and the shortest complete example of one. It does everything that
 * the port requires, in milliseconds, and encrypts nothing: passphrases and keys are only compared.
 *
 * A repository is a folder, so that instances share it and a killed service loses nothing:
 *
 * | `repository.json`   | its id, its key and its archives; each change is one rename of `next.json`      |
 * | `archives/ID.json`  | the entries of an archive, with the names of their blobs                         |
 * | `blobs/SHA256`      | up to 1 MiB of content; equal content is stored once                             |
 * | `lock`              | locked by the kernel while a tool works, so that no lock is ever left behind     |
 *
 * Tests steer it by files beside that folder, where OPERATION is a method of the driver, or `init.made` after its work:
 *
 * | `FOLDER.hold.OPERATION` | it waits with its lock until this file is gone; a backup has read its files then |
 * | `FOLDER.held.OPERATION` | is there while it waits                                                          |
 * | `FOLDER.fail.OPERATION` | it fails once: the file is `KIND MESSAGE`, with a kind of DriverError            |
 *
 * A changed blob is damage, for all who read it.
 *
 * Not offered: data of other hosts, tar streams, repairs, signatures.
 */
import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import {
  archiveInfo,
  check,
  compact,
  createArchive,
  deleteArchives,
  extract,
  listArchives,
  listEntries,
  look,
  open,
  readFile,
} from './archives.js';
import { changePassphrase, destroy, exportKey, idAt, importKey, init, readState } from './repository.js';
import { endProcess, lockHolderOf } from './tool.js';

/** @returns {import('@holdfast/plugin-api/driver').BackupDriver} */
export const makeMemoryDriver = () => ({
  version: async () => ({ name: 'memory', version: '1.0.0', line: 'memory 1.0.0' }),
  checkCustomFlags: (flags) =>
    flags.map((flag) => `The flag ${flag.split('=')[0]} is not allowed: there are none.`),
  init,
  open,
  look,
  idAt,
  destroy,
  createArchive,
  checkStreams: () => [],
  listArchives,
  archiveInfo,
  listEntries,
  readFile,
  extract,
  deleteArchives,
  compact,
  check,
  exportKey,
  importKey,
  changePassphrase,
  lockHolder: async (target) => readState(target) && lockHolderOf(target.location),
  breakLock: async (target) => readState(target) && { value: null, warnings: [] },
  endProcess,
  forget: async () => {},
});

export default definePlugin({ kind: 'driver', configuration: z.object({}), create: makeMemoryDriver });
