import type { Schemas } from '../../../api/client.js';
import { t } from '../../../i18n/messages.js';
import { CheckField } from '../../../ui/field.js';
import { List, ListItem } from '../../../ui/list.js';
import { Sentence } from '../../../ui/sentence.js';

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
        <List label={t.exchange.becomes}>
          {shown.map(({ section, key, name, action, fields, reason, reason_code, reason_params }) => (
            <ListItem
              key={`${section} ${key} ${action}`}
              title={
                <>
                  {t.exchange.sections[section] ?? section}: <bdi>{name}</bdi>
                </>
              }
              note={
                reason ? (
                  <Sentence code={reason_code} params={reason_params} text={reason} />
                ) : (
                  fields.join(', ')
                )
              }
            >
              {t.exchange.actions[action]}
            </ListItem>
          ))}
        </List>
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
