import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { read } from '../../api/api.js';
import { dayOf, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { ActionButton } from '../../ui/action-button.js';
import { Section } from '../../ui/layout.js';
import { QueryView } from '../../ui/query-view.js';
import { saveFile } from '../../ui/save-file.js';
import { reasonOf } from '../../ui/sentence.js';
import {
  cellsOf,
  csvOf,
  dayKey,
  hourKey,
  outcomeOf,
  type Run,
  tally,
  unitOf,
  weeksUntil,
} from './ledger.rules.js';
import { Cells, hoursOf, Mark, runInWords } from './ledger-cells.js';
import styles from './schedules.module.css';

const weeks = 5;
/** Maximum of cells in the grid: five weeks of hours. */
const most = 1000;

const runsQuery = (id: number, offset: number) =>
  read('/api/schedule/{job_id}/runs', { path: { job_id: id }, query: { limit: most, offset } });

/** The outcome of each planned run: one cell per day, or per hour for frequent schedules. */
export function Ledger({ id, name }: { id: number; name: string }) {
  const query = useQuery(runsQuery(id, 0));
  return (
    <Section title={t.schedules.ledger} actions={<Export id={id} name={name} />}>
      <QueryView query={query} lines={5}>
        {({ runs }) => (runs.length === 0 ? <p class="muted">{t.schedules.noRuns}</p> : <Grid runs={runs} />)}
      </QueryView>
    </Section>
  );
}

function Grid({ runs }: { runs: readonly Run[] }) {
  // On a phone 24 columns are too narrow to be hit.
  const unit = matchMedia('(width < 48rem)').matches ? 'day' : unitOf(runs);
  const days = weeksUntil(new Date(), weeks);
  const hourly = days
    .flat()
    .filter((day) => day.getTime() <= Date.now())
    .slice(-7);
  const first = (unit === 'day' ? days.flat() : hourly)[0]?.getTime() ?? 0;
  const oldest = runs.at(-1);
  const from = runs.length === most && oldest ? Math.max(first, Date.parse(oldest.planned_at)) : first;
  const shown = runs.filter(({ planned_at }) => Date.parse(planned_at) >= from);
  const keyOf = unit === 'day' ? dayKey : hourKey;
  const cells = cellsOf(shown, keyOf);
  const [chosen, setChosen] = useState<string | null>(null);
  const selected = chosen === null ? undefined : cells.get(chosen);
  const { planned, ran, failed, notRun } = tally(shown);
  const summary = [
    t.schedules.planned(planned, number(planned)),
    t.schedules.ran(number(ran), failed && number(failed)),
    ...notRun.map(([outcome, count]) => t.schedules.notRun[outcome](number(count))),
  ].join(', ');
  const lines = unit === 'day' ? days : hourly.map(hoursOf);
  return (
    <>
      <p>
        {t.schedules.since(dayOf(from))} {summary}.
      </p>
      <Cells unit={unit} lines={lines} cells={cells} chosen={chosen} onChoose={setChosen} />
      <div role="status">{selected && <Details runs={selected} />}</div>
      <Legend runs={shown} />
    </>
  );
}

const Details = ({ runs }: { runs: readonly Run[] }) => (
  <ul>
    {runs.map((run) => (
      <li key={run.planned_at}>
        <Mark outcome={outcomeOf(run)} /> {runInWords(run)}
        {run.trigger === 'run_now' && ` · ${t.schedules.startedManually}`}
        {run.reason && ' · '}
        {reasonOf(run)}
        {run.job_ids.map((id) => (
          <span key={id}>
            {' · '}
            <Link href={`/activity/${id}`}>{t.schedules.job(id)}</Link>
          </span>
        ))}
      </li>
    ))}
  </ul>
);

const Legend = ({ runs }: { runs: readonly Run[] }) => (
  <ul class={styles.legend} aria-label={t.schedules.legend}>
    {[...new Set(runs.map(outcomeOf))].map((outcome) => (
      <li key={outcome}>
        <Mark outcome={outcome} /> {t.schedules.outcomes[outcome]}
      </li>
    ))}
  </ul>
);

function Export({ id, name }: { id: number; name: string }) {
  const save = async () => {
    const all: Run[] = [];
    for (let total = 1; all.length < total; ) {
      const page = await runsQuery(id, all.length).queryFn({});
      all.push(...page.runs);
      total = page.runs.length === 0 ? 0 : page.total;
    }
    saveFile(`${name.replace(/[^\p{L}\p{N}]+/gu, '-')}-runs.csv`, csvOf(all), 'text/csv');
  };
  return <ActionButton onAct={save}>{t.schedules.exportCsv}</ActionButton>;
}
