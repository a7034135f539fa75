import { useQuery } from '@tanstack/preact-query';
import { useEffect, useRef } from 'preact/hooks';
import { read, type Schemas } from '../../api/api.js';
import { overviewQuery } from '../../api/overview.js';
import { connection, user as signedIn } from '../../hub/link.js';
import { ago, bytes, duration, moment, sinceWhen, timeOf } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { useStore } from '../../store.js';
import { announce } from '../../ui/announce.js';
import { ButtonLink } from '../../ui/button.js';
import { Degraded } from '../../ui/degraded.js';
import { Empty, Row, Section } from '../../ui/layout.js';
import { List, ListItem } from '../../ui/list.js';
import { More } from '../../ui/more.js';
import { Progress } from '../../ui/progress.js';
import { QueryView } from '../../ui/query-view.js';
import { reasonOf } from '../../ui/sentence.js';
import { State, StateMark, type StateName, stateOf } from '../../ui/state.js';
import { Strip } from '../../ui/strip.js';
import { useMinute } from '../../ui/time.js';
import { Attention } from './attention.js';
import { furthestBehind, headlineWords } from './headline.rules.js';
import styles from './home.module.css';
import { countProven, mostRows } from './map.rules.js';
import { ProtectionMap } from './protection-map.js';
import { Totals } from './totals.js';

type Overview = Schemas['Overview'];
type Repository = Schemas['OverviewRepository'];

/** More are in Activity. */
const mostRunning = 3;
/** More are in Schedules. */
const mostPauses = 5;

/** One sentence about the protection of everything, then problems, running jobs, and each repository. */
export default function Home() {
  useMinute();
  const query = useQuery(overviewQuery());
  return (
    <Page
      title={t.frame.place.home}
      heading={query.data ? <Headline overview={query.data} /> : t.frame.place.home}
      lead={query.data && <Lead overview={query.data} />}
    >
      <QueryView query={query} lines={5}>
        {(overview) => (overview.counts.total === 0 ? <NothingYet /> : <Everything overview={overview} />)}
      </QueryView>
    </Page>
  );
}

function Headline({ overview }: { overview: Overview }) {
  const { headline, as_of } = overview;
  const isOpen = useStore(connection).state === 'open';
  const shown = useShownTime(as_of);
  const mark: StateName = headline.state === 'empty' ? 'off' : headline.state;
  const text = headlineWords(overview);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) announce(text);
    isFirst.current = false;
  }, [text]);
  return (
    <span class={styles.headline} data-state={headline.state}>
      <StateMark state={mark} large />
      <span>
        {!isOpen && `${t.common.asOf(shown)}: `}
        {text}
      </span>
    </span>
  );
}

/** While the connection is lost, of the last answer before. */
function useShownTime(as_of: string): string {
  const { state, since } = useStore(connection);
  return state === 'open'
    ? timeOf(Math.max(Date.parse(as_of), since))
    : sinceWhen(Math.min(Date.parse(as_of), since));
}

function Lead({ overview }: { overview: Overview }) {
  const behind = furthestBehind(overview.repositories);
  const { next_run: next, moved_in: moved, counts, as_of, paused, waiting } = overview;
  const shown = useShownTime(as_of);
  if (counts.total === 0) return null;
  return (
    <>
      {behind && counts.total > 1 && <div>{t.home.oldest(behind.name, ago(behind.newest_archive))}</div>}
      <div class="small">
        {t.common.asOf(shown)}
        {' · '}
        {next ? t.home.nextRun(next.name, moment(next.at)) : t.home.noNextRun}
      </div>
      {paused.slice(0, mostPauses).map(({ schedule_id, name, until }) => (
        <div key={schedule_id}>
          {name === null ? t.home.allPaused(moment(until)) : t.home.paused(name, moment(until))}
        </div>
      ))}
      {waiting.slice(0, mostPauses).map((run) => (
        <div key={run.schedule_id}>
          {t.home.waiting(run.name)} {reasonOf(run)}
        </div>
      ))}
      {moved.total > 0 && (
        <div class="small">
          {t.home.movedIn(moved.total, moved.observed, moved.first_backup && moment(moved.first_backup))}
        </div>
      )}
      {counts.external > 0 && <div class="small">{t.home.external(counts.external)}</div>}
    </>
  );
}

