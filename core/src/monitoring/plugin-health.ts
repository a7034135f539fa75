import type { PluginDescription } from '../plugins/plugin-host.js';
import { withinTime } from '../kernel/within-time.js';
import type { Dependencies } from '../dependencies.js';

/**
 * How long the plugins' answer stands, and how long a question to them may hold up a request, in milliseconds. From the
 * first time on they are asked again beside the request, so that who asks often never waits for them.
 */
const askAgainAfter = 1_000;
const freshFor = 2_000;
const answerWithin = 500;

/** How the plugins are: as they say now, or as they said last when they don't answer soon; at first nothing. */
export function askPlugins({
  plugins,
  clock,
}: Pick<Dependencies, 'plugins' | 'clock'>): () => Promise<PluginDescription[]> {
  let told: PluginDescription[] = [];
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;
  const ask = async () => {
    told = await plugins.describe();
    askedAt = clock.now();
  };
  const askOnce = () => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };
  return async () => {
    const age = Math.abs(clock.now() - askedAt);
    if (age >= askAgainAfter) {
      const asked = withinTime(answerWithin, askOnce, () => new Error('late')).catch(() => undefined);
      if (age >= freshFor) await asked;
    }
    return told;
  };
}
