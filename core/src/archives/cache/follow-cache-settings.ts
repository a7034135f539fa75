import type { CacheChoice } from './cache-control.js';
import type { Dependencies } from '../../dependencies.js';
import { currentCacheChoice, storedCacheSettings } from './cache-choice.js';

type Needs = Pick<Dependencies, 'cacheControl' | 'storage' | 'secrets' | 'redactor' | 'settings' | 'log'>;

const everyMs = 3_000;

/**
 * Takes over the settings that another instance stores, within seconds, for one row that is read each time. What
 * can't be set up here is told once, and left until it changes again. Returns the end.
 */
export function followCacheSettings(needs: Needs, intervalMs = everyMs): () => void {
  const { storage, log } = needs;
  let seen: string | null = null;
  let isLooking = false;
  const look = async () => {
    const stored = JSON.stringify(await storedCacheSettings(storage));
    if (stored === seen) return;
    seen = stored;
    await takeOver(needs);
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) =>
        log.warn('the stored settings of the cache could not be taken over', { error }),
      )
      .finally(() => {
        isLooking = false;
      });
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Nothing changes where it was this instance that stored them. */
async function takeOver(needs: Needs): Promise<void> {
  const choice = await currentCacheChoice(needs);
  if (isSame(choice, needs.cacheControl.choice)) return;
  await needs.cacheControl.begin(choice);
  needs.log.info('the cache is set up as the stored settings say');
}

const isSame = (a: CacheChoice, b: CacheChoice): boolean =>
  (Object.keys(a) as (keyof CacheChoice)[]).every((key) => a[key] === b[key]);
