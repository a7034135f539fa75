import { useState } from 'preact/hooks';
import { t } from '../../i18n/messages.js';
import { CheckField, RadioGroup, TextArea, TextField } from '../../ui/field.js';
import { errorAt } from '../../ui/field-errors.js';
import { Section } from '../../ui/layout.js';
import { More } from '../../ui/more.js';
import { cronOf, timingOf } from './plan.rules.js';
import { RepositoryOrder } from './repository-order.js';
import { RetentionFields } from './retention-fields.js';
import { type FieldsProps, keepOf } from './schedule-values.js';
import { ScriptFields } from './script-fields.js';
import { Preview, Simulator } from './simulator.js';
import { TimingFields } from './timing-fields.js';
import { useRepositoryNames } from './use-repository-names.js';

export function ScheduleFields({ values, onValues, scheduleId, error }: FieldsProps) {
  const nameOf = useRepositoryNames();
  // An expression alone does not say whether the person chose it as text.
  const [typed, setTyped] = useState(() => timingOf(values.cron_expression));
  const timing = cronOf(typed) === values.cron_expression ? typed : timingOf(values.cron_expression);
  const rules = keepOf(values);
  return (
    <>
      <Section title={t.schedules.what} card>
        <TextField
          label={t.schedules.fields.name}
          required
          maxLength={255}
          value={values.name}
          onValue={(name) => onValues({ name })}
          error={errorAt(error, 'name')}
        />
        <RepositoryOrder
          value={values.repository_ids}
          onValue={(repository_ids) => onValues({ repository_ids })}
          error={errorAt(error, 'repository_ids')}
        />
      </Section>
      <Section title={t.schedules.when} card>
        <TimingFields
          timing={timing}
          onTiming={(next) => {
            setTyped(next);
            onValues({ cron_expression: cronOf(next) });
          }}
          zone={values.timezone}
          onZone={(timezone) => onValues({ timezone })}
        />
        {timing.every !== 'hand' && (
          <RadioGroup
            legend={t.schedules.fields.catch_up}
            value={values.catch_up}
            onValue={(catch_up) => onValues({ catch_up })}
            options={[
              { value: 'one', label: t.schedules.catchUps.one },
              { value: 'none', label: t.schedules.catchUps.none },
            ]}
          />
        )}
      </Section>
      <Section title={t.schedules.howLong} card>
        <RetentionFields
          prunes={values.run_prune_after}
          rules={rules}
          onRetention={(run_prune_after, next) => onValues({ run_prune_after, ...next })}
        >
          <Simulator
            cron={values.cron_expression ?? ''}
            zone={values.timezone}
            prunes={values.run_prune_after}
            rules={rules}
          />
          {values.run_prune_after && (
            <Preview
              repositories={values.repository_ids.map((id) => ({ id, name: nameOf(id) }))}
              scheduleId={scheduleId}
              zone={values.timezone}
              rules={rules}
            />
          )}
        </RetentionFields>
        <CheckField
          label={t.schedules.fields.run_compact_after}
          hint={t.schedules.compactHint}
          checked={values.run_compact_after}
          onChecked={(run_compact_after) => onValues({ run_compact_after })}
        />
      </Section>
      <Section title={t.schedules.more} card>
        <More
          label={t.schedules.scripts}
          open={values.pre_backup_script_id !== null || values.post_backup_script_id !== null || undefined}
        >
          <ScriptFields values={values} onValues={onValues} error={error} />
        </More>
        <TextArea
          label={t.schedules.fields.description}
          rows={2}
          maxLength={2000}
          value={values.description ?? ''}
          onValue={(text) => onValues({ description: text || null })}
          error={errorAt(error, 'description')}
        />
      </Section>
    </>
  );
}
