import { useIsAdmin } from '../../hub/is-admin.js';
import { useIsLimited } from '../../hub/may.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { List, ListItem } from '../../ui/list.js';

const pages = [
  { page: 'notifications', href: '/settings/notifications', for: 'unlimited' },
  { page: 'incidents', href: '/settings/incidents', for: 'all' },
  { page: 'hosts', href: '/settings/hosts', for: 'unlimited' },
  { page: 'sourceSets', href: '/settings/source-sets', for: 'unlimited' },
  { page: 'scripts', href: '/settings/scripts', for: 'unlimited' },
  { page: 'people', href: '/settings/people', for: 'all' },
  { page: 'movingIn', href: '/settings/moving-in', for: 'admins' },
  { page: 'recovery', href: '/settings/recovery', for: 'admins' },
  { page: 'audit', href: '/settings/audit', for: 'admins' },
  { page: 'system', href: '/settings/system', for: 'unlimited' },
] as const;

export default function Settings() {
  const isAdmin = useIsAdmin();
  const isLimited = useIsLimited();
  return (
    <Page title={t.frame.place.settings} lead={isAdmin || isLimited ? undefined : t.settings.readOnly}>
      <List label={t.frame.place.settings}>
        {pages
          .filter(({ for: who }) => who === 'all' || isAdmin || (who === 'unlimited' && !isLimited))
          .map(({ page, href }) => (
            <ListItem
              key={page}
              href={href}
              title={page === 'people' && !isAdmin ? t.settings.tokens : t.frame.page[page]}
              note={page === 'people' && !isAdmin ? t.settings.tokensFor : t.settings.for[page]}
            />
          ))}
      </List>
    </Page>
  );
}
