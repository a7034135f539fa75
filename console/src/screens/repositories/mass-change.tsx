import { outdate, write } from '../../api/api.js';
import { useIsAdmin } from '../../hub/is-admin.js';
import { useMay } from '../../hub/may.js';
import { number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { ButtonLink } from '../../ui/button.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { Notice } from '../../ui/notice.js';
import { Time } from '../../ui/time.js';
import styles from './repositories.module.css';
import type { Repository } from './repository-page.js';

/** A backup that changed or removed most files, until that is accepted. */
export function MassChange({ repository: { id, name, mass_change: change } }: { repository: Repository }) {
  const may = useMay();
  const isAdmin = useIsAdmin();
  if (!change) return null;
  const words = t.repository.massChange;
  const { changed, removed, renamed, files_before, folders } = change;
  const compared = new URLSearchParams({ from: change.before.name, to: change.archive.name });
  return (
    <Notice
      kind="warning"
      title={words.title}
      action={
        <>
          {may('restore', id) && (
            <ButtonLink href={`/repositories/${id}/compare?${compared}`}>{words.show}</ButtonLink>
          )}
          <ButtonLink href={`/activity/${change.job_id}`}>{t.maintenance.paused.openBackup}</ButtonLink>
          {isAdmin && (
            <ConfirmButton
              title={words.accept}
              action={words.accept}
              onConfirm={async () => {
                await write('POST', '/api/repositories/{repo_id}/accept-changes', { path: { repo_id: id } });
                announce(words.accepted(name));
                outdate('/api/repositories', '/api/schedule', '/api/overview', '/api/incidents');
              }}
            >
              <p>{words.means}</p>
            </ConfirmButton>
          )}
        </>
      }
    >
      <p>
        {words.counts({ changed: number(changed), removed: number(removed), all: number(files_before) })}{' '}
        {renamed > 0 && words.renamed(number(renamed))} (<Time at={change.at} />)
      </p>
      <p>{words.paused}</p>
      {folders.length > 0 && (
        <ul class={styles.paths}>
          {folders.map((folder) => (
            <li key={folder.path}>
              <bdi>{folder.path || '/'}</bdi>:{' '}
              {words.inFolder({ changed: number(folder.changed), removed: number(folder.removed) })}
              <div class="muted small">
                <bdi>{folder.examples.join(', ')}</bdi>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
