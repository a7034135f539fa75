import { posix } from 'node:path';
import type { RemoteItem } from '@holdfast/contracts';
import { useCasesOf } from '../../foundation/kernel/index.js';
import { refreshStorage } from './connected-driver.js';
import { findConnection } from './connection-access.js';
import {
  type ConnectionUsers,
  deleteConnection,
  getConnection,
  listConnections,
  updateConnection,
} from './connections.js';
import { deployKey, quickSetup, redeployKey } from './deploy-key.js';
import { importKey, importKeyText } from './import-key.js';
import { makeKeyTurn } from './install-key.js';
import { deleteKey, generateKey, getKey, getSystemKey, listKeys, updateKey } from './keys.js';
import type { SshNeeds } from './needs.js';
import { onRemoteHost } from './remote-failure.js';
import { remoteItemView } from './ssh-view.js';
import { acceptHostKey, type ConnectionNeeds, testConnection, testNewConnection } from './test-connection.js';
import { usingConnection } from './transport.js';

export const sshUseCases = (dependencies: SshNeeds, users: ConnectionUsers) => {
  const turn = makeKeyTurn();
  return {
    ...useCasesOf(dependencies, {
      acceptHostKey,
      browseConnection,
      deleteKey,
      deployKey,
      getConnection,
      getKey,
      getSystemKey,
      listConnections,
      listKeys,
      redeployKey,
      refreshStorage,
      testConnection,
      testNewConnection,
      updateKey,
    }),

    deleteConnection: deleteConnection.bind(null, dependencies, users),

    generateKey: generateKey.bind(null, dependencies, turn),

    importKey: importKey.bind(null, dependencies, turn),
    importKeyText: importKeyText.bind(null, dependencies, turn),

    quickSetup: quickSetup.bind(null, dependencies, turn),

    updateConnection: updateConnection.bind(null, dependencies, users),
  };
};

/** One folder on the host, folders first. Throws AppError `not_found`, `forbidden`, `conflict`, `unavailable`. */
async function browseConnection(needs: ConnectionNeeds, id: number, { path }: { path?: string | undefined }) {
  const connection = await findConnection(needs.storage, id);
  const { default_path, use_sftp_mode: sftp, sudo } = connection;
  const folder = path ?? default_path;
  const entries = await onRemoteHost(() =>
    usingConnection(needs, connection, (account) =>
      needs.remoteHost.list({ ...account, sudo }, folder, { sftp }),
    ),
  );
  return {
    success: true as const,
    current_path: folder,
    parent_path: folder === '/' ? null : posix.dirname(folder),
    items: entries.map((entry) => remoteItemView(entry, folder)).sort(byKindAndName),
  };
}

const compareNames = new Intl.Collator('en', { sensitivity: 'base', numeric: true }).compare;

const byKindAndName = (a: RemoteItem, b: RemoteItem): number =>
  Number(b.is_directory) - Number(a.is_directory) || compareNames(a.name, b.name);
