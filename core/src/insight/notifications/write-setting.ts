import {
  type NewNotificationSetting,
  type NotificationSettingChanges,
  notificationSettingChanges,
  notificationSettingView,
} from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { ignoredFields, repositories } from '../../backup/repositories/index.js';
import { invalid, say } from '../../foundation/kernel/index.js';
import type { NotifierRegistry, Preference } from './notifier-registry.js';
import { usableTransport } from './service-url.js';
import { type NotificationSettingRow, notificationRepositories } from './tables.js';

type Input = NewNotificationSetting | NotificationSettingChanges;
type Columns = Omit<NewNotificationSetting, 'service_url' | 'repository_ids'>;

/** Throws AppError `invalid` when no message could be sent to the URL. */
export function assertUsable(notifiers: NotifierRegistry, url: string, preference: Preference = {}): void {
  const usable = usableTransport(notifiers, url, preference);
  if ('problem' in usable) {
    const { problem } = usable;
    throw invalid(problem, { errors: [{ path: 'service_url', message: problem.text }] });
  }
}

const elsewhere = new Set(['service_url', 'repository_ids']);

/** The columns for the given fields of a body. */
export const columnsGiven = <T extends Input>(input: T): Partial<Columns> =>
  Object.fromEntries(
    Object.keys(notificationSettingChanges.shape)
      .filter((field) => !elsewhere.has(field))
      .map((field) => [field, input[field as keyof T]])
      .filter(([, value]) => value !== undefined),
  );

/**
 * Replaces the monitored repositories when the setting does not monitor all and a non-empty list is given.
 * Throws AppError `invalid` for an unknown one.
 */
export async function monitor(
  session: StorageSession,
  setting: Pick<NotificationSettingRow, 'id' | 'monitor_all_repositories'>,
  ids: readonly number[] | null | undefined,
): Promise<void> {
  if (setting.monitor_all_repositories || !ids?.length) return;
  const wanted = [...new Set(ids)];
  const known = new Set(
    (await session.find(repositories, { where: { id: { in: wanted } } })).map((row) => row.id),
  );
  const unknown = wanted.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    const detail = say`monitored_repositories_unknown: There is no repository ${{ repositories: unknown.map(String) }}: see GET /api/repositories/.`;
    throw invalid(detail, { errors: [{ path: 'repository_ids', message: detail.text }] });
  }
  await session.remove(notificationRepositories, { setting_id: setting.id });
  for (const repository_id of wanted) {
    await session.insert(notificationRepositories, { setting_id: setting.id, repository_id });
  }
}

const readOnly = Object.fromEntries(
  Object.keys(notificationSettingView.shape).map((field) => [field, 'was ignored: it is read-only.']),
);

/** One sentence for each ignored field of a body, and one when the setting monitors nothing. */
export function writeWarnings(
  input: Input,
  view: { monitor_all_repositories: boolean; repositories: readonly unknown[] },
): { warnings?: string[] } {
  const warnings = ignoredFields(input, notificationSettingChanges, readOnly);
  if (view.monitor_all_repositories && input.repository_ids?.length) {
    warnings.push('repository_ids was ignored: monitor_all_repositories is true.');
  }
  if (!view.monitor_all_repositories && view.repositories.length === 0) {
    warnings.push('The channel monitors no repository: list some in repository_ids.');
  }
  return warnings.length > 0 ? { warnings } : {};
}
