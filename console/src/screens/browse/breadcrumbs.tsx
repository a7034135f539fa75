import { Link } from 'wouter-preact';
import { t } from '../../i18n/messages.js';
import { ButtonLink } from '../../ui/button.js';
import styles from './browse.module.css';
import type { Place } from './folder.js';
import { browseAddress, crumbsOf } from './paths.rules.js';

/** Links to the parent folders, and actions for this one. */
export function Breadcrumbs({ place: { repositoryId, archive, path } }: { place: Place }) {
  return (
    <div class={styles.crumbs}>
      <nav aria-label={t.browse.where}>
        <ol>
          {[[t.browse.top, ''] as const, ...crumbsOf(path)].map(([name, folder]) => (
            <li key={folder}>
              {folder !== '' && <span aria-hidden="true">/</span>}
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
        <ButtonLink
          look="quiet"
          href={`/repositories/${repositoryId}/history?${new URLSearchParams({ path })}`}
        >
          {t.browse.historyOfFolder}
        </ButtonLink>
      )}
    </div>
  );
}
