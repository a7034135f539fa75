import { useState } from 'preact/hooks';
import { type Schemas, useRead, write } from '../../api/api.js';
import { duration } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { RadioGroup } from '../../ui/field.js';
import { useStart } from './use-start.js';

const depths = {
  quick: { max_duration: 3600, verify_data: false },
  full: { max_duration: 0, verify_data: false },
  data: { max_duration: 0, verify_data: true },
};
export type Depth = keyof typeof depths;

export function CheckButton({ id, name }: { id: number; name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button aria-label={`${t.repository.check.button}: ${name}`} onClick={() => setOpen(true)}>
        {t.repository.check.button}
      </Button>
      {isOpen && <CheckDialog id={id} onClose={() => setOpen(false)} />}
    </>
  );
}

/** How thorough a check should be, with the time that the last one of each kind took. */
function CheckDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const begin = useStart();
  const [depth, setDepth] = useState<Depth>('full');
  const { data } = useRead('/api/repositories/{repo_id}/check-jobs', {
    path: { repo_id: id },
    query: { limit: 50 },
  });
  const { title, question, start, hints, names, tookLast } = t.repository.check;
  const hint = (which: Depth) => {
    const seconds = data && lastSeconds(data.jobs, which);
    return seconds === undefined ? hints[which] : `${hints[which]} ${tookLast(duration(seconds))}`;
  };
  return (
    <ConfirmDialog
      title={title}
      action={start}
      onClose={onClose}
      onConfirm={() => {
        const given = { path: { repo_id: id }, body: depths[depth] };
        return begin(write('POST', '/api/repositories/{repo_id}/check', given), t.repository.check.started);
      }}
    >
      <RadioGroup
        legend={question}
        value={depth}
        onValue={setDepth}
        options={(Object.keys(depths) as Depth[]).map((which) => ({
          value: which,
          label: names[which],
          hint: hint(which),
        }))}
      />
    </ConfirmDialog>
  );
}

type CheckJob = Schemas['CheckJobView'];

export const depthOf = ({ partial, verify_data }: Pick<CheckJob, 'partial' | 'verify_data'>): Depth =>
  partial ? 'quick' : verify_data ? 'data' : 'full';

/** Of the newest check of this kind that went through. */
function lastSeconds(jobs: readonly CheckJob[], depth: Depth): number | undefined {
  const last = jobs.find((job) => job.status === 'completed' && depthOf(job) === depth);
  if (!last?.started_at || !last.completed_at) return undefined;
  return (Date.parse(last.completed_at) - Date.parse(last.started_at)) / 1000;
}
