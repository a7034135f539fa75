/** One metric with its current samples, which may be none. All metrics are gauges. */
export interface Metric {
  name: string;
  help: string;
  labels: readonly string[];
  samples: MetricSample[];
}

export interface MetricSample {
  labels: Record<string, string>;
  value: number;
}

/** Leaves out unknown samples: absent is not 0. */
export const metric = (
  name: string,
  help: string,
  labels: readonly string[],
  samples: readonly (MetricSample | null)[],
): Metric => ({ name: `bk_${name}`, help, labels, samples: samples.filter((each) => each !== null) });

/** A sample, or null when its value is unknown. */
export const sample = (
  labels: Record<string, string>,
  value: number | null | undefined,
): MetricSample | null => (value === null || value === undefined ? null : { labels, value });

/** Metrics report instants in Unix seconds. */
export const unixSeconds = (at: number | null | undefined): number | null =>
  at === null || at === undefined ? null : at / 1000;
