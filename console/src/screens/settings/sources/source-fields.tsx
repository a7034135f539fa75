import type { Schemas } from '../../../api/client.js';
import { t } from '../../../i18n/messages.js';
import { fieldsOf } from '../../../ui/draft.js';
import { CheckField, TextArea, TextField } from '../../../ui/field.js';
import { FoldersField } from '../../../ui/folders-field.js';
import { HostField } from '../../../ui/host-field.js';
import { linesOf, withLines } from '../../../ui/lines.js';
import { Preflight } from '../../../ui/preflight.js';
import { SourcesField } from '../../../ui/sources-field.js';

/** Patterns as they are typed: one a line. */
export type Draft = Pick<
  Schemas['SourceSetView'],
  'name' | 'source_directories' | 'sources' | 'source_connection_id' | 'allow_parallel'
> & { exclude_patterns: string };

interface FieldsProps {
  draft: Draft;
  onDraft: (part: Partial<Draft>) => void;
  error: unknown;
  /** One that uses the set. */
  repositoryId?: number | undefined;
}

export function SourceFields({ draft, onDraft, error, repositoryId }: FieldsProps) {
  const field = fieldsOf(draft, onDraft, error);
  const excludes = linesOf(draft.exclude_patterns);
  return (
    <>
      <TextField label={t.sources.fields.name} required {...field.value('name')} />
      <HostField
        label={t.sources.fields.source_connection_id}
        here={t.home.thisMachine}
        {...field.value('source_connection_id')}
      />
      <FoldersField
        legend={t.sources.fields.source_directories}
        connectionId={draft.source_connection_id}
        {...field.value('source_directories')}
      />
      <TextArea
        label={t.sources.fields.exclude_patterns}
        hint={t.sources.hints.exclude_patterns}
        code
        dir="ltr"
        {...field.value('exclude_patterns')}
      />
      <SourcesField
        connectionId={draft.source_connection_id}
        repositoryId={repositoryId}
        folders={draft.source_directories}
        {...field.value('sources')}
      />
      <Preflight
        onExclude={(patterns) => onDraft({ exclude_patterns: withLines(excludes, patterns).join('\n') })}
        sources={{
          source_directories: draft.source_directories,
          source_connection_id: draft.source_connection_id,
          exclude_patterns: excludes,
        }}
      />
      <CheckField
        label={t.sources.fields.allow_parallel}
        hint={t.sources.hints.allow_parallel}
        {...field.check('allow_parallel')}
      />
    </>
  );
}
