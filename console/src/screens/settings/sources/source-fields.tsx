import type { Schemas } from '../../../api/client.js';
import { t } from '../../../i18n/messages.js';
import { CheckField, TextArea, TextField } from '../../../ui/field.js';
import { errorAt } from '../../../ui/field-errors.js';
import { FoldersField } from '../../../ui/folders-field.js';
import { HostField } from '../../../ui/host-field.js';

/** Patterns as they are typed: one a line. */
export type Draft = Pick<
  Schemas['SourceSetView'],
  'name' | 'source_directories' | 'source_connection_id' | 'allow_parallel'
> & { exclude_patterns: string };

interface FieldsProps {
  draft: Draft;
  onDraft: (part: Partial<Draft>) => void;
  error: unknown;
}

export function SourceFields({ draft, onDraft, error }: FieldsProps) {
  return (
    <>
      <TextField
        label={t.sources.fields.name}
        error={errorAt(error, 'name')}
        required
        value={draft.name}
        onValue={(name) => onDraft({ name })}
      />
      <HostField
        label={t.sources.fields.source_connection_id}
        here={t.sources.thisMachine}
        error={errorAt(error, 'source_connection_id')}
        value={draft.source_connection_id}
        onValue={(source_connection_id) => onDraft({ source_connection_id })}
      />
      <FoldersField
        legend={t.sources.fields.source_directories}
        value={draft.source_directories}
        onValue={(source_directories) => onDraft({ source_directories })}
        connectionId={draft.source_connection_id}
        error={errorAt(error, 'source_directories')}
      />
      <TextArea
        label={t.sources.fields.exclude_patterns}
        hint={t.sources.hints.exclude_patterns}
        error={errorAt(error, 'exclude_patterns')}
        code
        dir="ltr"
        autoCapitalize="none"
        spellcheck={false}
        value={draft.exclude_patterns}
        onValue={(exclude_patterns) => onDraft({ exclude_patterns })}
      />
      <CheckField
        label={t.sources.fields.allow_parallel}
        hint={t.sources.hints.allow_parallel}
        checked={draft.allow_parallel}
        onChecked={(allow_parallel) => onDraft({ allow_parallel })}
      />
    </>
  );
}
