import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { read } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { SelectField, TextArea } from '../../../ui/field.js';
import { errorAt } from '../../../ui/field-errors.js';
import { FoldersField } from '../../../ui/folders-field.js';
import { Section, Stack } from '../../../ui/layout.js';
import type { Edit } from '../../../ui/use-edit.js';
import styles from '../repositories.module.css';
import { Preflight } from './preflight.js';
import { linesOf, type Settings } from './settings.rules.js';

/** Own sources, or those of a set that several repositories share. */
export function SourceFields({ id, edit: { draft, set, error } }: { id: number; edit: Edit<Settings> }) {
  const sets = useQuery(read('/api/source-sets'));
  const connections = useQuery(read('/api/ssh-keys/connections'));
  const chosen = sets.data?.source_sets.find(({ id }) => id === draft.source_set_id);
  const { fields } = t.configuration;
  const [excludes, setExcludes] = useState(draft.exclude_patterns.join('\n'));
  // Taken from elsewhere: another value after a conflict, or nothing after discarding.
  const shownExcludes =
    linesOf(excludes).join('\n') === draft.exclude_patterns.join('\n')
      ? excludes
      : draft.exclude_patterns.join('\n');
  return (
    <Section title={t.repository.sources} card>
      <Stack>
        {(sets.data?.source_sets.length ?? 0) > 0 && (
          <SelectField
            label={fields.source_set_id}
            hint={t.configuration.setHint}
            value={String(draft.source_set_id ?? '')}
            onValue={(value) => set('source_set_id', value === '' ? null : Number(value))}
            options={[
              ['', t.configuration.noSet],
              ...(sets.data?.source_sets ?? []).map(({ id, name }) => [String(id), name] as const),
            ]}
          />
        )}
        {draft.source_set_id !== null ? (
          <ul class={styles.paths}>
            {(chosen?.source_directories ?? draft.source_directories).map((path) => (
              <li key={path}>
                <bdi>{path}</bdi>
              </li>
            ))}
          </ul>
        ) : (
          <>
            <SelectField
              label={fields.source_connection_id}
              value={String(draft.source_connection_id ?? '')}
              onValue={(value) => set('source_connection_id', value === '' ? null : Number(value))}
              options={[
                ['', t.repository.thisMachine],
                ...(connections.data?.connections ?? []).map(
                  ({ id, username, host }) => [String(id), `${username}@${host}`] as const,
                ),
              ]}
            />
            <FoldersField
              legend={fields.source_directories}
              value={draft.source_directories}
              onValue={(value) => set('source_directories', value)}
              connectionId={draft.source_connection_id}
              error={errorAt(error, 'source_directories')}
            />
            <TextArea
              label={fields.exclude_patterns}
              hint={t.configuration.excludesHint}
              code
              rows={5}
              spellcheck={false}
              value={shownExcludes}
              onValue={(value) => {
                setExcludes(value);
                set('exclude_patterns', linesOf(value));
              }}
              error={errorAt(error, 'exclude_patterns')}
            />
            <Preflight
              sources={{
                source_directories: draft.source_directories,
                source_connection_id: draft.source_connection_id,
                exclude_patterns: draft.exclude_patterns,
                custom_flags: draft.custom_flags,
                repository_id: id,
              }}
            />
          </>
        )}
      </Stack>
    </Section>
  );
}
