import { useRead } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { fieldsOf } from '../../../ui/draft.js';
import { CheckField, errorAt, Group, RadioGroup, TextField } from '../../../ui/field.js';
import { Stack } from '../../../ui/layout.js';
import { More } from '../../../ui/more.js';
import { type Flag, flags, type Setting } from './events.js';
import styles from './notifications.module.css';

export type Draft = Pick<
  Setting,
  | 'name'
  | 'service_url'
  | 'enabled'
  | 'include_job_name_in_title'
  | 'monitor_all_repositories'
  | 'failure_grouping_minutes'
  | Flag
> & { title_prefix: string | null; repository_ids: number[] };

const quiet: readonly Flag[] = [
  'notify_on_backup_start',
  'notify_on_backup_success',
  'notify_on_restore_success',
  'notify_on_check_success',
];

/** The editable fields of a channel; for a new one, the defaults of the server. */
export function draftOf(setting?: Setting): Draft {
  return {
    name: setting?.name ?? '',
    service_url: setting?.service_url ?? '',
    enabled: setting?.enabled ?? true,
    title_prefix: setting?.title_prefix ?? null,
    include_job_name_in_title: setting?.include_job_name_in_title ?? false,
    monitor_all_repositories: setting?.monitor_all_repositories ?? true,
    repository_ids: setting?.repositories.map(({ id }) => id) ?? [],
    failure_grouping_minutes: setting?.failure_grouping_minutes ?? 0,
    ...(Object.fromEntries(
      flags.map((flag) => [flag, setting ? setting[flag] : !quiet.includes(flag)]),
    ) as Record<Flag, boolean>),
  };
}

export const draftLabels = (): Partial<Record<keyof Draft, string>> => ({
  name: t.common.name,
  service_url: t.audit.address,
  enabled: t.notifications.enabled,
  title_prefix: t.notifications.prefix,
  include_job_name_in_title: t.notifications.jobName,
  monitor_all_repositories: t.notifications.allRepositories,
  failure_grouping_minutes: t.notifications.grouping,
  ...t.notifications.flags,
});

interface PreferencesProps {
  draft: Draft;
  onDraft: (part: Partial<Draft>) => void;
  error: unknown;
}

/** The events and the format of a channel. */
export function Preferences({ draft, onDraft, error }: PreferencesProps) {
  const field = fieldsOf(draft, onDraft, error);
  return (
    <Stack>
      <Group legend={t.notifications.tellWhen}>
        <div class={styles.flags}>
          {flags.map((flag) => (
            <CheckField
              key={flag}
              label={t.notifications.flags[flag]}
              checked={draft[flag]}
              onChecked={(checked) => onDraft({ [flag]: checked })}
            />
          ))}
        </div>
      </Group>
      <Which draft={draft} onDraft={onDraft} />
      <More label={t.notifications.look}>
        <TextField
          label={t.notifications.prefix}
          hint={t.notifications.prefixHint}
          maxLength={100}
          {...field.orNull('title_prefix')}
        />
        <CheckField label={t.notifications.jobName} {...field.check('include_job_name_in_title')} />
        <TextField
          label={t.notifications.grouping}
          hint={t.notifications.groupingHint}
          error={errorAt(error, 'failure_grouping_minutes')}
          type="number"
          min={0}
          max={10_080}
          value={String(draft.failure_grouping_minutes)}
          onValue={(text) => onDraft({ failure_grouping_minutes: Math.trunc(Number(text)) || 0 })}
        />
        <CheckField
          label={t.notifications.enabled}
          hint={t.notifications.enabledHint}
          {...field.check('enabled')}
        />
      </More>
    </Stack>
  );
}

function Which({ draft, onDraft }: Omit<PreferencesProps, 'error'>) {
  const repositories = useRead('/api/repositories/').data?.repositories ?? [];
  const { repository_ids: chosen } = draft;
  return (
    <>
      <RadioGroup
        legend={t.frame.place.repositories}
        value={draft.monitor_all_repositories ? 'all' : 'some'}
        onValue={(value) => onDraft({ monitor_all_repositories: value === 'all' })}
        options={[
          { value: 'all', label: t.notifications.allRepositories },
          { value: 'some', label: t.notifications.onlyThese },
        ]}
      />
      {!draft.monitor_all_repositories && (
        <Group legend={t.notifications.onlyThese}>
          {repositories.map(({ id, name }) => (
            <CheckField
              key={id}
              label={<bdi>{name}</bdi>}
              checked={chosen.includes(id)}
              onChecked={(checked) =>
                onDraft({ repository_ids: checked ? [...chosen, id] : chosen.filter((each) => each !== id) })
              }
            />
          ))}
        </Group>
      )}
    </>
  );
}
