import type { StorageSession } from '@holdfast/plugin-api';
import type { Forgotten, RecallRepository, RepositoryRow } from '../../backup/repositories/index.js';
import { notificationRepositories, notificationSettings } from './tables.js';

/** Notifications that named a repository name it again when it is registered again. */
export const recallInNotifications: RecallRepository = async (session, { repository, links }) => {
  for (const { id: setting_id } of links.notifications) {
    const [setting] = await session.find(notificationSettings, { where: { id: setting_id }, limit: 1 });
    if (!setting || setting.monitor_all_repositories) continue;
    await session.insert(notificationRepositories, { setting_id, repository_id: repository.id });
  }
  return { events: [], remarks: [] };
};

/** Runs in the transaction that removes the repository. */
export async function forgetInNotifications(
  session: StorageSession,
  { repository: { id } }: { repository: RepositoryRow },
): Promise<Forgotten> {
  const settings = await settingsWith(session, id);
  await session.remove(notificationRepositories, { repository_id: id });
  const off = settings.filter(({ only }) => only);
  return {
    links: { notifications: settings.map((setting) => ({ id: setting.id, only: setting.only })) },
    switchedOff: { notifications: off.map((setting) => ({ id: setting.id, name: setting.name })) },
  };
}

/** Settings that name their repositories, and this one among them. */
async function settingsWith(session: StorageSession, id: number) {
  const found: { id: number; name: string; only: boolean }[] = [];
  for (const { setting_id } of await session.find(notificationRepositories, {
    where: { repository_id: id },
  })) {
    const [setting] = await session.find(notificationSettings, { where: { id: setting_id }, limit: 1 });
    const [other] = await session.find(notificationRepositories, {
      where: { setting_id, repository_id: { not: id } },
      limit: 1,
    });
    if (setting && !setting.monitor_all_repositories) {
      found.push({ id: setting.id, name: setting.name, only: setting.enabled && !other });
    }
  }
  return found;
}
