import { type Schemas, useRead } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { hostName } from '../../../ui/host-field.js';

type Entry = Schemas['AuditEntryView'];

/** An operation in words: a fixed phrase, or verb and kind of object. */
export function actionInWords(action: string): string {
  const words: Record<string, string> = t.audit.actions;
  const area = Object.keys(t.audit.areas).find((name) => action.startsWith(name));
  const verb = area && (t.audit.verbs as Record<string, string>)[action.slice(area.length)];
  const thing = area && t.audit.areas[area as keyof typeof t.audit.areas];
  return words[action] ?? (verb ? `${thing} ${verb}` : (thing ?? t.audit.other));
}

/** The current name of an object, or the number of a removed one. */
export function useObjectNames(): (entry: Entry) => string | null {
  const repositories = useRead('/api/repositories/').data?.repositories;
  const schedules = useRead('/api/schedule/').data?.jobs;
  const users = useRead('/api/auth/users').data?.map((user) => ({ ...user, name: user.username }));
  const hosts = useRead('/api/ssh-keys/connections').data?.connections;
  const all = {
    repository: repositories,
    schedule: schedules,
    user: users,
    notification: useRead('/api/notifications').data,
    script: useRead('/api/scripts').data,
    source_set: useRead('/api/source-sets').data?.source_sets,
    ssh_connection: hosts?.map((each) => ({ id: each.id, name: hostName(each) })),
    ssh_key: useRead('/api/ssh-keys').data?.ssh_keys,
  };
  return ({ object_kind: kind, object_id: id }) =>
    all[kind as keyof typeof all]?.find((one) => String(one.id) === id)?.name ?? id;
}
