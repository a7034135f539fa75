import { outdate, readTagged, type Schemas, write } from '../../../api/api.js';
import { ownZone } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { useEditing } from '../../../ui/editing.js';
import { RadioGroup } from '../../../ui/field.js';
import type { Depth } from '../check-dialog.js';
import { PlanDialog, type PlanProps } from '../plan-dialog.js';

type Plan = { cron_expression: string; timezone: string; max_duration: number; verify_data: boolean };
type Data = Schemas['MaintenanceGetCheckScheduleAnswer'];

export const planQuery = (id: number) =>
  readTagged('/api/repositories/{repo_id}/check-schedule', { path: { repo_id: id } });

const presets = { weekly: '0 4 * * 0', monthly: '0 4 1 * *' };

const planOf = (data: Data): Plan => ({
  cron_expression: data.check_cron_expression ?? '',
  // The first plan uses the time zone of the user.
  timezone: data.enabled ? data.timezone : ownZone,
  max_duration: data.check_max_duration,
  verify_data: data.check_verify_data,
});

/** Schedules checks of the repository and their depth. */
export function CheckPlan({ id, tagged, onClose }: PlanProps<Data>) {
  const editing = useEditing<Data, Plan>({
    tagged,
    draftOf: planOf,
    query: planQuery(id),
    save: async (changes, etag) => {
      // The zone belongs to the expression: one is not changed without the other.
      const { cron_expression, timezone } = editing.draft;
      const body = { ...changes, cron_expression, timezone };
      await write('PUT', '/api/repositories/{repo_id}/check-schedule', { path: { repo_id: id }, etag, body });
      outdate('/api/repositories', '/api/overview');
    },
  });
  const { cron_expression, max_duration, verify_data } = editing.draft;
  const depth: Depth = max_duration > 0 ? 'quick' : verify_data ? 'data' : 'full';
  const { plan, rhythms, fields } = t.maintenance.checks;
  return (
    <PlanDialog {...{ title: plan, editing, presets, rhythms, fields, onClose }}>
      {cron_expression !== '' && (
        <RadioGroup<Depth>
          legend={t.repository.check.question}
          value={depth}
          onValue={(chosen) => {
            editing.set('max_duration', chosen === 'quick' ? 3600 : 0);
            editing.set('verify_data', chosen === 'data');
          }}
          options={(['quick', 'full', 'data'] as const).map((value) => ({
            value,
            label: t.repository.check.names[value],
            hint: t.repository.check.hints[value],
          }))}
        />
      )}
    </PlanDialog>
  );
}
