import leven from 'leven';

/** Environment variables other than those of the configuration. */
export interface OtherVariables {
  /** `PLUGIN_…` variables by name. They may contain secrets. */
  pluginVariables: Record<string, string>;
  /** Names that resemble known variables, probably typing errors. */
  unknownVariables: UnknownVariable[];
}

interface UnknownVariable {
  name: string;
  /** The most similar known name. */
  nearest: string | null;
}

const pluginPrefix = 'PLUGIN_';
const prefixes = ['HOLDFAST_', 'KVCACHE_'];
/** Read only by scripts. */
const scriptVariables = ['HOLDFAST_NO_INSTALL'];

/**
 * Names without one of our prefixes count as typing errors only with few differences: short names resemble
 * many others.
 */
const maxDifference = 2;
const allowedDifference = (known: string) => (known.length >= 10 ? maxDifference : known.length >= 6 ? 1 : 0);

export function readOtherVariables(
  environment: NodeJS.ProcessEnv,
  configured: readonly string[],
): OtherVariables {
  const known = [...configured, ...scriptVariables];
  const others = Object.keys(environment).filter((name) => !known.includes(name));
  const ofPlugins = others.filter((name) => name.startsWith(pluginPrefix));
  return {
    pluginVariables: Object.fromEntries(ofPlugins.map((name) => [name, environment[name] ?? ''])),
    unknownVariables: others
      .filter((name) => !ofPlugins.includes(name))
      .flatMap((name) => unknownVariable(name, known) ?? []),
  };
}

/** Removes plugin variables from the environment, so that hooks and tools don't inherit them. */
export function forgetPluginVariables(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) if (name.startsWith(pluginPrefix)) delete environment[name];
}

function unknownVariable(name: string, known: readonly string[]): UnknownVariable | null {
  if (prefixes.some((prefix) => name.startsWith(prefix))) return { name, nearest: nearestOf(name, known) };
  // Skips names of very different length before the expensive comparison.
  const near = known.filter((each) => Math.abs(each.length - name.length) <= maxDifference);
  const nearest = nearestOf(name, near);
  if (nearest === null) return null;
  const difference = leven(name.toUpperCase(), nearest);
  return difference <= allowedDifference(nearest) ? { name, nearest } : null;
}

/** The most similar name, or null if none is similar. */
export function nearestOf(name: string, known: readonly string[]): string | null {
  const text = name.toUpperCase();
  const ranked = known
    .map((each) => ({ each, difference: leven(text, each) }))
    .toSorted((a, b) => a.difference - b.difference);
  const [first] = ranked;
  return first && first.difference <= Math.max(2, text.length / 2) ? first.each : null;
}
