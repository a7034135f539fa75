import { useQuery } from '@tanstack/preact-query';
import { read } from '../../../api/api.js';
import type { Schemas } from '../../../api/client.js';
import { t } from '../../../i18n/messages.js';
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/field.js';
import { fieldError } from '../../../ui/form.js';

/** As it is typed: one entry a line. */
export type Draft = Pick<Schemas['SourceSetView'], 'name' | 'source_connection_id' | 'allow_parallel'> & {
  source_directories: string;
  exclude_patterns: string;
};

/** Only the end of a line is trimmed off: a name may begin with a space. */
export const linesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '');

export const bodyOf = <D extends Partial<Draft>>({ source_directories, exclude_patterns, ...rest }: D) => ({
  ...rest,
  ...(source_directories !== undefined && { source_directories: linesOf(source_directories) }),
  ...(exclude_patterns !== undefined && { exclude_patterns: linesOf(exclude_patterns) }),
});

interface FieldsProps {
  draft: Draft;
  onDraft: (part: Partial<Draft>) => void;
  error: unknown;
  disabled?: boolean;
}

export function SourceFields({ draft, onDraft, error, disabled = false }: FieldsProps) {
  const { data } = useQuery(read('/api/ssh-keys/connections'));
  const lines = (name: 'source_directories' | 'exclude_patterns') => (
    <TextArea
      label={t.sources.fields[name]}
      hint={t.sources.hints[name]}
      error={fieldError(error, name)}
      code
      dir="ltr"
      disabled={disabled}
      required={name === 'source_directories'}
      autoCapitalize="none"
      spellcheck={false}
      value={draft[name]}
      onValue={(text) => onDraft({ [name]: text })}
    />
  );
  return (
    <>
      <TextField
        label={t.sources.fields.name}
        error={fieldError(error, 'name')}
        required
        disabled={disabled}
        value={draft.name}
        onValue={(name) => onDraft({ name })}
      />
      <SelectField
        label={t.sources.fields.source_connection_id}
        error={fieldError(error, 'source_connection_id')}
        disabled={disabled}
        value={String(draft.source_connection_id ?? '')}
        onValue={(id) => onDraft({ source_connection_id: id === '' ? null : Number(id) })}
        options={[
          ['', t.sources.thisMachine],
          ...(data?.connections ?? []).map(
            ({ id, username, host }) => [String(id), `${username}@${host}`] as const,
          ),
        ]}
      />
      {lines('source_directories')}
      {lines('exclude_patterns')}
      <CheckField
        label={t.sources.fields.allow_parallel}
        hint={t.sources.hints.allow_parallel}
        disabled={disabled}
        checked={draft.allow_parallel}
        onChecked={(allow_parallel) => onDraft({ allow_parallel })}
      />
    </>
  );
}
