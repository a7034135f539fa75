import { useState } from 'preact/hooks';
import { t } from '../../i18n/messages.js';
import { fieldsOf } from '../../ui/draft.js';
import { CheckField, errorAt, RadioGroup, TagsField, TextArea, TextField } from '../../ui/field.js';
import { Section } from '../../ui/layout.js';
import { More } from '../../ui/more.js';
import { ConditionFields } from './condition-fields.js';
import { PauseField } from './pause.js';
import { cronOf, timingOf } from './plan.rules.js';
import { RepositoryOrder } from './repository-order.js';
import { RetentionFields } from './retention-fields.js';
import { type FieldsProps, keepOf } from './schedule-values.js';
import { ScriptFields } from './script-fields.js';
import { Preview, Simulator } from './simulator.js';
import { TimingFields } from './timing-fields.js';
import { useRepositoryNames } from './use-repository-names.js';

/** All fields in the order of decisions: what, when, how long, and more. */
export function ScheduleFields({ values, onValues, scheduleId, error }: FieldsProps) {
  const field = fieldsOf(values, onValues, error);
  return (
    <>
      <Section title={t.schedules.what} card>
        <TextField label={t.schedules.fields.name} required maxLength={255} {...field.value('name')} />
        <RepositoryOrder {...field.value('repository_ids')} />
      </Section>
      <Section title={t.schedules.when} card>
        <WhenFields values={values} onValues={onValues} />
        <PauseField {...field.value('pause_until')} />
        <More
          label={t.schedules.conditions}
          open={values.when !== null || values.retry !== null || undefined}
        >
          <ConditionFields when={field.value('when')} retry={field.value('retry')} />
        </More>
      </Section>
      <Section title={t.schedules.howLong} card>
        <KeepFields values={values} onValues={onValues} scheduleId={scheduleId} />
      </Section>
      <Section title={t.schedules.more} card>
        <More
          label={t.frame.page.scripts}
          open={values.pre_backup_script_id !== null || values.post_backup_script_id !== null || undefined}
        >
          <ScriptFields values={values} onValues={onValues} error={error} />
        </More>
        <TagsField label={t.common.tags} hint={t.common.tagsHint} {...field.value('tags')} />
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

function WhenFields({ values, onValues }: Pick<FieldsProps, 'values' | 'onValues'>) {
  // The expression alone does not show whether the user entered it as text.
  const [typed, setTyped] = useState(() => timingOf(values.cron_expression));
  const timing = cronOf(typed) === values.cron_expression ? typed : timingOf(values.cron_expression);
  return (
    <>
      <TimingFields
        timing={timing}
        onTiming={(next) => {
          setTyped(next);
          onValues({ cron_expression: cronOf(next) });
        }}
        zone={values.timezone}
        onZone={(timezone) => onValues({ timezone })}
      />
      {timing.every !== 'manual' && (
        <RadioGroup
          legend={t.schedules.fields.catch_up}
          options={[
            { value: 'one', label: t.schedules.catchUps.one },
            { value: 'none', label: t.schedules.catchUps.none },
          ]}
          value={values.catch_up}
          onValue={(catch_up) => onValues({ catch_up })}
        />
      )}
    </>
  );
}

function KeepFields({ values, onValues, scheduleId }: Omit<FieldsProps, 'error'>) {
  const nameOf = useRepositoryNames();
  const { run_prune_after: prunes, timezone: zone } = values;
  const rules = keepOf(values);
  return (
    <>
      <RetentionFields
        prunes={prunes}
        rules={rules}
        onRetention={(run_prune_after, next) => onValues({ run_prune_after, ...next })}
      >
        <Simulator cron={values.cron_expression ?? ''} {...{ zone, prunes, rules }} />
        {prunes && (
          <Preview
            repositories={values.repository_ids.map((id) => ({ id, name: nameOf(id) }))}
            {...{ scheduleId, zone, rules }}
          />
        )}
      </RetentionFields>
      <CheckField
        label={t.schedules.fields.run_compact_after}
        hint={t.schedules.compactHint}
        checked={values.run_compact_after}
        onChecked={(run_compact_after) => onValues({ run_compact_after })}
      />
    </>
  );
}