const NothingYet = () => {
  const isAdmin = useStore(signedIn)?.is_admin;
  return (
    <Empty
      action={
        isAdmin && (
          <Row>
            <ButtonLink look="primary" href="/add">
              {t.frame.page.add}
            </ButtonLink>
            <ButtonLink href="/add?existing">{t.home.haveRepositories}</ButtonLink>
          </Row>
        )
      }
    >
      {t.home.emptyLead}
    </Empty>
  );
};

function Everything({ overview }: { overview: Overview }) {
  const running = overview.repositories.filter((repository) => repository.running);
  return (
    <>
      <Totals overview={overview} />
      {overview.attention.length > 0 && <Attention overview={overview} />}
      <Health />
      {overview.counts.running + overview.counts.pending > 0 && (
        <Section
          title={t.home.jobs(overview.counts.running, overview.counts.pending)}
          actions={
            <ButtonLink look="quiet" href="/activity">
              {t.home.activity}
            </ButtonLink>
          }
        >
          {running.length > 0 && running.length <= mostRunning && (
            <List label={t.home.running} compact>
              {running.map((repository) => (
                <Running key={repository.id} repository={repository} />
              ))}
            </List>
          )}
        </Section>
      )}
      <Section title={t.frame.place.repositories}>
        {overview.repositories.length > mostRows ? (
          <ProtectionMap repositories={overview.repositories} />
        ) : (
          <List label={t.frame.place.repositories} compact>
            {overview.repositories.map((repository) => (
              <RepositoryRow key={repository.id} repository={repository} lastDay={overview.last_day} />
            ))}
          </List>
        )}
      </Section>
      <Proof repositories={overview.repositories} />
    </>
  );
}

/** Problems of the service itself, which no event announces. */
function Health() {
  const { data } = useQuery({ ...read('/health'), staleTime: 0, refetchInterval: 60_000 });
  return data && <Degraded {...data} />;
}

function Running({ repository: { name, running } }: { repository: Repository }) {
  if (!running) return null;
  const kind = t.common.jobKinds[running.kind as keyof typeof t.common.jobKinds] ?? running.kind;
  const left =
    running.seconds_remaining === null ? undefined : t.common.left(duration(running.seconds_remaining));
  return (
    <ListItem href={`/activity/${running.job_id}`} title={name} note={kind}>
      <div class={styles.bar}>
        <Progress percent={running.percent} label={t.home.percentDone(name)} note={left} />
      </div>
    </ListItem>
  );
}

function RepositoryRow({ repository, lastDay }: { repository: Repository; lastDay: string }) {
  const { id, name, newest_archive, size_bytes, days } = repository;
  const state = stateOf(repository);
  const newest = newest_archive ? t.home.newest(ago(newest_archive)) : t.home.noArchive;
  return (
    <ListItem
      href={`/repositories/${id}`}
      label={[name, t.common.states[state], newest].join(', ')}
      title={name}
      note={newest}
    >
      <span class={styles.state}>
        <State state={state} />
      </span>
      <span class={styles.strip}>
        <Strip days={days} lastDay={lastDay} />
      </span>
      <span class={styles.size}>{size_bytes === null ? '' : bytes(size_bytes)}</span>
    </ListItem>
  );
}

/** One figure; what it is made of on request. */
function Proof({ repositories }: { repositories: readonly Repository[] }) {
  const proven = countProven(repositories, Date.now());
  return (
    <Section title={t.home.lastProof}>
      <p class={styles.figure}>{t.home.proven(proven, repositories.length)}</p>
      <p class="muted small">{t.home.lastProofLead}</p>
      <More label={t.home.provenEach}>
        <Proofs repositories={repositories} />
      </More>
    </Section>
  );
}

function Proofs({ repositories }: { repositories: readonly Repository[] }) {
  return (
    <ul class={styles.proofs}>
      {repositories.map(({ id, name, last_verified_restore: drilled, last_restore, last_check }) => (
        <li key={id}>
          <strong>{name}</strong>:{' '}
          {drilled || last_restore || last_check
            ? [
                drilled && t.home.drilled(ago(drilled)),
                last_restore && t.home.restored(ago(last_restore)),
                last_check && t.home.checked(ago(last_check)),
              ]
                .filter(Boolean)
                .join(', ')
            : t.home.neverProven}
        </li>
      ))}
    </ul>
  );
}
