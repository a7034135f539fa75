import { useQuery } from '@tanstack/preact-query';
import { overviewQuery } from '../../api/overview.js';
import { useIsAdmin } from '../../hub/is-admin.js';
import { t } from '../../i18n/messages.js';
import type { ScreenProps } from '../../shell/router.js';
import { ButtonLink } from '../../ui/button.js';
import { Facts, Section } from '../../ui/layout.js';
import { Notice } from '../../ui/notice.js';
import { Time } from '../../ui/time.js';
import { Why } from '../../ui/why.js';
import { BackUpNow } from './back-up-now.js';
import { CheckButton } from './check-dialog.js';
import { Days } from './days.js';
import { Development } from './development.js';
import { OpenError } from './open-error.js';
import { Protection } from './protection.js';
import { type Repository, RepositoryPage } from './repository-page.js';
import { RunningJobs } from './running-jobs.js';
import { SchedulesOf } from './schedules-of.js';
import { Sources } from './sources.js';

/** One repository: is it protected, and why; then what it is made of and how it developed. */
export default function Overview({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  return (
    <RepositoryPage id={id} part="overview">
      {(repository) => (
        <>
          {repository.open_error && (
            <Notice
              kind="error"
              title={t.repository.cannotOpenTitle}
              action={<ButtonLink href={`/repositories/${id}/maintenance`}>{t.common.whatToDo}</ButtonLink>}
            >
              <OpenError {...repository} />
            </Notice>
          )}
          <Why kind="repository" id={id} ways={waysOf(repository)} />
          <Protection repository={repository} actions={<Actions repository={repository} />} />
          <RunningJobs id={id} />
          <Days id={id} />
          <Sources repository={repository} />
          <SchedulesOf id={id} />
          <Last repository={repository} />
          <Development id={id} />
        </>
      )}
    </RepositoryPage>
  );
}

const waysOf = ({ id, mode }: Repository) => ({
  late: null,
  cannot_open: null,
  ...Object.fromEntries(
    ['damaged', 'storage_nearly_full', 'retention_paused'].map((cause) => [
      cause,
      `/repositories/${id}/maintenance`,
    ]),
  ),
  archive_incomplete: `/repositories/${id}/archives`,
  list_outdated: `/repositories/${id}/archives`,
  drill_failed: `/repositories/${id}/drills`,
  ...(mode === 'full' && { not_covered: '/schedules/new' }),
});

function Actions({ repository: { id, name, mode } }: { repository: Repository }) {
  const isAdmin = useIsAdmin();
  return (
    <>
      {mode === 'full' && <BackUpNow id={id} name={name} primary />}
      {isAdmin && (
        <ButtonLink href={`/restore?repository=${id}`} aria-label={`${t.frame.restoreFiles}: ${name}`}>
          {t.frame.restoreFiles}
        </ButtonLink>
      )}
      <CheckButton id={id} name={name} />
    </>
  );
}

/** When it was last maintained and last verified. */
function Last({ repository: { id, last_check, last_compact } }: { repository: Repository }) {
  const { data } = useQuery(overviewQuery());
  const proofs = data?.repositories.find((repository) => repository.id === id);
  const time = (at: string | null | undefined) => (at ? <Time at={at} capital /> : t.common.never);
  return (
    <Section title={t.repository.lastTitle} card>
      <Facts
        facts={[
          [t.repository.lastCheck, time(last_check)],
          [t.repository.lastCompact, time(last_compact)],
          data ? [t.repository.lastRestore, time(proofs?.last_restore)] : null,
          data ? [t.repository.lastDrill, time(proofs?.last_verified_restore)] : null,
        ]}
      />
    </Section>
  );
}
