import { outdate, readTagged, type Schemas, write } from '../../../api/api.js';
import { ownZone } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { useEditing } from '../../../ui/editing.js';
import { errorAt, TextArea, TextField } from '../../../ui/field.js';
import { PlanDialog, type PlanProps } from '../plan-dialog.js';

/** As the fields have it. */
type Plan = { cron_expression: string; timezone: string; files: string; gigabytes: string; paths: string };
type Data = Schemas['DrillsGetScheduleAnswer'];

export const planQuery = (id: number) =>
  readTagged('/api/repositories/{repo_id}/drill-schedule', { path: { repo_id: id } });

const presets = { weekly: '0 5 * * 1', monthly: '0 5 1 * *' };
const gigabyte = 1e9;

const planOf = (data: Data): Plan => ({
  cron_expression: data.cron_expression ?? '',
  // The first plan uses the time zone of the user.
  timezone: data.enabled ? data.timezone : ownZone,
  files: `${data.sample_files}`,
  gigabytes: `${Math.round(data.sample_bytes / 1e7) / 100}`,
  paths: data.fixed_paths.join('\n'),
});

/** Only what was changed: the sizes of the form are rounded. The zone belongs to the expression. */
const changesOf = (changes: Partial<Plan>, { cron_expression, timezone }: Plan) => ({
  cron_expression,
  timezone,
  ...(changes.files !== undefined && { sample_files: Number(changes.files) }),
  ...(changes.gigabytes !== undefined && {
    sample_bytes: Math.round(Number(changes.gigabytes.replace(',', '.')) * gigabyte),
  }),
  ...(changes.paths !== undefined && {
    fixed_paths: changes.paths.split('\n').filter((path) => path.trim() !== ''),
  }),
});

/** Schedules drills, and how much of the archive each one restores. */
export function DrillPlan({ id, tagged, onClose }: PlanProps<Data>) {
  const editing = useEditing<Data, Plan>({
    tagged,
    draftOf: planOf,
    query: planQuery(id),
    save: async (changes, etag) => {
      const body = changesOf(changes, editing.draft);
      await write('PUT', '/api/repositories/{repo_id}/drill-schedule', { path: { repo_id: id }, etag, body });
      outdate('/api/repositories/{repo_id}/drill-schedule');
    },
  });
  const { plan, rhythms, fields } = t.drills;
  return (
    <PlanDialog {...{ title: plan, editing, presets, rhythms, fields, onClose }}>
      <TextField
        label={fields.files}
        inputMode="numeric"
        required
        {...editing.field.value('files')}
        error={errorAt(editing.error, 'sample_files')}
      />
      <TextField
        label={fields.gigabytes}
        inputMode="decimal"
        required
        {...editing.field.value('gigabytes')}
        error={errorAt(editing.error, 'sample_bytes')}
      />
      <TextArea
        label={fields.paths}
        hint={t.drills.pathsHint}
        code
        rows={3}
        {...editing.field.value('paths')}
        error={errorAt(editing.error, 'fixed_paths')}
      />
    </PlanDialog>
  );
}
