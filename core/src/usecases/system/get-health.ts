import type { PluginDescription } from '../../runtime/plugin-host.js';
import { withinTime } from '../../runtime/within-time.js';
import type { Dependencies } from '../dependencies.js';

/** How long the plugins' answer stands, and how long a question to them may hold up a request, in milliseconds. */
const freshFor = 2_000;
const answerWithin = 500;

type Needs = Pick<Dependencies, 'plugins' | 'clock'>;

/**
 * `status` is healthy whenever there is an answer. `ready`: the storage works. `degraded`: what does not, in words
 * for anybody; the plugin's own words may tell of addresses and paths, and are for administrators.
 */
export const getHealth = (needs: Needs) => {
  const findUnwell = makeFinder(needs);
  return async () => {
    const unwell = await findUnwell();
    return {
      status: 'healthy' as const,
      service: 'holdfast' as const,
      ready: !unwell.some(({ kind }) => kind === 'storage'),
      degraded: unwell.map(
        ({ kind, id }) => `The ${kind} plugin ${id} is not well; GET /api/plugins tells administrators why.`,
      ),
    };
  };
};

/** The plugins that are not well: as they say now, or as they said last when they don't answer soon. */
function makeFinder({ plugins, clock }: Needs): () => Promise<PluginDescription[]> {
  let unwell: PluginDescription[] = [];
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;
  const ask = async () => {
    const found = await plugins.describe();
    unwell = found.filter(({ health }) => health !== null);
    askedAt = clock.now();
  };
  const askOnce = () => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };
  return async () => {
    if (Math.abs(clock.now() - askedAt) >= freshFor) {
      await withinTime(answerWithin, askOnce, () => new Error('late')).catch(() => undefined);
    }
    return unwell;
  };
}
