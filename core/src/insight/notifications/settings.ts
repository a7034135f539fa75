import { randomUUID } from 'node:crypto';
import type {
  NewNotificationSetting,
  NotificationSettingChanges,
  NotificationSettingView,
  NotificationSettingWritten,
} from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { type RepositoryRow, repositories } from '../../backup/repositories/index.js';
import type { Caller } from '../../foundation/kernel/index.js';
import { inTransaction } from '../../foundation/kernel/index.js';
import { findSetting } from './find-setting.js';
import type { NotificationsNeeds } from './needs.js';
import { notificationSettingView } from './notification-view.js';
import { openServiceUrl, sealServiceUrl } from './service-url.js';
import { maskedServiceUrl } from './service-url.rules.js';
import {
  deliveries,
  type NotificationSettingRow,
  notificationRepositories,
  notificationSettings,
} from './tables.js';
import { assertUsable, columnsGiven, monitor, writeWarnings } from './write-setting.js';

/** Throws AppError `invalid` for an unusable service URL or an unknown repository. */
export async function createSetting(
  needs: NotificationsNeeds,
  input: NewNotificationSetting,
): Promise<NotificationSettingWritten> {
  assertUsable(needs.notifiers, input.service_url);
  const uid = randomUUID();
  const now = needs.clock.now();
  const view = await inTransaction(needs.storage, async (session) => {
    const row = await session.insert(notificationSettings, {
      ...columnsGiven(input),
      uid,
      name: input.name,
      created_at: now,
      updated_at: now,
      ...sealServiceUrl(needs.secrets, uid, input.service_url),
      apprise_first: false,
    });
    await monitor(session, row, input.repository_ids);
    return getSetting({ ...needs, storage: session }, { isAdmin: true }, row.id);
  });
  return { ...view, ...writeWarnings(input, view) };
}

/**
 * Changes the given fields. Of concurrent changes the later one wins, field by field. Throws as
 * `createSetting`, and `not_found`.
 */
export async function updateSetting(
  needs: NotificationsNeeds,
  id: number,
  input: NotificationSettingChanges,
): Promise<NotificationSettingWritten> {
  const view = await inTransaction(needs.storage, async (session) => {
    const before = await findSetting(session, id);
    const { service_url: url } = input;
    const isNew = url !== undefined && !isStored(needs.secrets, before, url);
    const appriseFirst = before.apprise_first && !isNew;
    if (url !== undefined) assertUsable(needs.notifiers, url, { appriseFirst });
    const patch = {
      ...columnsGiven(input),
      apprise_first: appriseFirst,
      ...(url === undefined ? {} : sealServiceUrl(needs.secrets, before.uid, url)),
      updated_at: Math.max(needs.clock.now(), before.updated_at + 1),
    };
    await session.update(notificationSettings, { id }, patch);
    await monitor(session, { ...before, ...patch }, input.repository_ids);
    return getSetting({ ...needs, storage: session }, { isAdmin: true }, id);
  });
  return { ...view, ...writeWarnings(input, view) };
}

/** It cannot be compared with a different secret key. */
function isStored(secrets: NotificationsNeeds['secrets'], row: NotificationSettingRow, url: string): boolean {
  try {
    return openServiceUrl(secrets, row) === url;
  } catch {
    return false;
  }
}

/** Also deletes its messages, including unsent ones. Throws AppError `not_found`. */
export function deleteSetting({ storage }: NotificationsNeeds, id: number): Promise<void> {
  return inTransaction(storage, async (session) => {
    await findSetting(session, id);
    await session.remove(notificationRepositories, { setting_id: id });
    await session.remove(deliveries, { setting_id: id });
    await session.remove(notificationSettings, { id });
  });
}

type GetSettingNeeds = Pick<NotificationsNeeds, 'secrets' | 'log'> & { storage: StorageSession };

/** Throws AppError `not_found`. */
export async function getSetting(
  needs: GetSettingNeeds,
  caller: Pick<Caller, 'isAdmin'>,
  id: number,
): Promise<NotificationSettingView> {
  const [view] = await viewSettings(needs, caller, [await findSetting(needs.storage, id)]);
  return view as NotificationSettingView;
}

/** In order of creation. */
export async function listSettings(needs: NotificationsNeeds, caller: Caller) {
  return viewSettings(needs, caller, await needs.storage.find(notificationSettings));
}

type ViewSettingsNeeds = Pick<NotificationsNeeds, 'secrets' | 'log'> & { storage: StorageSession };

/** Settings as the caller may see them. */
async function viewSettings(
  needs: ViewSettingsNeeds,
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

/** With a different secret key, a URL can be replaced but no longer shown. */
function wholeUrl({ secrets, log }: ViewSettingsNeeds, row: NotificationSettingRow): string {
  try {
    return openServiceUrl(secrets, row);
  } catch (error) {
    log.error('cannot decrypt the service URL of a notification channel', { setting: row.id, error });
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
  const where = settingIds.length <= maxIds ? { setting_id: { in: settingIds } } : {};
  const links = await storage.find(notificationRepositories, { where });
  const ids = [...new Set(links.map((link) => link.repository_id))];
  const all = await storage.find(repositories, ids.length <= maxIds ? { where: { id: { in: ids } } } : {});
  const byId = new Map(all.map((row) => [row.id, row]));
  for (const { setting_id, repository_id } of links) {
    const row = byId.get(repository_id);
    if (row) found.set(setting_id, [...(found.get(setting_id) ?? []), row]);
  }
  return found;
}

/** Beyond this number of ids, all rows are read instead. */
const maxIds = 1_000;
