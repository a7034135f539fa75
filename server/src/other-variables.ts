import leven from 'leven';

/** What the environment holds beside the variables that the configuration names. */
export interface OtherVariables {
  /** `PLUGIN_…`, by their names. Secrets may be among them. */
  pluginVariables: Record<string, string>;
  /** Names that look like those of ours and are none. */
  strangeVariables: StrangeVariable[];
}

export interface StrangeVariable {
  name: string;
  /** What may have been meant. */
  nearest: string | null;
}

const pluginPrefix = 'PLUGIN_';
const prefixes = ['HOLDFAST_', 'KVCACHE_'];
/** Read by scripts, not by the service. */
const ofScripts = ['HOLDFAST_NO_INSTALL'];

/** Without a prefix of ours a name is strange when it differs so little: short ones are close to many others. */
const mostDifference = 2;
const allowedDifference = (known: string) =>
  known.length >= 10 ? mostDifference : known.length >= 6 ? 1 : 0;

export function readOtherVariables(
  environment: NodeJS.ProcessEnv,
  configured: readonly string[],
): OtherVariables {
  const known = [...configured, ...ofScripts];
  const others = Object.keys(environment).filter((name) => !known.includes(name));
  const ofPlugins = others.filter((name) => name.startsWith(pluginPrefix));
  return {
    pluginVariables: Object.fromEntries(ofPlugins.map((name) => [name, environment[name] ?? ''])),
    strangeVariables: others
      .filter((name) => !ofPlugins.includes(name))
      .flatMap((name) => strange(name, known) ?? []),
  };
}

/** What a plugin was told is nobody else's: neither hooks nor tools inherit it. */
export function forgetPluginVariables(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) if (name.startsWith(pluginPrefix)) delete environment[name];
}

function strange(name: string, known: readonly string[]): StrangeVariable | null {
  if (prefixes.some((prefix) => name.startsWith(prefix))) return { name, nearest: nearestOf(name, known) };
  // The others need not be measured, of which an environment has many.
  const near = known.filter((each) => Math.abs(each.length - name.length) <= mostDifference);
  const nearest = nearestOf(name, near);
  if (nearest === null) return null;
  const difference = leven(name.toUpperCase(), nearest);
  return difference <= allowedDifference(nearest) ? { name, nearest } : null;
}

/** The name that is most like it; null when none is at all. */
export function nearestOf(name: string, known: readonly string[]): string | null {
  const text = name.toUpperCase();
  const ranked = known
    .map((each) => ({ each, difference: leven(text, each) }))
    .toSorted((a, b) => a.difference - b.difference);
  const [first] = ranked;
  return first && first.difference <= Math.max(2, text.length / 2) ? first.each : null;
}
