import { api, outdate, readNow, readTagged, type Schemas } from '../../../api/api.js';
import { answer, ifMatch } from '../../../api/client.js';
import { ownZone } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { TextArea, TextField } from '../../../ui/field.js';
import { errorAt } from '../../../ui/field-errors.js';
import { useEdit } from '../../../ui/use-edit.js';
import { PlanDialog } from '../plan-dialog.js';

/** As the fields have it. */
type Plan = { cron_expression: string; timezone: string; files: string; gigabytes: string; paths: string };
type Tagged = { data: Schemas['DrillsGetScheduleAnswer']; etag: string | undefined };

export const planQuery = (id: number) =>
  readTagged('/api/repositories/{repo_id}/drill-schedule', { path: { repo_id: id } });

const presets = { weekly: '0 5 * * 1', monthly: '0 5 1 * *' };
const gigabyte = 1e9;

const planOf = ({ data, etag }: Tagged) => ({
  values: {
    cron_expression: data.cron_expression ?? '',
    // The first plan uses the time zone of the user.
    timezone: data.enabled ? data.timezone : ownZone,
    files: `${data.sample_files}`,
    gigabytes: `${Math.round(data.sample_bytes / 1e7) / 100}`,
    paths: data.fixed_paths.join('\n'),
  } satisfies Plan,
  etag,
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
export function DrillPlan({ id, tagged, onClose }: { id: number; tagged: Tagged; onClose: () => void }) {
  const edit = useEdit<Plan>({
    loaded: planOf(tagged),
    reload: async () => planOf(await readNow(planQuery(id))),
    save: async (changes, etag) => {
      const params = { path: { repo_id: id }, header: ifMatch(etag) };
      const body = changesOf(changes, edit.draft);
      await answer(api.PUT('/api/repositories/{repo_id}/drill-schedule', { params, body }));
      outdate('/api/repositories/{repo_id}/drill-schedule');
    },
  });
  const { plan, rhythms, fields } = t.drills;
  return (
    <PlanDialog {...{ title: plan, edit, presets, rhythms, fields, onClose }}>
      <TextField
        label={fields.files}
        inputMode="numeric"
        required
        value={edit.draft.files}
        onValue={(value) => edit.set('files', value)}
        error={errorAt(edit.error, 'sample_files')}
      />
      <TextField
        label={fields.gigabytes}
        inputMode="decimal"
        required
        value={edit.draft.gigabytes}
        onValue={(value) => edit.set('gigabytes', value)}
        error={errorAt(edit.error, 'sample_bytes')}
      />
      <TextArea
        label={fields.paths}
        hint={t.drills.pathsHint}
        code
        rows={3}
        value={edit.draft.paths}
        onValue={(value) => edit.set('paths', value)}
        error={errorAt(edit.error, 'fixed_paths')}
      />
    </PlanDialog>
  );
}
