/** One metric with its samples as they are now. All are gauges; one without samples is told without any. */
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

/** `samples` that are not known are left out: absent is not 0. */
export const metric = (
  name: string,
  help: string,
  labels: readonly string[],
  samples: readonly (MetricSample | null)[],
): Metric => ({ name: `bk_${name}`, help, labels, samples: samples.filter((each) => each !== null) });

/** A sample, or null when its value is not known. */
export const sample = (
  labels: Record<string, string>,
  value: number | null | undefined,
): MetricSample | null => (value === null || value === undefined ? null : { labels, value });

/** Instants are told in Unix seconds. */
export const unixSeconds = (at: number | null | undefined): number | null =>
  at === null || at === undefined ? null : at / 1000;
