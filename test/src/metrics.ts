import { spawnSync } from 'node:child_process';

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** The samples of a text in the format of Prometheus. */
export const samplesOf = (text: string): Sample[] =>
  text
    .split('\n')
    .map((line) => /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, name = '', labels = '', value = '']) => ({
      name,
      labels: labelsOf(labels),
      value: Number(value),
    }));

/** Labels and value of each sample of one metric, named without its prefix. */
export const pick = (samples: readonly Sample[], metric: string) =>
  samples.filter((sample) => sample.name === `bk_${metric}`).map(({ labels, value }) => [labels, value]);

const labelsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [
      name,
      unescaped(value),
    ]),
  );

const unescaped = (value: string): string =>
  value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));

/** What Prometheus' own tool has to say against a text of metrics, a line each. */
export function problemsOf(text: string): string[] {
  const promtool = process.env.HOLDFAST_PROMTOOL || 'promtool';
  const { stdout, stderr, error } = spawnSync(promtool, ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });
  if (error) throw error;
  return `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
}
