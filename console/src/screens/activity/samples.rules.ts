/** At a time in seconds since 1970, in bytes per second. */
export interface Sample {
  at: number;
  speed: number;
}

const most = 900;
/** Reports come each second while anything changes. */
const longestGap = 30;

/** With one more. A line over a time without reports would be made up: it begins again after one. */
export function withSample(samples: readonly Sample[], next: Sample): Sample[] {
  const last = samples.at(-1);
  if (next.speed <= 0 || (last && next.at <= last.at)) return [...samples];
  if (last && next.at - last.at > longestGap) return [next];
  const all = [...samples, next];
  // Half of them is as good a picture of a long time.
  return all.length > most ? all.filter((_, n) => n % 2 === 0 || n === all.length - 1) : all;
}
