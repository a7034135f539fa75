import { useState } from 'preact/hooks';
import { api, readTagged } from '../../../api/api.js';
import { answer, ifMatch, type Schemas } from '../../../api/client.js';
import { outdate, readNow } from '../../../api/query-client.js';
import { ownZone } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { Conflicts } from '../../../ui/conflicts.js';
import { Dialog } from '../../../ui/dialog.js';
import { RadioGroup, SelectField, TextField } from '../../../ui/field.js';
import { errorAt } from '../../../ui/field-errors.js';
import { Stack } from '../../../ui/layout.js';
import { SaveBar } from '../../../ui/save-bar.js';
import { useEdit } from '../../../ui/use-edit.js';
import type { Depth } from '../check-dialog.js';

type Plan = {
  cron_expression: string;
  timezone: string;
  max_duration: number;
  verify_data: boolean;
};
type Tagged = { data: Schemas['MaintenanceGetCheckScheduleAnswer']; etag: string | undefined };

export const planQuery = (id: number) =>
  readTagged('/api/repositories/{repo_id}/check-schedule', { path: { repo_id: id } });

const presets = { never: '', weekly: '0 4 * * 0', monthly: '0 4 1 * *' } as const;
type Rhythm = keyof typeof presets | 'custom';

const planOf = ({ data, etag }: Tagged) => ({
  values: {
    cron_expression: data.check_cron_expression ?? '',
    // A first plan is meant in the time of the person.
    timezone: data.enabled ? data.timezone : ownZone,
    max_duration: data.check_max_duration,
    verify_data: data.check_verify_data,
  } satisfies Plan,
  etag,
});

/** When the repository is checked by itself, and how thoroughly. */
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
  const { cron_expression: cron, timezone, max_duration, verify_data } = edit.draft;
  const [isCustom, setCustom] = useState(rhythmOf(cron) === 'custom');
  const rhythm: Rhythm = isCustom ? 'custom' : rhythmOf(cron);
  const depth: Depth = max_duration > 0 ? 'quick' : verify_data ? 'data' : 'full';
  const { checks } = t.maintenance;
  return (
    <Dialog title={checks.plan} onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (!(await edit.save())) return;
          announce(t.common.saved);
          onClose();
        }}
      >
        <Stack>
          <RadioGroup<Rhythm>
            legend={checks.how}
            value={rhythm}
            onValue={(chosen) => {
              setCustom(chosen === 'custom');
              if (chosen !== 'custom') edit.set('cron_expression', presets[chosen]);
            }}
            options={(['weekly', 'monthly', 'custom', 'never'] as const).map((value) => ({
              value,
              label: checks.rhythms[value],
            }))}
          />
          {rhythm === 'custom' && (
            <TextField
              label={checks.cron}
              hint={checks.cronHint}
              required
              value={cron}
              onValue={(value) => edit.set('cron_expression', value)}
              error={errorAt(edit.error, 'cron_expression')}
              autoComplete="off"
              spellcheck={false}
            />
          )}
          {cron !== '' && (
            <>
              <SelectField
                label={checks.zone}
                value={timezone}
                onValue={(value) => edit.set('timezone', value)}
                options={[...new Set([timezone, ownZone, 'UTC'])].map((zone) => [zone, zone] as const)}
              />
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
            </>
          )}
          <Conflicts
            conflicts={edit.conflicts}
            draft={edit.draft}
            label={(field) => checks.fields[field as keyof Plan]}
            onTake={(field, value) => edit.set(field as keyof Plan, value as never)}
          />
          <SaveBar edit={edit} onDiscard={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

const rhythmOf = (cron: string): Rhythm =>
  (Object.keys(presets) as (keyof typeof presets)[]).find((name) => presets[name] === cron) ?? 'custom';
