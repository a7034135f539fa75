import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { read, type Schemas } from '../../api/api.js';
import { overviewQuery } from '../../api/overview.js';
import { useIsAdmin } from '../../hub/is-admin.js';
import { duration } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Facts, Row, Section, Stack } from '../../ui/layout.js';
import { QueryView } from '../../ui/query-view.js';
import { Sentence } from '../../ui/sentence.js';
import { State, stateOf } from '../../ui/state.js';
import { Time } from '../../ui/time.js';
import { Figures } from './figures.js';
import styles from './repositories.module.css';
import type { Repository } from './repository-page.js';

type Judged = Schemas['RepositoryProtection'];

/** Without asking the backup tool: a page that is opened starts nothing. */
export const protectionQuery = () => read('/api/system/protection', { query: { known_only: true } });

/** The state with all reasons, the age limit and actions beside the figures that matter. */
export function Protection({ repository, actions }: { repository: Repository; actions: ComponentChildren }) {
  const query = useQuery(protectionQuery());
  return (
    <Section title={t.repository.protection} quiet card>
      <QueryView query={query} lines={6}>
        {({ repositories }) => {
          const judged = repositories.find(({ id }) => id === repository.id);
          return (
            judged && (
              <>
                <div class={styles.glance}>
                  <Stack tight>
                    <div role="status" class={styles.state}>
                      <State state={stateOf(judged)} />
                    </div>
                    <Reasons judged={judged} />
                    <PromiseLine judged={judged} id={repository.id} />
                    <Row>{actions}</Row>
                  </Stack>
                  <Figures newest={judged.newest_archive} repository={repository} />
                </div>
                <Quiet repository={repository} />
              </>
            )
          );
        }}
      </QueryView>
    </Section>
  );
}

/** Where it is, and when it was last maintained and verified. */
function Quiet({ repository }: { repository: Repository }) {
  const { id, host, path, mode, last_check, last_compact } = repository;
  const { data } = useQuery(overviewQuery());
  const proofs = data?.repositories.find((one) => one.id === id);
  const time = (at: string | null | undefined) => (at ? <Time at={at} capital /> : t.common.never);
  return (
    <>
      <Facts
        facts={[
          mode === 'observe' ? [t.repository.mode, t.repository.observed] : null,
          [t.repository.lastCheck, time(last_check)],
          [t.repository.lastCompact, time(last_compact)],
          data ? [t.repository.lastRestore, time(proofs?.last_restore)] : null,
          data ? [t.repository.lastDrill, time(proofs?.last_verified_restore)] : null,
        ]}
      />
      <p class="small">
        <span class="muted">{t.repository.place}: </span>
        <bdi>{`${host ?? t.repository.thisMachine}: ${path}`}</bdi>
      </p>
    </>
  );
}

const Reasons = ({ judged: { reasons, reason_codes } }: { judged: Judged }) => (
  <ul class={styles.reasons}>
    {reasons.map((text, index) => {
      const { code = null, params = {} } = reason_codes[index] ?? {};
      return (
        <li key={text}>
          <Sentence code={code} params={params} text={text} />
        </li>
      );
    })}
  </ul>
);

function PromiseLine({ judged, id }: { judged: Judged; id: number }) {
  const isAdmin = useIsAdmin();
  const saysLimit = judged.reason_codes.some((reason) => reason?.params.promised !== undefined);
  return (
    <p class={`${styles.line} small muted`}>
      {!saysLimit && `${promiseInWords(judged)} `}
      {isAdmin && <Link href={`/repositories/${id}/settings`}>{t.repository.changePromise}</Link>}
    </p>
  );
}

function promiseInWords({ promised_hours: hours, promised_by, promising_schedule }: Judged): string {
  if (hours === null) return t.repository.promise.none;
  const span = duration(hours * 3600);
  return promised_by === 'schedule'
    ? t.repository.promise.bySchedule(span, promising_schedule ?? '')
    : t.repository.promise.bySetting(span);
}
