import { isDeep } from '../../lane.js';
import type { FuzzOptions } from './fuzz-routes.js';

/** What `npm run fuzz` chooses; small by default, with another seed each time. */
export const fuzzOptions: FuzzOptions & { route: string; figures: boolean } = {
  seed: Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31)),
  rounds: Number(process.env.FUZZ_ROUNDS ?? (isDeep ? 3 : 1)),
  requests: isDeep ? 6 : 2,
  budgetMs: Number(process.env.FUZZ_SECONDS ?? 20) * 1000,
  /** Part of the name of the routes that are called. */
  /** Whether it prints which statuses each route answered. */
  figures: process.env.FUZZ_FIGURES === '1',
  route: process.env.FUZZ_ROUTE ?? '',
};
