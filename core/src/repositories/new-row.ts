import type { Encryption } from '../ports/backup-driver.js';
import type { StorageSession } from '../ports/storage.js';
import { type RepositoryRow, repositories } from '../schema/tables.js';
import type { RepositorySettings } from './repository-settings.js';

export interface Registration {
  uid: string;
  toolId: string;
  name: string;
  path: string;
  encryption: Encryption;
  settings: RepositorySettings;
  sealed: Pick<RepositoryRow, 'passphrase' | 'key_file'>;
  storedSize: number | null;
  /** When the tool said what archives there are; null when it did not. Milliseconds. */
  inventoryAt: number | null;
  now: number;
}

/** StoreError `unique` for a taken name or path. */
export const insertRepository = (
  session: StorageSession,
  registration: Registration,
): Promise<RepositoryRow> =>
  session.insert(repositories, {
    ...registration.settings,
    ...registration.sealed,
    uid: registration.uid,
    tool_id: registration.toolId,
    name: registration.name,
    path: registration.path,
    encryption: registration.encryption,
    stored_size: registration.storedSize,
    inventory_at: registration.inventoryAt,
    // No backup of ours was here yet.
    sweep_due: false,
    created_at: registration.now,
    updated_at: registration.now,
  });
