import { useState } from 'preact/hooks';
import { useRead } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import type { Editing } from '../../../ui/editing.js';
import { errorAt, SelectField, TextArea } from '../../../ui/field.js';
import { FoldersField } from '../../../ui/folders-field.js';
import { HostField } from '../../../ui/host-field.js';
import { Section, Stack } from '../../../ui/layout.js';
import { linesOf, withLines } from '../../../ui/lines.js';
import { Preflight } from '../../../ui/preflight.js';
import { SourceNames } from '../../../ui/source-names.js';
import { SourcesField } from '../../../ui/sources-field.js';
import styles from '../repositories.module.css';
import type { Settings } from './settings.rules.js';

interface SourceProps {
  id: number;
  edit: Editing<Settings>;
}

/** Sources of this repository only, or a source set shared by several. */
export function SourceFields({ id, edit }: SourceProps) {
  const { draft, set } = edit;
  const sets = useRead('/api/source-sets').data?.source_sets ?? [];
  const chosen = sets.find((one) => one.id === draft.source_set_id);
  return (
    <Section title={t.repository.sources} card>
      <Stack>
        {sets.length > 0 && (
          <SelectField
            label={t.configuration.fields.source_set_id}
            hint={t.configuration.setHint}
            value={String(draft.source_set_id ?? '')}
            onValue={(value) => set('source_set_id', value === '' ? null : Number(value))}
            options={[['', t.configuration.noSet], ...sets.map((one) => [String(one.id), one.name] as const)]}
          />
        )}
        {draft.source_set_id === null ? (
          <OwnSources id={id} edit={edit} />
        ) : (
          <>
            <ul class={styles.paths}>
              {(chosen ?? draft).source_directories.map((path) => (
                <li key={path}>
                  <bdi>{path}</bdi>
                </li>
              ))}
            </ul>
            <SourceNames sources={(chosen ?? draft).sources} />
          </>
        )}
      </Stack>
    </Section>
  );
}

function OwnSources({ id, edit: { draft, set, field, error } }: SourceProps) {
  const { fields } = t.configuration;
  const kept = draft.exclude_patterns.join('\n');
  const [typed, setTyped] = useState(kept);
  return (
    <>
      <HostField
        label={fields.source_connection_id}
        here={t.repository.thisMachine}
        {...field.value('source_connection_id')}
      />
      <FoldersField
        legend={fields.source_directories}
        connectionId={draft.source_connection_id}
        {...field.value('source_directories')}
      />
      <TextArea
        label={fields.exclude_patterns}
        hint={t.configuration.excludesHint}
        code
        rows={5}
        // Set from outside: another value after a conflict, or reset after discarding.
        value={linesOf(typed).join('\n') === kept ? typed : kept}
        onValue={(value) => {
          setTyped(value);
          set('exclude_patterns', linesOf(value));
        }}
        error={errorAt(error, 'exclude_patterns')}
      />
      <SourcesField
        {...field.value('sources')}
        connectionId={draft.source_connection_id}
        repositoryId={id}
        folders={draft.source_directories}
      />
      <Preflight
        onExclude={(patterns) => set('exclude_patterns', withLines(draft.exclude_patterns, patterns))}
        sources={{
          source_directories: draft.source_directories,
          source_connection_id: draft.source_connection_id,
          exclude_patterns: draft.exclude_patterns,
          custom_flags: draft.custom_flags,
          repository_id: id,
        }}
      />
    </>
  );
}
