import type { Schemas } from '../../../api/client.js';
import { t } from '../../../i18n/messages.js';
import { DataList } from '../../../ui/data-list.js';
import { CheckField } from '../../../ui/field.js';
import { reasonOf } from '../../../ui/sentence.js';

type Imported = Schemas['ImportedObject'];

export const sumOf = ({
  dry_run,
  counts,
}: Pick<Schemas['SettingsImported' | 'BorgmaticImported'], 'dry_run' | 'counts'>): string =>
  dry_run ? t.exchange.planned(counts) : t.exchange.done(counts);

/** Objects to create, to update, or skipped. Unchanged ones are only counted. */
export function ImportedObjects({ objects }: { objects: readonly Imported[] }) {
  const shown = objects.filter(({ action }) => action !== 'unchanged');
  const rest = objects.length - shown.length;
  return (
    <>
      {shown.length > 0 && (
        <DataList
          label={t.exchange.becomes}
          rows={shown}
          keyOf={({ section, key, action }) => `${section} ${key} ${action}`}
          columns={(of) => [
            of.name(({ name }) => name),
            of.text('kind', t.activity.kind, ({ section }) => t.exchange.sections[section] ?? section),
            of.text('action', t.common.actions, ({ action }) => t.exchange.actions[action]),
            of.text('fields', t.common.details, ({ reason, fields }) => (reason ? '' : fields.join(', '))),
          ]}
          below={reasonOf}
        />
      )}
      {rest > 0 && <p class="muted small">{t.exchange.unchanged(rest)}</p>}
    </>
  );
}

/** Whether it needs confirmation: other folders would replace the current sources. */
export const asksToReplace = ({ objects }: { objects: readonly Imported[] }): boolean =>
  objects.some(({ reason_code }) => reason_code === 'import_replaces_sources');

interface ReplacesProps {
  /** Null: not asked. */
  value: boolean | null;
  onValue: (value: boolean) => void;
}

export const ReplacesField = ({ value, onValue }: ReplacesProps) =>
  value !== null && <CheckField label={t.exchange.replaceSources} checked={value} onChecked={onValue} />;
