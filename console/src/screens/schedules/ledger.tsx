import { useQuery } from '@tanstack/preact-query';
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleOff,
  CirclePause,
  CirclePlay,
  CircleFadingArrowUp as CircleSkipped,
  CircleSlash,
  CircleX,
} from 'lucide-preact';
import { useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { api, read } from '../../api/api.js';
import { answer } from '../../api/client.js';
import { dayOf, moment, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { useAction } from '../../ui/form.js';
import { Section } from '../../ui/layout.js';
import { ErrorNotice } from '../../ui/notice.js';
import { QueryView } from '../../ui/query-view.js';
import { saveFile } from '../../ui/save-file.js';
import { Sentence } from '../../ui/sentence.js';
import {
  cellsOf,
  csvOf,
  dayKey,
  hourKey,
  type Outcome,
  type Run,
  tally,
  unitOf,
  weeksUntil,
  worstOf,
} from './ledger.rules.js';
import { dayNames } from './plan-words.js';
import styles from './schedules.module.css';

const icons = {
  completed: CircleCheck,
  completed_with_warnings: CircleAlert,
  running: CirclePlay,
  failed: CircleX,
  cancelled: CircleSlash,
  missed: CircleDashed,
  skipped: CircleSkipped,
  refused: CircleOff,
  disabled: CirclePause,
} satisfies Record<Outcome, unknown>;
const looks: Partial<Record<Outcome, string | undefined>> = {
  completed: styles.made,
  running: styles.made,
  cancelled: styles.other,
  disabled: styles.other,
};
const weeks = 5;
/** What the grid shows of, at most: five weeks of hours. */
const most = 1000;

function Mark({ outcome }: { outcome: Outcome }) {
  const Icon = icons[outcome];
  return <Icon aria-hidden="true" size={18} class={looks[outcome] ?? styles.bad} />;
}

/** What became of each planned run: a cell a day, or an hour for those that run more often. */
export function Ledger({ id, name }: { id: number; name: string }) {
  const query = useQuery(
    read('/api/schedule/{job_id}/runs', { path: { job_id: id }, query: { limit: most, offset: 0 } }),
  );
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
  const { planned, ran, notRun } = tally(shown);
  const summary = [
    t.schedules.planned(planned, number(planned)),
    t.schedules.ran(number(ran)),
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

const hoursOf = (day: Date) =>
  Array.from({ length: 24 }, (_, hour) => new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour));

interface CellsProps {
  unit: 'day' | 'hour';
  lines: readonly (readonly Date[])[];
  cells: ReadonlyMap<string, Run[]>;
  chosen: string | null;
  onChoose: (key: string) => void;
}

/** One stop of the Tab key; arrows go from cell to cell. */
function Cells({ unit, lines, cells, chosen, onChoose }: CellsProps) {
  const table = useRef<HTMLTableElement>(null);
  const keyOf = unit === 'day' ? dayKey : hourKey;
  const filled = lines
    .flat()
    .map(keyOf)
    .filter((key) => cells.has(key));
  const stop = chosen !== null && cells.has(chosen) ? chosen : filled.at(-1);
  const move = (event: KeyboardEvent) => {
    const step = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -(lines[0]?.length ?? 7),
      ArrowDown: lines[0]?.length ?? 7,
    }[event.key];
    if (step === undefined || stop === undefined) return;
    event.preventDefault();
    const all = lines.flat().map(keyOf);
    let at = all.indexOf(stop) + step;
    while (at in all && !cells.has(all[at] ?? '')) at += step;
    table.current?.querySelector<HTMLElement>(`[data-key="${all[at] ?? stop}"]`)?.focus();
  };
  return (
    <table
      ref={table}
      class={`${styles.ledger} ${unit === 'hour' ? styles.hours : ''}`}
      aria-label={t.schedules.ledger}
      onKeyDown={move}
    >
      <thead>
        <tr>
          <th>
            <span class="visually-hidden">{unit === 'day' ? t.schedules.week : t.schedules.day}</span>
          </th>
          {unit === 'day'
            ? dayNames().map(([day, name]) => (
                <th key={day} scope="col">
                  {name}
                </th>
              ))
            : hoursOf(new Date()).map((_, hour) => (
                <th key={hour} scope="col">
                  {hour % 6 === 0 ? hour : <span class="visually-hidden">{hour}</span>}
                </th>
              ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={keyOf(line[0] ?? new Date(0))}>
            <th scope="row">{dayOf(line[0] ?? 0)}</th>
            {line.map((at) => {
              const key = keyOf(at);
              const runs = cells.get(key);
              return (
                <td key={key}>
                  {runs && (
                    <button
                      type="button"
                      class={styles.cell}
                      data-key={key}
                      tabIndex={key === stop ? 0 : -1}
                      aria-pressed={key === chosen}
                      aria-label={runs.map(runInWords).join('; ')}
                      onClick={() => onChoose(key)}
                      onFocus={() => onChoose(key)}
                    >
                      <Mark outcome={worstOf(runs)} />
                    </button>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const runInWords = ({ planned_at, outcome, count }: Run): string =>
  `${moment(planned_at)}: ${t.schedules.outcomes[outcome]}${count > 1 ? ` (${t.schedules.times(number(count))})` : ''}`;

const Details = ({ runs }: { runs: readonly Run[] }) => (
  <ul>
    {runs.map((run) => (
      <li key={run.planned_at}>
        <Mark outcome={run.outcome} /> {runInWords(run)}
        {run.trigger === 'run_now' && ` · ${t.schedules.startedByHand}`}
        {run.reason && (
          <>
            {' · '}
            <Sentence code={run.reason_code} params={run.reason_params} text={run.reason} />
          </>
        )}
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
    {[...new Set(runs.map(({ outcome }) => outcome))].map((outcome) => (
      <li key={outcome}>
        <Mark outcome={outcome} /> {t.schedules.outcomes[outcome]}
      </li>
    ))}
  </ul>
);

/** All runs that are stored, as a table for spreadsheets. */
function Export({ id, name }: { id: number; name: string }) {
  const action = useAction();
  const save = () =>
    action.run(async () => {
      const all: Run[] = [];
      for (let total = 1; all.length < total; ) {
        const page = await answer(
          api.GET('/api/schedule/{job_id}/runs', {
            params: { path: { job_id: id }, query: { limit: most, offset: all.length } },
          }),
        );
        all.push(...page.runs);
        total = page.runs.length === 0 ? 0 : page.total;
      }
      saveFile(`${name.replace(/[^\p{L}\p{N}]+/gu, '-')}-runs.csv`, csvOf(all), 'text/csv');
    });
  return (
    <>
      <Button busy={action.isBusy} onClick={() => void save()}>
        {t.schedules.exportCsv}
      </Button>
      {action.error ? <ErrorNotice error={action.error} /> : null}
    </>
  );
}
