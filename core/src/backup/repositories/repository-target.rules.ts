import type { RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { RepositoryRow } from './tables.js';

/** The secrets of one repository in plain text; null where it has none. */
export interface RepositorySecrets {
  passphrase: string | null;
  keyFile: string | null;
}

/** What the tool needs to open a registered repository. */
export const repositoryTarget = (
  row: Pick<RepositoryRow, 'uid' | 'path' | 'remote_path' | 'connection_id'>,
  { passphrase, keyFile }: RepositorySecrets,
): RepositoryTarget => ({
  uid: row.uid,
  location: row.path,
  passphrase,
  keyFile,
  remoteToolPath: row.remote_path,
  connectionId: row.connection_id,
});
