import { posix } from 'node:path';
import type { RemoteItem } from '@holdfast/contracts';
import { remoteItemView } from './ssh-view.js';
import type { ConnectionNeeds } from './check-connection.js';
import { findConnection } from './connection-access.js';
import { onRemoteHost } from './remote-failure.js';
import { usingConnection } from './using-connection.js';

/** One folder on the host, folders first. AppError `not_found`, `forbidden`, `conflict`, `unavailable`. */
export const browseConnection =
  (needs: ConnectionNeeds) =>
  async (id: number, { path }: { path?: string | undefined }) => {
    const connection = await findConnection(needs.storage, id);
    const { default_path, use_sftp_mode: sftp } = connection;
    const folder = path ?? default_path;
    const entries = await onRemoteHost(() =>
      usingConnection(needs, connection, (account) => needs.remoteHost.list(account, folder, { sftp })),
    );
    return {
      success: true as const,
      current_path: folder,
      parent_path: folder === '/' ? null : posix.dirname(folder),
      items: entries.map((entry) => remoteItemView(entry, folder)).sort(byKindAndName),
    };
  };

const compareNames = new Intl.Collator('en', { sensitivity: 'base', numeric: true }).compare;

const byKindAndName = (a: RemoteItem, b: RemoteItem): number =>
  Number(b.is_directory) - Number(a.is_directory) || compareNames(a.name, b.name);
