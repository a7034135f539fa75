import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findProgram } from '../src/launch.js';
import { toolErrors } from '../src/tool-errors.js';

const script = `
import importlib, json, pkgutil, borg, borg.helpers
for module in pkgutil.walk_packages(borg.__path__, 'borg.'):
    if 'testsuite' in module.name or 'fuse' in module.name or module.name.endswith('__main__'): continue
    try: importlib.import_module(module.name)
    except ImportError: pass
found = {}
def walk(parent):
    for each in parent.__subclasses__():
        found[each.__qualname__] = getattr(each, 'exit_mcode', None)
        walk(each)
EXTRA
walk(borg.helpers.Error)
print(json.dumps(found))
`;

/** Message ids of the errors of an installed borg, with their exit codes if it has special ones. `extra`: Python of ours. */
async function errorsOf(binary: string, extra = ''): Promise<Record<string, number | null>> {
  const program = (await findProgram(binary)) as string;
  const [, python = 'python3'] = /^#!\s*(\S*python\S*)/.exec(readFileSync(program, 'utf8')) ?? [];
  return JSON.parse(execFileSync(python, ['-c', script.replace('EXTRA', extra)], { encoding: 'utf8' }));
}

/** Those of borg 1.1.18, which may run on the host of a repository. */
const olderErrors = [
  ...['Archive.AlreadyExists', 'Archive.DoesNotExist', 'Archive.IncompatibleFilesystemEncodingError'],
  ...['Buffer.MemoryLimitExceeded', 'Cache.CacheInitAbortedError', 'Cache.EncryptionMethodMismatch'],
  ...['Cache.RepositoryAccessAborted', 'Cache.RepositoryIDNotUnique', 'Cache.RepositoryReplay'],
  ...['ConnectionClosed', 'ConnectionClosedWithHint', 'DecompressionError', 'ErrorWithTraceback'],
  ...['ExtensionModuleError', 'FileIntegrityError', 'IntegrityError', 'InvalidPlaceholder'],
  ...['InvalidRPCMethod', 'KeyfileInvalidError', 'KeyfileMismatchError', 'KeyfileNotFoundError', 'LockError'],
  ...['LockErrorT', 'LockFailed', 'LockTimeout', 'MandatoryFeatureUnsupported', 'NoManifestError'],
  ...['NoPassphraseFailure', 'NotABorgKeyFile', 'NotLocked', 'NotMyLock', 'PasscommandFailure'],
  ...['PassphraseWrong', 'PasswordRetriesExceeded', 'PathNotAllowed', 'PlaceholderError', 'PythonLibcTooOld'],
  ...['RemoteRepository.RPCServerOutdated', 'RepoIdMismatch', 'RepoKeyNotFoundError'],
  ...['Repository.AlreadyExists', 'Repository.AtticRepository', 'Repository.CheckNeeded'],
  ...['Repository.DoesNotExist', 'Repository.InsufficientFreeSpaceError', 'Repository.InvalidRepository'],
  ...['Repository.InvalidRepositoryConfig', 'Repository.ObjectNotFound', 'Repository.ParentPathDoesNotExist'],
  ...['Repository.PathAlreadyExists', 'Repository.StorageQuotaExceeded', 'TAMInvalid', 'TAMRequiredError'],
  ...['TAMUnsupportedSuiteError', 'UnencryptedRepo', 'UnexpectedRPCDataFormatFromClient'],
  ...['UnexpectedRPCDataFormatFromServer', 'UnknownKeyType', 'UnsupportedManifestError'],
  'UnsupportedPayloadError',
];

describe('knows every error', () => {
  const entries = Object.entries(toolErrors);

  test('recognizes those of borg 1.1', () => {
    expect(olderErrors.filter((id) => !(id in toolErrors))).toEqual([]);
  });

  const newer = process.env.HOLDFAST_BORG_14;
  test.each(['borg', ...(newer === undefined ? [] : [newer])])('recognizes those of %s', async (binary) => {
    const found = await errorsOf(binary);
    expect(Object.keys(found).length).toBeGreaterThan(50);
    expect(Object.keys(found).filter((id) => !(id in toolErrors))).toEqual([]);
    // A general code says nothing about the kind.
    const special = Object.entries(found).filter(([, code]) => code !== null && code !== 2);
    for (const [id, code] of special) expect([id, toolErrors[id]?.[1]]).toEqual([id, code]);
  });

  test('but not one that a later borg may bring', async () => {
    const found = await errorsOf('borg', 'class FromLater(borg.helpers.Error): pass');
    expect(Object.keys(found).filter((id) => !(id in toolErrors))).toEqual(['FromLater']);
  });

  test('treats only lost or changed data as damage', () => {
    const damage = entries.filter(([, [kind]]) => kind === 'damaged').map(([id]) => id);
    expect(damage.sort()).toEqual([
      ...['DecompressionError', 'FileIntegrityError', 'IntegrityError', 'NoManifestError'],
      ...['Repository.CheckNeeded', 'Repository.InvalidRepositoryConfig', 'Repository.ObjectNotFound'],
    ]);
  });
});
