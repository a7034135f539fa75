import type { Schemas } from '../api/client.js';
import { t } from '../i18n/messages.js';
import { ButtonLink } from './button.js';
import { Notice } from './notice.js';
import { Sentence } from './sentence.js';

type Job = Pick<Schemas['JobView'], 'waiting_for' | 'waiting_for_code' | 'waiting_for_params'>;

/** The reason why a job waits is its headline, with a link if it is another job. */
export function WaitsFor({ job, otherwise }: { job: Job; otherwise: string }) {
  const { waiting_for: text, waiting_for_code: code, waiting_for_params: params } = job;
  if (!text) return <Notice title={otherwise} />;
  const { job: id } = params;
  return (
    <Notice
      title={
        <>
          {t.common.waitsFor} <Sentence code={code} params={params} text={text} />
        </>
      }
      action={
        typeof id === 'number' && <ButtonLink href={`/activity/${id}`}>{t.common.openJob(id)}</ButtonLink>
      }
    />
  );
}
