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

export default function Scripts() {
  const isAdmin = useStore(signedIn)?.is_admin ?? false;
  const query = useQuery(read('/api/scripts'));
  const add = (
    <ButtonLink look="primary" href="/settings/scripts/new">
      {t.scripts.add}
    </ButtonLink>
  );
  return (
    <Page
      title={t.settings.pages.scripts}
      up={[t.settings.title, '/settings']}
      lead={t.settings.for.scripts}
      actions={isAdmin && (query.data?.length ?? 0) > 0 && add}
    >
      <QueryView query={query}>
        {(scripts) =>
          scripts.length === 0 ? (
            <Empty action={isAdmin && add}>{t.scripts.empty}</Empty>
          ) : (
            <List label={t.settings.pages.scripts}>
              {scripts.map((script) => (
                <ListItem
                  key={script.id}
                  href={`/settings/scripts/${script.id}`}
                  title={<bdi>{script.name}</bdi>}
                  note={<bdi>{script.description}</bdi>}
                >
                  <span class="muted small">{t.scripts.uses(script.usage_count)}</span>
                </ListItem>
              ))}
            </List>
          )
        }
      </QueryView>
    </Page>
  );
}
