import type { NotificationSettingView } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import { maskedServiceUrl } from './service-url.rules.js';
import type { StorageSession } from '../ports/storage.js';
import {
  type NotificationSettingRow,
  notificationRepositories,
  type RepositoryRow,
  repositories,
} from '../schema/tables.js';
import { notificationSettingView } from './notification-view.js';
import type { Dependencies } from '../dependencies.js';
import { openServiceUrl } from './service-url.js';

type Needs = Pick<Dependencies, 'secrets' | 'log'> & { storage: StorageSession };

/** Settings as the caller may see them. */
export async function viewSettings(
  needs: Needs,
  caller: Pick<Caller, 'isAdmin'>,
  rows: readonly NotificationSettingRow[],
): Promise<NotificationSettingView[]> {
  const monitored = await monitoredBy(needs.storage, rows);
  return rows.map((row) =>
    notificationSettingView(row, {
      serviceUrl: caller.isAdmin ? wholeUrl(needs, row) : maskedServiceUrl(row.scheme),
      repositories: monitored.get(row.id) ?? [],
    }),
  );
}

/** With another key than it was sealed with, an URL can be replaced but no longer shown. */
function wholeUrl({ secrets, log }: Needs, row: NotificationSettingRow): string {
  try {
    return openServiceUrl(secrets, row);
  } catch (error) {
    log.error('the service URL of a notification setting does not open', { setting: row.id, error });
    return maskedServiceUrl(row.scheme);
  }
}

async function monitoredBy(
  storage: StorageSession,
  rows: readonly NotificationSettingRow[],
): Promise<Map<number, RepositoryRow[]>> {
  const settingIds = rows.filter((row) => !row.monitor_all_repositories).map(({ id }) => id);
  const found = new Map<number, RepositoryRow[]>();
  if (settingIds.length === 0) return found;
  const where = settingIds.length <= mostIds ? { setting_id: { in: settingIds } } : {};
  const links = await storage.find(notificationRepositories, { where });
  const ids = [...new Set(links.map((link) => link.repository_id))];
  const all = await storage.find(repositories, ids.length <= mostIds ? { where: { id: { in: ids } } } : {});
  const byId = new Map(all.map((row) => [row.id, row]));
  for (const { setting_id, repository_id } of links) {
    const row = byId.get(repository_id);
    if (row) found.set(setting_id, [...(found.get(setting_id) ?? []), row]);
  }
  return found;
}

/** More than that are read as all. */
const mostIds = 1_000;
