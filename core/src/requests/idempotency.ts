import type { Dependencies } from '../dependencies.js';
import { IdempotentCalls } from './idempotent-calls.js';

export const idempotencyUseCases = (
  dependencies: Pick<Dependencies, 'storage' | 'clock' | 'secrets' | 'log'>,
) => new IdempotentCalls(dependencies);
