import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { read } from '../../api/api.js';
import type { Schemas } from '../../api/client.js';
import { useIsAdmin } from '../../hub/is-admin.js';
import { bytes, duration, exactly, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Facts, Row, Section, Stack } from '../../ui/layout.js';
import { QueryView } from '../../ui/query-view.js';
import { Sentence } from '../../ui/sentence.js';
import { State, stateOf } from '../../ui/state.js';
import { Time } from '../../ui/time.js';
import { PromiseDialog } from './promise-dialog.js';
import styles from './repositories.module.css';
import type { Repository } from './repository-page.js';

type Judged = Schemas['RepositoryProtection'];

/** Without asking the backup tool: a page that is opened starts nothing. */
export const protectionQuery = () => read('/api/system/protection', { query: { known_only: true } });

/** The state with all reasons, the age limit, and actions. */
export function Protection({ repository, actions }: { repository: Repository; actions: ComponentChildren }) {
  const query = useQuery(protectionQuery());
  return (
    <Section title={t.repository.protection} quiet card>
      <QueryView query={query}>
        {({ repositories }) => {
          const judged = repositories.find(({ id }) => id === repository.id);
          return (
            judged && (
              <Stack>
                <div role="status" class={styles.state}>
                  <State state={stateOf(judged)} />
                </div>
                <Reasons judged={judged} />
                <PromiseLine judged={judged} repository={repository} />
                <Row>{actions}</Row>
                <Facts facts={figuresOf(judged, repository)} />
                <p class="small">
                  <span class="muted">{t.repository.place}: </span>
                  <bdi>{`${repository.host ?? t.repository.thisMachine}: ${repository.path}`}</bdi>
                </p>
              </Stack>
            )
          );
        }}
      </QueryView>
    </Section>
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

function PromiseLine({ judged, repository }: { judged: Judged; repository: Repository }) {
  const isAdmin = useIsAdmin();
  const [isChanging, setChanging] = useState(false);
  const saysLimit = judged.reason_codes.some((reason) => reason?.params.promised !== undefined);
  return (
    <p class={styles.promise}>
      {!saysLimit && `${promiseInWords(judged)} `}
      {isAdmin && (
        <Button look="quiet" aria-label={t.repository.changePromise} onClick={() => setChanging(true)}>
          {saysLimit ? t.repository.changePromise : t.repository.change}
        </Button>
      )}
      {isChanging && <PromiseDialog id={repository.id} onClose={() => setChanging(false)} />}
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

function figuresOf({ newest_archive, archives_as_of }: Judged, repository: Repository) {
  const { archive_count, total_size_bytes, free_bytes, mode } = repository;
  return [
    [t.repository.columns.newest, newest_archive ? <Time at={newest_archive} capital /> : t.common.none],
    [
      t.repository.archivesKnown,
      <span key="archives" title={archives_as_of ? exactly(archives_as_of) : undefined}>
        {number(archive_count ?? 0)}
      </span>,
    ],
    [t.repository.columns.size, total_size_bytes === null ? t.common.unknown : bytes(total_size_bytes)],
    free_bytes === null ? null : ([t.repository.freeThere, bytes(free_bytes)] as const),
    mode === 'observe' ? ([t.repository.mode, t.repository.observed] as const) : null,
  ] as const;
}
