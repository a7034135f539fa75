import type { StorageSession } from '@holdfast/plugin-api';
import type { RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';
import { sshConnections } from '../ssh/tables.js';
import type { RepositoriesNeeds } from './needs.js';
import { type RepositorySecrets, repositoryTarget } from './repository-target.rules.js';
import type { RepositoryRow } from './tables.js';

export interface OpenTarget {
  target: RepositoryTarget;
  /** Stops redacting the secrets. Call it once the tool is done with them. */
  release(): void;
}

/** Opens the sealed secrets of a registered repository. They are redacted until `release` is called. */
export function openTarget(
  { secrets, redactor }: Pick<RepositoriesNeeds, 'secrets' | 'redactor'>,
  row: RepositoryRow,
): OpenTarget {
  const opened = openSecrets(secrets, row);
  const release = protectSecrets(redactor, opened);
  const expected = { id: row.tool_id, encryption: row.encryption };
  return { target: { ...repositoryTarget(row, opened), expected }, release };
}

type Sealed = Pick<RepositoryRow, 'passphrase' | 'key_file'>;

/** Envelopes are bound to the uid of the repository: one copied into another row can't be opened. */
const purposes = (uid: string) => ({ passphrase: `passphrase:${uid}`, keyFile: `keyfile:${uid}` });

export function sealSecrets(box: SecretBox, uid: string, secrets: RepositorySecrets): Sealed {
  const purpose = purposes(uid);
  const { passphrase, keyFile } = secrets;
  return {
    passphrase: passphrase === null ? null : box.seal(purpose.passphrase, passphrase),
    key_file: keyFile === null ? null : box.seal(purpose.keyFile, keyFile),
  };
}

export function openSecrets(box: SecretBox, row: Sealed & Pick<RepositoryRow, 'uid'>): RepositorySecrets {
  const purpose = purposes(row.uid);
  return {
    passphrase: row.passphrase === null ? null : box.open(purpose.passphrase, row.passphrase),
    keyFile: row.key_file === null ? null : box.open(purpose.keyFile, row.key_file),
  };
}

/**
 * Registers the passphrase and each line of the key file, because texts are redacted line by line. Returns a function
 * that releases them.
 */
export function protectSecrets(redactor: Redactor, { passphrase, keyFile }: RepositorySecrets): () => void {
  const lines = (keyFile ?? '').split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('BORG_KEY '));
  const texts = passphrase ? [passphrase, ...lines] : lines;
  const held = texts.map((text) => redactor.protect(text));
  return () => {
    for (const each of held) each.release();
  };
}

/** The environment variables for scripts that describe a repository, and the remote host of its sources, if any. */
export async function repositoryVariables(
  session: StorageSession,
  { id, name, path, source_connection_id }: RepositoryRow,
): Promise<Record<string, string>> {
  const own = {
    BK_UI_REPOSITORY_ID: `${id}`,
    BK_UI_REPOSITORY_NAME: name,
    BK_UI_REPOSITORY_PATH: path,
  };
  if (source_connection_id === null) return own;
  const [source] = await session.find(sshConnections, { where: { id: source_connection_id }, limit: 1 });
  if (!source) return own;
  return {
    ...own,
    BK_UI_SOURCE_HOST: source.host,
    BK_UI_SOURCE_PORT: `${source.port}`,
    BK_UI_SOURCE_USERNAME: source.username,
  };
}
