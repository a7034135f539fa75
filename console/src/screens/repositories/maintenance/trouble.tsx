import { useQuery } from '@tanstack/preact-query';
import { read, type Schemas } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { ButtonLink } from '../../../ui/button.js';
import { Notice } from '../../../ui/notice.js';
import { Time } from '../../../ui/time.js';
import { MassChange } from '../mass-change.js';
import { protectionQuery } from '../protection.js';
import type { Repository } from '../repository-page.js';
import { CannotOpen, Unsigned } from './cannot-open.js';
import styles from './maintenance.module.css';
import { RetentionPauses } from './retention-pauses.js';

/** The problem, the data that is still safe, and the next step. */
export function Trouble({ repository, isAdmin }: { repository: Repository; isAdmin: boolean }) {
  const { data } = useQuery(protectionQuery());
  const isDamaged = data?.repositories.find(({ id }) => id === repository.id)?.damaged;
  return (
    <>
      <Damage repository={repository} isDamaged={isDamaged === true} />
      {repository.open_error ? (
        <CannotOpen repository={repository} isAdmin={isAdmin} />
      ) : (
        repository.unsigned_archives > 0 && <Unsigned repository={repository} isAdmin={isAdmin} />
      )}
      <MassChange repository={repository} />
      <RetentionPauses id={repository.id} isAdmin={isAdmin} />
    </>
  );
}

function Damage({ repository: { id }, isDamaged }: { repository: Repository; isDamaged: boolean }) {
  const checks = useQuery(
    read('/api/repositories/{repo_id}/check-jobs', { path: { repo_id: id }, query: { limit: 50 } }),
  );
  const history = useQuery({
    ...read('/api/repositories/{repo_id}/history', {
      path: { repo_id: id },
      query: { from: longAgo(), limit: 5000 },
    }),
    // Without a path.
    select: (data) => data as Schemas['RepositoryHistory'],
  });
  const found = checks.data?.jobs.find(({ problems_found }) => problems_found);
  const damaged = history.data?.archives.filter((archive) => archive.damaged) ?? [];
  if (!isDamaged && damaged.length === 0) return null;
  return (
    <Notice
      kind={isDamaged ? 'error' : 'warning'}
      title={isDamaged ? t.maintenance.damage.title : t.maintenance.damage.archivesOnly}
      action={found && <ButtonLink href={`/activity/${found.id}`}>{t.maintenance.damage.readLog}</ButtonLink>}
    >
      <div class={styles.damage}>
        {found?.completed_at && (
          <p>
            {t.maintenance.damage.foundBy(found.id)} <Time at={found.completed_at} />.
          </p>
        )}
        {history.data && (
          <p>
            {damaged.length > 0
              ? t.maintenance.damage.archives(damaged.length, history.data.archive_count)
              : t.maintenance.damage.whichUnknown}
          </p>
        )}
        {damaged.length > 0 && (
          <ul>
            {damaged.slice(0, 10).map(({ id: archive, name }) => (
              <li key={archive}>
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
        )}
        {isDamaged && (
          <>
            <p>{t.maintenance.damage.safe}</p>
            <ol>
              {t.maintenance.damage.steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </>
        )}
      </div>
    </Notice>
  );
}

/** As far back as the API goes; the same all day, as it is part of a key. */
const longAgo = (): string =>
  `${new Date(Date.now() - 3_650 * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`;
