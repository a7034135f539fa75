import { Link, useLocation } from 'wouter-preact';
import { t } from '../../i18n/messages.js';
import { Menu } from '../../ui/menu.js';
import styles from './browse.module.css';
import type { Place } from './folder.js';
import { browseAddress, crumbsOf } from './paths.rules.js';

/** Links to the parent folders, and actions for this one. */
export function Breadcrumbs({ place: { repositoryId, archive, path } }: { place: Place }) {
  const [, navigate] = useLocation();
  const crumbs = crumbsOf(path);
  return (
    <div class={styles.crumbs}>
      <nav aria-label={t.browse.where}>
        <ol>
          <li>
            <Link href={browseAddress(repositoryId, archive)} aria-current={path === '' ? 'page' : undefined}>
              {t.browse.top}
            </Link>
          </li>
          {crumbs.map(([name, folder]) => (
            <li key={folder}>
              <span aria-hidden="true">/</span>
              <Link
                href={browseAddress(repositoryId, archive, folder)}
                aria-current={folder === path ? 'page' : undefined}
              >
                <bdi>{name}</bdi>
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      {path !== '' && (
        <Menu
          label={t.browse.aboutFolder}
          items={[
            {
              label: t.browse.historyOfFolder,
              onSelect: () =>
                navigate(`/repositories/${repositoryId}/history?${new URLSearchParams({ path })}`),
            },
          ]}
        />
      )}
    </div>
  );
}
