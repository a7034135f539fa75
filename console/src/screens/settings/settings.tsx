import { useIsAdmin } from '../../hub/is-admin.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { List, ListItem } from '../../ui/list.js';

const pages = [
  { page: 'notifications', href: '/settings/notifications', forAll: true },
  { page: 'incidents', href: '/settings/incidents', forAll: true },
  { page: 'hosts', href: '/settings/hosts', forAll: true },
  { page: 'sourceSets', href: '/settings/source-sets', forAll: true },
  { page: 'scripts', href: '/settings/scripts', forAll: true },
  { page: 'people', href: '/settings/people', forAll: true },
  { page: 'movingIn', href: '/settings/moving-in', forAll: false },
  { page: 'recovery', href: '/settings/recovery', forAll: false },
  { page: 'audit', href: '/settings/audit', forAll: false },
  { page: 'system', href: '/settings/system', forAll: true },
] as const;

export default function Settings() {
  const isAdmin = useIsAdmin();
  return (
    <Page title={t.frame.place.settings} lead={isAdmin ? undefined : t.settings.readOnly}>
      <List label={t.frame.place.settings}>
        {pages
          .filter(({ forAll }) => isAdmin || forAll)
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
