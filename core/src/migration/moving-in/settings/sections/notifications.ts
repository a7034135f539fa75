import { newNotificationSetting, notificationSettingChanges } from '@holdfast/contracts';
import { z } from 'zod';
import { say } from '../../../../foundation/kernel/index.js';
import {
  notificationRepositories,
  notificationSettings,
  notificationsUseCases,
  openServiceUrl,
} from '../../../../insight/notifications/index.js';
import { namesIn, repositoryOf } from '../references.js';
import { only, section, type Writing } from '../section.js';

const shape = notificationSettingChanges
  .omit({ repository_ids: true })
  .required({ name: true })
  .extend({ repositories: z.array(z.string()).max(1000).optional() })
  .strict();
type Notification = z.infer<typeof shape>;

const flags = Object.keys(notificationSettingChanges.shape).filter(
  (field) => !['service_url', 'repository_ids'].includes(field),
) as (keyof Notification & keyof typeof notificationSettings.columns)[];

export const notifications = section<Notification>({
  name: 'notifications',
  shape,
  key: ({ name }) => name,
  title: ({ name }) => name,
  secrets: ['service_url'],
  fixed: ['name'],
  read: async ({ storage, secrets }) => {
    const names = await namesIn(storage);
    const links = await storage.find(notificationRepositories);
    return (await storage.find(notificationSettings)).map((row) => {
      const monitored = links.filter(({ setting_id }) => setting_id === row.id);
      const repositories = monitored.flatMap(
        ({ repository_id }) => names.repositories.get(repository_id) ?? [],
      );
      const shown = Object.fromEntries(flags.map((field) => [field, row[field] ?? undefined]));
      const named = row.monitor_all_repositories ? {} : { repositories };
      const title_prefix = row.title_prefix;
      const service_url = openServiceUrl(secrets, row);
      return { id: row.id, value: { ...shown, name: row.name, title_prefix, ...named, service_url } };
    });
  },
  obstacle: (value, before) =>
    before || value.service_url
      ? null
      : say`settings_url_sealed: Its service URL is secret and not in the file: export it with encrypted secrets, or add the channel manually.`,
  create: async (at, value) => {
    const input = newNotificationSetting.parse(await inputOf(at, value));
    await notificationsUseCases(at.needs).createSetting(input);
  },
  change: async (at, { id }, value, fields) => {
    const changes = await inputOf(at, only(value, fields));
    await notificationsUseCases(at.needs).updateSetting(id, changes);
  },
});

async function inputOf({ needs }: Writing, { repositories, ...value }: Partial<Notification>) {
  if (repositories === undefined) return value;
  const repository_ids: number[] = [];
  for (const toolId of repositories) repository_ids.push((await repositoryOf(needs.storage, toolId)).id);
  return { ...value, repository_ids };
}
