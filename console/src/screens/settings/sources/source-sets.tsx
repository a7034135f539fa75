import { useQuery } from '@tanstack/preact-query';
import { read } from '../../../api/api.js';
import { user as signedIn } from '../../../hub/link.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import { useStore } from '../../../store.js';
import { ButtonLink } from '../../../ui/button.js';
import { Empty } from '../../../ui/layout.js';
import { List, ListItem } from '../../../ui/list.js';
import { QueryView } from '../../../ui/query-view.js';

export default function SourceSets() {
  const isAdmin = useStore(signedIn)?.is_admin ?? false;
  const query = useQuery(read('/api/source-sets'));
  const add = (
    <ButtonLink look="primary" href="/settings/source-sets/new">
      {t.sources.add}
    </ButtonLink>
  );
  return (
    <Page
      title={t.settings.pages.sourceSets}
      up={[t.settings.title, '/settings']}
      lead={t.settings.for.sourceSets}
      actions={isAdmin && (query.data?.source_sets.length ?? 0) > 0 && add}
    >
      <QueryView query={query}>
        {({ source_sets: sets }) =>
          sets.length === 0 ? (
            <Empty action={isAdmin && add}>{t.sources.empty}</Empty>
          ) : (
            <List label={t.settings.pages.sourceSets}>
              {sets.map((set) => (
                <ListItem
                  key={set.id}
                  href={`/settings/source-sets/${set.id}`}
                  title={<bdi>{set.name}</bdi>}
                  note={<bdi>{set.source_directories.join(', ')}</bdi>}
                >
                  <span class="muted small">{t.sources.uses(set.repositories.length)}</span>
                </ListItem>
              ))}
            </List>
          )
        }
      </QueryView>
    </Page>
  );
}
