import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ownZone } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { Conflicts } from '../../ui/conflicts.js';
import { Dialog } from '../../ui/dialog.js';
import { RadioGroup, SelectField, TextField } from '../../ui/field.js';
import { errorAt } from '../../ui/field-errors.js';
import { Stack } from '../../ui/layout.js';
import { SaveBar } from '../../ui/save-bar.js';
import type { Edit } from '../../ui/use-edit.js';

interface PlanDialogProps {
  title: string;
  edit: Edit<{ cron_expression: string; timezone: string }>;
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
export function PlanDialog({ title, edit, presets, rhythms, fields, onClose, children }: PlanDialogProps) {
  const { cron_expression: cron, timezone } = edit.draft;
  const { checks } = t.maintenance;
  const expressions = { ...presets, never: '' };
  const names = ['weekly', 'monthly', 'never'] as const;
  const usual = names.find((name) => expressions[name] === cron);
  const [isCustom, setCustom] = useState(usual === undefined);
  const rhythm = isCustom || usual === undefined ? 'custom' : usual;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (!(await edit.save())) return;
          announce(t.common.saved);
          onClose();
        }}
      >
        <Stack>
          <RadioGroup<keyof typeof expressions | 'custom'>
            legend={checks.how}
            value={rhythm}
            onValue={(chosen) => {
              setCustom(chosen === 'custom');
              if (chosen !== 'custom') edit.set('cron_expression', expressions[chosen]);
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
              value={cron}
              onValue={(value) => edit.set('cron_expression', value)}
              error={errorAt(edit.error, 'cron_expression')}
              exact
            />
          )}
          {cron !== '' && (
            <SelectField
              label={fields.timezone}
              value={timezone}
              onValue={(value) => edit.set('timezone', value)}
              options={[...new Set([timezone, ownZone, 'UTC'])].map((zone) => [zone, zone] as const)}
            />
          )}
          {children}
          <Conflicts
            conflicts={edit.conflicts}
            draft={edit.draft}
            label={(field) => fields[field] ?? field}
            onTake={(field, value) => edit.set(field as 'timezone', value as string)}
          />
          <SaveBar edit={edit} onDiscard={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
