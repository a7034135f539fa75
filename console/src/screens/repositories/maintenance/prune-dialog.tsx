import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { read, type Schemas, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { Dialog } from '../../../ui/dialog.js';
import { errorAt, SelectField, TextField } from '../../../ui/field.js';
import { type Action, Form, useAction } from '../../../ui/form.js';
import { later } from '../../../ui/later.js';
import { Stack } from '../../../ui/layout.js';
import { ErrorNotice, failureOf, Notice } from '../../../ui/notice.js';
import { Progress } from '../../../ui/progress.js';
import { QueryView } from '../../../ui/query-view.js';
import { useStart } from '../use-start.js';
import styles from './maintenance.module.css';
import {
  countsOf,
  inputOf,
  isMoreThanHalf,
  isRemoved,
  periods,
  previewOf,
  standard,
  type Tried,
} from './prune.rules.js';
import { PruneBars } from './prune-bars.js';
import { PruneTimeline } from './prune-timeline.js';

const Lost = later(() => import('../../archives/lost.js'));

type Input = Schemas['PruneInput'];

/** Rules, then what they would remove, then the removal: each of these shows the same archives. */
export function PruneDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const start = useStart();
  const [tried, setTried] = useState<{ jobId: number; input: Input; timezone: string | null } | null>(null);
  const prune = (body: Input) =>
    write('POST', '/api/repositories/{repo_id}/prune', { path: { repo_id: id }, body });
  const trial = useAction(async (input: Input, timezone: string | null) => {
    const { job_id } = await prune({ ...input, dry_run: true });
    setTried({ jobId: job_id, input, timezone });
  });
  const removal = useAction((input: Input, isMost: boolean) =>
    start(prune({ ...input, dry_run: false, confirm_more_than_half: isMost }), t.maintenance.prune.started),
  );
  return (
    <Dialog title={t.maintenance.prune.title} onClose={onClose} wide>
      <Stack>
        <Rules id={id} trial={trial} onChange={() => setTried(null)} />
        {tried && <Outcome id={id} tried={tried} removal={removal} onClose={onClose} />}
      </Stack>
    </Dialog>
  );
}

interface RulesProps {
  id: number;
  trial: Action<[Input, timezone: string | null]>;
  onChange: () => void;
}

function Rules({ id, trial, onChange }: RulesProps) {
  const { data } = useQuery(read('/api/schedule/'));
  const schedules = (data?.jobs ?? []).filter(({ repository_ids }) => repository_ids.includes(id));
  const [chosen, setChosen] = useState<string | null>(null);
  const schedule = schedules.find((one) => String(one.id) === (chosen ?? String(schedules[0]?.id)));
  const [typed, setTyped] = useState<typeof standard | null>(null);
  const counts = typed ?? (schedule ? countsOf(schedule) : standard);
  const set = (value: Partial<typeof standard>) => {
    setTyped({ ...counts, ...value });
    onChange();
  };
  const { prune } = t.maintenance;
  return (
    <Form
      action={trial}
      onSubmit={() => trial.run(inputOf(counts, schedule?.id ?? null), schedule?.timezone ?? null)}
      submit={prune.show}
      buttons={trial.isBusy && <span class="muted">{prune.looking}</span>}
    >
      <SelectField
        label={prune.which}
        value={schedule ? String(schedule.id) : 'all'}
        onValue={(value) => {
          setChosen(value);
          setTyped(null);
          onChange();
        }}
        options={[
          ...schedules.map((one) => [String(one.id), prune.ofSchedule(one.name)] as const),
          ['all', prune.allArchives],
        ]}
      />
      <div class={styles.counts}>
        {periods.map((period) => (
          <TextField
            key={period}
            label={prune.keep[period]}
            type="number"
            inputMode="numeric"
            min={0}
            max={100_000}
            required
            value={String(counts[period])}
            onValue={(value) => set({ [period]: Number(value) })}
            error={errorAt(trial.error, `keep_${period}`)}
          />
        ))}
      </div>
      <TextField
        label={prune.within}
        hint={prune.withinHint}
        value={counts.within}
        onValue={(within) => set({ within })}
        error={errorAt(trial.error, 'keep_within')}
        autoComplete="off"
      />
    </Form>
  );
}

interface OutcomeProps {
  id: number;
  tried: { jobId: number; input: Input; timezone: string | null };
  removal: Action<[Input, isMost: boolean]>;
  onClose: () => void;
}

function Outcome({ id, tried, removal, onClose }: OutcomeProps) {
  const [typed, setTyped] = useState('');
  const { data, error } = useQuery({
    ...read('/api/repositories/prune-jobs/{job_id}', { path: { job_id: tried.jobId } }),
    refetchInterval: ({ state }) => (state.data?.completed_at ? false : 1_000),
  });
  const { prune } = t.maintenance;
  if (error) return <ErrorNotice error={error} />;
  if (!data?.completed_at) return <Progress percent={null} label={prune.looking} />;
  const { archives } = data;
  if (archives === null)
    return (
      <Notice kind="error" live>
        {failureOf(data)}
      </Notice>
    );
  if (archives.length === 0) return <Notice live>{prune.noArchives}</Notice>;
  const removed = archives.filter(isRemoved).length;
  const isMost = isMoreThanHalf(removed, archives.length);
  if (removed === 0)
    return (
      <Notice kind="good" live>
        {prune.nothingGoes(archives.length)}
      </Notice>
    );
  return (
    <Form
      action={removal}
      onSubmit={async () => (await removal.run(tried.input, isMost)) && onClose()}
      submit={prune.remove(removed)}
      danger
      disabled={isMost && typed.trim() !== String(removed)}
      onCancel={onClose}
    >
      <div role="status">
        <h3>{prune.goes(removed, archives.length)}</h3>
      </div>
      <PruneBars archives={archives} />
      <LostByPrune id={id} tried={{ ...tried.input, timezone: tried.timezone }} />
      <PruneTimeline archives={archives} />
      {isMost && (
        <TextField
          label={prune.typeNumber(removed)}
          hint={prune.moreThanHalf}
          value={typed}
          onValue={setTyped}
          inputMode="numeric"
          autoComplete="off"
        />
      )}
    </Form>
  );
}

/** The dry run says which archives would go; the index, which files with them. */
function LostByPrune({ id, tried }: { id: number; tried: Tried }) {
  const body = previewOf(id, tried);
  const query = useQuery({
    queryKey: ['/api/schedule/preview', body],
    queryFn: ({ signal }) => write('POST', '/api/schedule/preview', { body: body as never, signal }),
  });
  return (
    <QueryView query={query} lines={1}>
      {({ lost }) => <Lost lost={lost ?? null} />}
    </QueryView>
  );
}
