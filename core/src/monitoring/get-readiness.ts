import { withinTime } from '../kernel/within-time.js';
import { settings } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { askPlugins } from './plugin-health.js';

/** How long an answer stands, and how long the storage has for one, in milliseconds. */
const freshFor = 1_000;
const answerWithin = 2_000;

/**
 * Whether the storage answers a question now, and its plugin finds it well: one that takes no changes is not. Asked
 * once a second at most, by however many.
 */
export const getReadiness = (needs: Pick<Dependencies, 'storage' | 'clock' | 'plugins'>) => {
  const { storage, clock } = needs;
  const plugins = askPlugins(needs);
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer = Promise.resolve(false);
  let open: Promise<unknown> | null = null;
  const question = () => {
    // A storage that hangs is not asked once more for each who wants to know.
    open ??= storage.find(settings, { limit: 1 }).finally(() => {
      open = null;
    });
    return open;
  };
  const answers = () =>
    withinTime(answerWithin, question, () => new Error('late')).then(
      () => true,
      () => false,
    );
  const ask = async () =>
    (await answers()) && !(await plugins()).some(({ kind, health }) => kind === 'storage' && health !== null);
  return (): Promise<boolean> => {
    const now = clock.now();
    if (Math.abs(now - askedAt) >= freshFor) {
      askedAt = now;
      answer = ask();
    }
    return answer;
  };
};
