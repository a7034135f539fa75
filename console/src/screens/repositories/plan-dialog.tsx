import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ownZone } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Dialog } from '../../ui/dialog.js';
import { EditForm, type Editing, type Tagged } from '../../ui/editing.js';
import { RadioGroup, SelectField, TextField } from '../../ui/field.js';

/** Of a plan of one kind of work. */
export interface PlanProps<D> {
  id: number;
  tagged: Tagged<D>;
  onClose: () => void;
}

interface PlanDialogProps {
  title: string;
  editing: Editing<{ cron_expression: string; timezone: string }>;
  /** Cron expressions to choose from, and their words. */
  presets: { weekly: string; monthly: string };
  rhythms: { weekly: string; monthly: string };
  /** The names of the fields. */
  fields: Record<string, string> & { timezone: string };
  onClose: () => void;
  /** Further fields of the plan. */
  children: ComponentChildren;
}

/** Schedules work of a repository: at a common interval, by a cron expression, or never. */
export function PlanDialog({ title, editing, presets, rhythms, fields, onClose, children }: PlanDialogProps) {
  const { cron_expression: cron, timezone } = editing.draft;
  const { checks } = t.maintenance;
  const expressions = { ...presets, never: '' };
  const names = ['weekly', 'monthly', 'never'] as const;
  const usual = names.find((name) => expressions[name] === cron);
  const [isCustom, setCustom] = useState(usual === undefined);
  const rhythm = isCustom || usual === undefined ? 'custom' : usual;
  return (
    <Dialog title={title} onClose={onClose}>
      <EditForm editing={editing} labels={fields} onClose={onClose}>
        <RadioGroup<keyof typeof expressions | 'custom'>
          legend={checks.how}
          value={rhythm}
          onValue={(chosen) => {
            setCustom(chosen === 'custom');
            if (chosen !== 'custom') editing.set('cron_expression', expressions[chosen]);
          }}
          options={(['weekly', 'monthly', 'custom', 'never'] as const).map((value) => ({
            value,
            label: { ...checks.rhythms, ...rhythms }[value],
          }))}
        />
        {rhythm === 'custom' && (
          <TextField
            label={checks.cron}
            hint={checks.cronHint}
            required
            exact
            {...editing.field.value('cron_expression')}
          />
        )}
        {cron !== '' && (
          <SelectField
            label={fields.timezone}
            {...editing.field.value('timezone')}
            options={[...new Set([timezone, ownZone, 'UTC'])].map((zone) => [zone, zone] as const)}
          />
        )}
        {children}
      </EditForm>
    </Dialog>
  );
}
