import type { RecallRepository } from '../repositories/index.js';
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
