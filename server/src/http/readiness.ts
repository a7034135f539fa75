import type { Response } from 'express';
import type { UseCases } from './use-cases.js';

export type LifeStage = 'starting' | 'running' | 'stopping';

const reasons: Record<Exclude<LifeStage, 'running'>, string> = {
  starting: 'The service starts.',
  stopping: 'The service stops.',
};
const withoutStorage = 'The storage does not answer.';
const retrySeconds = 5;

type Answer = { status: 200; body: { status: 'ready' } } | { status: 503; body: { detail: string } };
export type SendReadiness = (res: Response) => Promise<Answer>;

/** An answer, not a failure: whoever asks every second must not fill the log with it. */
export const readinessAnswer =
  ({
    useCases,
    life,
  }: {
    useCases: Pick<UseCases, 'system'>;
    life: { readonly stage: LifeStage };
  }): SendReadiness =>
  async (res) => {
    const reason = async () => {
      if (life.stage !== 'running') return reasons[life.stage];
      return (await useCases.system.getReadiness()) ? null : withoutStorage;
    };
    const detail = await reason();
    if (detail === null) return { status: 200, body: { status: 'ready' } };
    res.setHeader('Retry-After', retrySeconds);
    return { status: 503, body: { detail } };
  };
