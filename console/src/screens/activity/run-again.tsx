import { outdate, type Schemas, write } from '../../api/api.js';
import { startBackup } from '../../api/start-backup.js';
import { t } from '../../i18n/messages.js';
import { ActionButton } from '../../ui/action-button.js';
import { announce } from '../../ui/announce.js';
import { kindOf } from './job-state.js';

type Job = Schemas['JobView'];

interface RunAgainProps {
  job: Job;
  look?: 'primary' | 'plain';
  onStarted?: (job: number) => void;
}

export function RunAgain({ job, look = 'plain', onStarted }: RunAgainProps) {
  const name = t.activity.of(kindOf(job), job.repository_name);
  const act = async () => {
    const id = await startAgain(job);
    announce(t.activity.startedAgain(name));
    outdate('/api/jobs', '/api/overview');
    onStarted?.(id);
  };
  return (
    <ActionButton look={look} aria-label={`${t.activity.runAgain}: ${name}`} onAct={act}>
      {t.activity.runAgain}
    </ActionButton>
  );
}

/** @returns the new job. */
async function startAgain({ kind, repository_id, about }: Job): Promise<number> {
  const id = repository_id ?? 0;
  if (kind === 'backup') return startBackup(id);
  const { max_duration, verify_data } = about;
  const body = (kind === 'check' ? { max_duration, verify_data } : undefined) as never;
  const path = `/api/repositories/{repo_id}/${kind as 'check'}` as const;
  return (await write('POST', path, { path: { repo_id: id }, body })).job_id;
}
