import type { Response } from 'express';
import type { UseCases } from './routers/use-cases.js';

export type LifeStage = 'starting' | 'running' | 'stopping';

const reasons = {
  starting: { detail: 'Holdfast is starting.', code: 'service_starting' },
  stopping: { detail: 'Holdfast is stopping.', code: 'service_stopping' },
};
const withoutStorage = { detail: 'The database does not respond.', code: 'storage_unavailable' };
const retrySeconds = 5;

type Answer =
  | { status: 200; body: { status: 'ready' } }
  | { status: 503; body: { detail: string; code: string } };
export type SendReadiness = (res: Response) => Promise<Answer>;

/** A regular response, not an error: frequent health checks must not fill the log. */
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
    const body = await reason();
    if (body === null) return { status: 200, body: { status: 'ready' } };
    res.setHeader('Retry-After', retrySeconds);
    return { status: 503, body };
  };
