import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { read } from '../../api/api.js';
import { dayOf, ownZone } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { DataList } from '../../ui/data-list.js';
import { Section } from '../../ui/layout.js';
import { QueryView } from '../../ui/query-view.js';
import { Strip, stripInWords } from '../../ui/strip.js';
import styles from './repositories.module.css';

/** The outcome of each of the last 90 days. */
export function Days({ id }: { id: number }) {
  const query = useQuery(
    read('/api/history/days', { query: { days: 90, timezone: ownZone, repository_id: id } }),
  );
  const [isTable, setTable] = useState(false);
  return (
    <Section
      title={t.repository.days.title}
      card
      actions={
        <Button look="quiet" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
          {t.common.asTable}
        </Button>
      }
    >
      <QueryView query={query} lines={1}>
        {({ first_day, last_day, repositories }) => {
          const days = repositories[0]?.days ?? '';
          return (
            <div class={styles.days}>
              <Strip days={days} lastDay={last_day} wide />
              <div class={styles.ends}>
                <span>{dayOf(`${first_day}T12:00:00`)}</span>
                <span>{t.repository.days.today}</span>
              </div>
              <p class="small">{stripInWords(days, last_day)}</p>
              {isTable && (
                <DataList
                  label={t.repository.days.title}
                  isPart
                  rows={daysOf(days, last_day)}
                  keyOf={([day]) => day}
                  columns={(of) => [
                    of.text('day', t.repository.days.day, ([day]) => day),
                    of.text('outcome', t.repository.days.outcome, ([, outcome]) => outcome),
                  ]}
                />
              )}
            </div>
          );
        }}
      </QueryView>
    </Section>
  );
}

/** The newest day first. */
function daysOf(days: string, lastDay: string): [string, string][] {
  const outcomes = t.repository.days.outcomes;
  return [...days].reverse().map((letter, index) => {
    const day = new Date(`${lastDay}T12:00:00`);
    day.setDate(day.getDate() - index);
    return [dayOf(day), outcomes[letter as keyof typeof outcomes] ?? outcomes['-']];
  });
}
