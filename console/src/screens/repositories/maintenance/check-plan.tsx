import { api, outdate, readNow, readTagged, type Schemas } from '../../../api/api.js';
import { answer, ifMatch } from '../../../api/client.js';
import { ownZone } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { RadioGroup } from '../../../ui/field.js';
import { useEdit } from '../../../ui/use-edit.js';
import type { Depth } from '../check-dialog.js';
import { PlanDialog } from '../plan-dialog.js';

type Plan = {
  cron_expression: string;
  timezone: string;
  max_duration: number;
  verify_data: boolean;
};
type Tagged = { data: Schemas['MaintenanceGetCheckScheduleAnswer']; etag: string | undefined };

export const planQuery = (id: number) =>
  readTagged('/api/repositories/{repo_id}/check-schedule', { path: { repo_id: id } });

const presets = { weekly: '0 4 * * 0', monthly: '0 4 1 * *' };

const planOf = ({ data, etag }: Tagged) => ({
  values: {
    cron_expression: data.check_cron_expression ?? '',
    // The first plan uses the time zone of the user.
    timezone: data.enabled ? data.timezone : ownZone,
    max_duration: data.check_max_duration,
    verify_data: data.check_verify_data,
  } satisfies Plan,
  etag,
});

/** Schedules checks of the repository and their depth. */
export function CheckPlan({ id, tagged, onClose }: { id: number; tagged: Tagged; onClose: () => void }) {
  const edit = useEdit<Plan>({
    loaded: planOf(tagged),
    reload: async () => planOf(await readNow(planQuery(id))),
    save: async (changes, etag) => {
      const params = { path: { repo_id: id }, header: ifMatch(etag) };
      // The zone belongs to the expression: one is not changed without the other.
      const body = { ...changes, cron_expression: edit.draft.cron_expression, timezone: edit.draft.timezone };
      await answer(api.PUT('/api/repositories/{repo_id}/check-schedule', { params, body }));
      outdate('/api/repositories', '/api/overview');
    },
  });
  const { cron_expression, max_duration, verify_data } = edit.draft;
  const depth: Depth = max_duration > 0 ? 'quick' : verify_data ? 'data' : 'full';
  const { plan, rhythms, fields } = t.maintenance.checks;
  return (
    <PlanDialog {...{ title: plan, edit, presets, rhythms, fields, onClose }}>
      {cron_expression !== '' && (
        <RadioGroup<Depth>
          legend={t.repository.check.question}
          value={depth}
          onValue={(chosen) => {
            edit.set('max_duration', chosen === 'quick' ? 3600 : 0);
            edit.set('verify_data', chosen === 'data');
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
