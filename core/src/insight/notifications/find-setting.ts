import type { StorageSession } from '@holdfast/plugin-api';
import { notFound, say } from '../../foundation/kernel/index.js';
import { type NotificationSettingRow, notificationSettings } from './tables.js';

/** Throws AppError `not_found`. */
export async function findSetting(session: StorageSession, id: number): Promise<NotificationSettingRow> {
  const [row] = await session.find(notificationSettings, { where: { id }, limit: 1 });
  if (!row)
    throw notFound(
      say`notification_setting_unknown: There is no notification channel ${{ id }}: see GET /api/notifications.`,
    );
  return row;
}
