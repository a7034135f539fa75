import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { read } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { SelectField } from '../../../ui/field.js';
import { Empty } from '../../../ui/layout.js';
import { QueryView } from '../../../ui/query-view.js';
import { Durations } from './durations.js';
import { mostJobs } from './findings.rules.js';
import { Growth } from './growth.js';
import { historyQuery } from './history.js';
import styles from './plots.module.css';
import { Room } from './room.js';

const ranges = ['30', '90', '365'] as const;
type Range = (typeof ranges)[number];

/** Growth, duration of backups, and free space. */
export function Plots({ id }: { id: number }) {
  const [range, setRange] = useState<Range>('90');
  const history = useQuery({
    ...historyQuery(id, Number(range)),
    placeholderData: keepPreviousData,
  });
  const jobs = useQuery(read('/api/jobs', { query: { repository_id: id, kind: 'backup', limit: mostJobs } }));
  return (
    <>
      <div class={styles.range}>
        <SelectField
          label={t.plots.range}
          value={range}
          onValue={setRange}
          options={ranges.map((days) => [days, t.plots.days(Number(days))])}
        />
      </div>
      <QueryView query={history} lines={4}>
        {(known) =>
          known.samples.length + known.archives.length === 0 ? (
            <Empty>{t.plots.nothingYet}</Empty>
          ) : (
            <div class={styles.plots}>
              <Growth history={known} />
              <Room history={known} />
              <Durations jobs={jobs.data?.jobs ?? []} from={known.from} />
            </div>
          )
        }
      </QueryView>
    </>
  );
}
