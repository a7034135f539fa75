import { useQuery } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { outdate, outdateRemoved, readTagged, type Schemas, write } from '../../../api/api.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import type { ScreenProps } from '../../../shell/router.js';
import { announce } from '../../../ui/announce.js';
import { ConfirmButton } from '../../../ui/dialog.js';
import { EditForm, type Tagged, useEditing } from '../../../ui/editing.js';
import { Facts, Section } from '../../../ui/layout.js';
import { linesOf } from '../../../ui/lines.js';
import { QueryView } from '../../../ui/query-view.js';
import { SourceNames } from '../../../ui/source-names.js';
import { UsedBy } from '../used-by.js';
import { type Draft, SourceFields } from './source-fields.js';

type Set = Schemas['SourceSetView'];
type Answer = Schemas['SourceSetsGetAnswer'];

export default function SourceSetScreen({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  const isAdmin = useIsAdmin();
  const query = useQuery(setQuery(id));
  const set = query.data?.data.source_set;
  return (
    <Page
      title={set?.name ?? t.frame.page.sourceSets}
      up={[t.frame.page.sourceSets, '/settings/source-sets']}
      actions={isAdmin && set && <Remove set={set} etag={query.data?.etag} />}
      narrow
    >
      <QueryView query={query} gone={t.settings.gone} lines={6}>
        {(tagged) => (
          <>
            <Section title={t.common.edit} quiet card>
              {isAdmin ? <Edit tagged={tagged} /> : <Shown set={tagged.data.source_set} />}
            </Section>
            <UsedBy
              uses={tagged.data.source_set.repositories.map(({ id, name }) => ({
                href: `/repositories/${id}`,
                name,
              }))}
              none={t.sources.howToUse}
            />
          </>
        )}
      </QueryView>
    </Page>
  );
}

const setQuery = (id: number) =>
  readTagged('/api/source-sets/{source_set_id}', { path: { source_set_id: id } });

const draftOf = ({ source_set: set }: Pick<Answer, 'source_set'>): Draft => ({
  name: set.name,
  source_directories: set.source_directories,
  exclude_patterns: set.exclude_patterns.join('\n'),
  sources: set.sources,
  source_connection_id: set.source_connection_id,
  allow_parallel: set.allow_parallel,
});

const Shown = ({ set }: { set: Set }) => (
  <Facts
    facts={[
      [t.sources.fields.source_directories, <Lines key="folders" lines={set.source_directories} />],
      set.sources.length === 0
        ? null
        : [t.sources.fields.sources, <SourceNames key="sources" sources={set.sources} />],
      [t.sources.fields.exclude_patterns, <Lines key="excludes" lines={set.exclude_patterns} />],
    ]}
  />
);

const Lines = ({ lines }: { lines: readonly string[] }) =>
  lines.length === 0 ? t.common.none : lines.map((line) => <div key={line}>{line}</div>);

function Edit({ tagged }: { tagged: Tagged<Answer> }) {
  const { id, repositories } = tagged.data.source_set;
  const editing = useEditing({
    tagged,
    draftOf,
    query: setQuery(id),
    save: async ({ exclude_patterns, ...rest }, etag) => {
      const excludes = exclude_patterns !== undefined && { exclude_patterns: linesOf(exclude_patterns) };
      const body = { ...rest, ...excludes };
      await write('PUT', '/api/source-sets/{source_set_id}', { path: { source_set_id: id }, etag, body });
      outdate('/api/source-sets', '/api/repositories');
    },
  });
  const { draft, change } = editing;
  return (
    <EditForm editing={editing} labels={t.sources.fields}>
      <SourceFields draft={draft} onDraft={change} error={editing.error} repositoryId={repositories[0]?.id} />
      <p class="muted small">{t.sources.changesAll}</p>
    </EditForm>
  );
}

function Remove({ set, etag }: { set: Set; etag: string | undefined }) {
  const [, navigate] = useLocation();
  return (
    <ConfirmButton
      title={t.common.deleteTitle(set.name)}
      action={t.sources.remove}
      danger
      onConfirm={async () => {
        await write('DELETE', '/api/source-sets/{source_set_id}', { path: { source_set_id: set.id }, etag });
        announce(t.common.deleted(set.name));
        outdateRemoved('/api/source-sets/{source_set_id}', '/api/source-sets');
        navigate('/settings/source-sets');
      }}
    >
      <p>{t.sources.removeMeans}</p>
    </ConfirmButton>
  );
}
