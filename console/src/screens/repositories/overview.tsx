import { useMay, useMayRestore } from '../../hub/may.js';
import { t } from '../../i18n/messages.js';
import type { ScreenProps } from '../../shell/router.js';
import { ButtonLink } from '../../ui/button.js';
import { later } from '../../ui/later.js';
import { Section } from '../../ui/layout.js';
import { Notice } from '../../ui/notice.js';
import { Why } from '../../ui/why.js';
import { BackUpNow } from './back-up-now.js';
import { CheckButton } from './check-dialog.js';
import { FolderGrowth } from './folder-growth.js';
import { InView } from './in-view.js';
import { Jobs } from './jobs.js';
import { MassChange } from './mass-change.js';
import { OpenError } from './open-error.js';
import { Plots } from './plots/plots.js';
import { Protection } from './protection.js';
import { type Repository, RepositoryPage } from './repository-page.js';
import { SchedulesOf } from './schedules-of.js';
import { Sources } from './sources.js';
import { Space } from './space.js';

const Year = later(() => import('./year.js'));

/** One repository: is it protected, and why; then its last jobs, its year, and what it is made of. */
export default function Overview({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  const may = useMay();
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
          <MassChange repository={repository} />
          <Why kind="repository" id={id} ways={waysOf(repository)} />
          <Protection repository={repository} actions={<Actions repository={repository} />} />
          <Jobs id={id} />
          <InView height="23rem">
            <Year id={id} />
          </InView>
          {may('restore', id) && (
            <>
              <InView>
                <Space id={id} />
              </InView>
              <InView>
                <FolderGrowth id={id} />
              </InView>
              <Sources repository={repository} />
            </>
          )}
          <InView>
            <SchedulesOf id={id} />
          </InView>
          <InView>
            <Section title={t.repository.development}>
              <Plots id={id} />
            </Section>
          </InView>
        </>
      )}
    </RepositoryPage>
  );
}

const waysOf = ({ id, mode }: Repository) => ({
  late: null,
  unknown: null,
  cannot_open: null,
  mass_change: null,
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
  const may = useMay();
  const mayRestore = useMayRestore();
  return (
    <>
      {mode === 'full' && may('operate', id) && <BackUpNow id={id} name={name} primary />}
      {mayRestore(id) && (
        <ButtonLink href={`/restore?repository=${id}`} aria-label={`${t.frame.restoreFiles}: ${name}`}>
          {t.frame.restoreFiles}
        </ButtonLink>
      )}
      {may('operate', id) && <CheckButton id={id} name={name} />}
    </>
  );
}
