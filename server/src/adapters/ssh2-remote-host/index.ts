import type { RemoteHost } from '@holdfast/core/server';
import { allowedBy } from './allowed-by.js';
import { answers } from './answers.js';
import { connect } from './connect.js';
import { deployKey, withdrawKey } from './deploy-key.js';
import { run } from './run.js';
import { listBySftp } from './sftp-files.js';
import { listByShell } from './shell-files.js';
import { storageUsage } from './storage-usage.js';
import { assertRoot } from './sudo.js';
import { withinConnection } from './within-connection.js';

/** Remote hosts over SSH, using the ssh2 library. */
export const ssh2RemoteHost: RemoteHost = {
  answers,
  test: (account, options = {}) =>
    withinConnection(account, options, async (connection) => {
      if (account.sudo) await assertRoot(connection);
      return { ...connection.seen, allows: account.sudo ? 'commands' : await allowedBy(connection) };
    }),
  deployKey: (account, deployment, options = {}) =>
    withinConnection(account, options, async (connection) => ({
      ...connection.seen,
      added: await deployKey(connection, deployment),
    })),
  withdrawKey: (account, deployment, options = {}) =>
    withinConnection(account, options, (connection) => withdrawKey(connection, deployment)),
  storageUsage: (account, path, options = {}) =>
    withinConnection(account, options, (connection) => storageUsage(connection, path)),
  list: (account, path, options) =>
    withinConnection(account, options, async (connection) => {
      if (account.sudo) await assertRoot(connection);
      return (options.sftp && !account.sudo ? listBySftp : listByShell)(connection, path);
    }),
  run,
  connect,
};
