import type { Schemas } from '../api/client.js';
import { t } from '../i18n/messages.js';
import { ButtonLink } from './button.js';
import { Notice, Sentence } from './notice.js';

type Job = Pick<Schemas['JobView'], 'waiting_for' | 'waiting_for_code' | 'waiting_for_params'>;

export const Reason = ({ job: { waiting_for, waiting_for_code, waiting_for_params } }: { job: Job }) => (
  <>
    {t.common.waitsFor}{' '}
    <Sentence code={waiting_for_code} params={waiting_for_params} text={waiting_for ?? ''} />
  </>
);

/** The reason why a job waits is its headline, with a link if it is another job. */
export function WaitsFor({ job, otherwise }: { job: Job; otherwise: string }) {
  if (!job.waiting_for) return <Notice title={otherwise} />;
  const { job: id } = job.waiting_for_params;
  return (
    <Notice
      title={<Reason job={job} />}
      action={
        typeof id === 'number' && <ButtonLink href={`/activity/${id}`}>{t.common.openJob(id)}</ButtonLink>
      }
    />
  );
}
