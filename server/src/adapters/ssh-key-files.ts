import { chmod, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hostKeyAlias, inTurn, type KeyPairText, type SshFiles } from '@holdfast/core/server';
import { contentOf, makeOwnFiles, type OwnFile, writeWhole } from './own-files.js';

/**
 * Files for OpenSSH: pinned host keys, and key pairs in `sshDirectory`, or in the data directory if that
 * fails.
 */
export function makeSshFiles({
  sshDirectory,
  dataDirectory,
}: {
  sshDirectory: string;
  dataDirectory: string;
}): SshFiles {
  const own = join(dataDirectory, 'ssh');
  const hostKeys = join(own, 'known-hosts');
  // Each reads and writes the record of written files.
  const oneByOne = inTurn();
  const files = makeOwnFiles(join(own, 'written.json'));

  const writeInto = async (folder: string, pair: KeyPairText): Promise<void> => {
    const pairFiles = filesOf(folder, pair);
    await makeFolder(folder);
    const foreign = await files.inTheWay(pairFiles);
    if (foreign !== null) throw new Error(`${foreign} was not written by this service and is not changed`);
    await files.write(pairFiles);
  };

  return {
    writeKeyPair: (pair) =>
      oneByOne(async () => {
        const keyFile = (folder: string) => join(folder, nameOf(pair));
        try {
          await writeInto(sshDirectory, pair);
          return { keyFile: keyFile(sshDirectory), problem: null };
        } catch (error) {
          await writeInto(own, pair);
          return { keyFile: keyFile(own), problem: (error as Error).message };
        }
      }),
    removeKeyPairs: () => oneByOne(files.removeAll),
    async writeHostKey({ connectionId, hostKey }) {
      const path = join(hostKeys, String(connectionId));
      const content = `${hostKeyAlias(connectionId)} ${hostKey}\n`;
      if ((await contentOf(path)) === content) return path;
      await mkdir(hostKeys, { recursive: true, mode: 0o700 });
      await writeWhole({ path, content, mode: 0o600 });
      return path;
    },
    removeHostKey: (connectionId) => rm(join(hostKeys, String(connectionId)), { force: true }),
  };
}

const nameOf = ({ type }: Pick<KeyPairText, 'type'>) => `holdfast_${type}`;

const filesOf = (folder: string, pair: KeyPairText): OwnFile[] => [
  { path: join(folder, nameOf(pair)), content: pair.privateKey, mode: 0o600 },
  { path: join(folder, `${nameOf(pair)}.pub`), content: `${pair.publicKey}\n`, mode: 0o644 },
];

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (((await stat(path)).mode & 0o7777) !== 0o700) await chmod(path, 0o700);
}
