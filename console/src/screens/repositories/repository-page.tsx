import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { read, type Schemas } from '../../api/api.js';
import { useIsAdmin } from '../../hub/is-admin.js';
import { useMay } from '../../hub/may.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { QueryView } from '../../ui/query-view.js';
import { Tabs } from '../../ui/tabs.js';

export type Repository = Schemas['RepositoryView'];
type Part = keyof typeof t.repository.tabs;

export const repositoryQuery = (id: number) => read('/api/repositories/{repo_id}', { path: { repo_id: id } });

/** The parts of a repository. Settings are for administrators. */
function RepositoryTabs({ id }: { id: number }) {
  const isAdmin = useIsAdmin();
  const may = useMay();
  const { overview, archives, maintenance, drills, settings } = t.repository.tabs;
  return (
    <Tabs
      label={t.repository.parts}
      tabs={[
        [overview, `/repositories/${id}`],
        [archives, `/repositories/${id}/archives`],
        [maintenance, `/repositories/${id}/maintenance`],
        ...(may('restore', id) ? [[drills, `/repositories/${id}/drills`] as const] : []),
        ...(isAdmin ? [[settings, `/repositories/${id}/settings`] as const] : []),
      ]}
    />
  );
}

interface RepositoryPageProps {
  id: number;
  part: Part;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: (repository: Repository) => ComponentChildren;
}

/** A part of a repository below its name and its tabs. */
export function RepositoryPage({ id, part, lead, actions, children }: RepositoryPageProps) {
  const query = useQuery(repositoryQuery(id));
  const name = query.data?.repository.name ?? t.repository.numbered(id);
  const title = part === 'overview' ? name : `${name}: ${t.repository.tabs[part]}`;
  return (
    <Page
      title={title}
      heading={
        <>
          <bdi>{name}</bdi>
          {part !== 'overview' && <span class="visually-hidden">: {t.repository.tabs[part]}</span>}
        </>
      }
      up={[t.repository.title, '/repositories']}
      lead={lead}
      actions={actions}
    >
      <RepositoryTabs id={id} />
      <QueryView query={query} lines={4} gone={t.repository.gone}>
        {({ repository }) => children(repository)}
      </QueryView>
    </Page>
  );
}
