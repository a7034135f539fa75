import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { read, type Schemas, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { errorAt, SelectField, TextField } from '../../../ui/field.js';
import { Row, Stack } from '../../../ui/layout.js';
import { ErrorNotice, Notice, Sentence } from '../../../ui/notice.js';
import { Progress } from '../../../ui/progress.js';
import { useAction } from '../../../ui/use-action.js';
import { useStart } from '../use-start.js';
import styles from './maintenance.module.css';
import { countsOf, inputOf, isMoreThanHalf, isRemoved, periods, standard } from './prune.rules.js';
import { PruneTimeline } from './prune-timeline.js';

type Input = Schemas['PruneInput'];

/** Rules, then what they would remove, then the removal: each of these shows the same archives. */
export function PruneDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const start = useStart();
  const [tried, setTried] = useState<{ jobId: number; input: Input } | null>(null);
  const prune = (body: Input) =>
    write('POST', '/api/repositories/{repo_id}/prune', { path: { repo_id: id }, body });
  const trial = useAction(async (input: Input) => {
    const { job_id } = await prune({ ...input, dry_run: true });
    setTried({ jobId: job_id, input });
  });
  const removal = useAction((input: Input, isMost: boolean) =>
    start(prune({ ...input, dry_run: false, confirm_more_than_half: isMost }), t.maintenance.prune.started),
  );
  return (
    <Dialog title={t.maintenance.prune.title} onClose={onClose} wide>
      <Stack>
        <Rules id={id} trial={trial} onChange={() => setTried(null)} />
        {trial.error ? <ErrorNotice error={trial.error} /> : null}
        {tried && <Outcome tried={tried} removal={removal} onClose={onClose} />}
      </Stack>
    </Dialog>
  );
}

interface RulesProps {
  id: number;
  trial: { run: (input: Input) => Promise<boolean>; isBusy: boolean; error: unknown };
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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void trial.run(inputOf(counts, schedule?.id ?? null));
      }}
    >
      <Stack>
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
        <Row>
          <Button type="submit" look="primary" busy={trial.isBusy}>
            {prune.show}
          </Button>
          {trial.isBusy && <span class="muted">{prune.looking}</span>}
        </Row>
      </Stack>
    </form>
  );
}

interface OutcomeProps {
  tried: { jobId: number; input: Input };
  removal: { run: (input: Input, isMost: boolean) => Promise<boolean>; isBusy: boolean; error: unknown };
  onClose: () => void;
}

function Outcome({ tried, removal, onClose }: OutcomeProps) {
  const [typed, setTyped] = useState('');
  const { data, error } = useQuery({
    ...read('/api/repositories/prune-jobs/{job_id}', { path: { job_id: tried.jobId } }),
    refetchInterval: ({ state }) => (state.data?.completed_at ? false : 1_000),
  });
  const { prune } = t.maintenance;
  if (error) return <ErrorNotice error={error} />;
  if (!data?.completed_at) return <Progress percent={null} label={prune.looking} />;
  const { archives, error_message, error_code, error_params } = data;
  if (archives === null)
    return (
      <Notice kind="error" live>
        <Sentence code={error_code} params={error_params} text={error_message ?? ''} />
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
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        if (await removal.run(tried.input, isMost)) onClose();
      }}
    >
      <Stack>
        <div role="status">
          <h3>{prune.goes(removed, archives.length)}</h3>
        </div>
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
        {removal.error ? <ErrorNotice error={removal.error} /> : null}
        <Row end>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button
            type="submit"
            look="danger"
            busy={removal.isBusy}
            disabled={isMost && typed.trim() !== String(removed)}
          >
            {prune.remove(removed)}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
