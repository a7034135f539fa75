import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError, type Metric, say } from '@holdfast/core/server';
import type { Request, Response } from 'express';
import { Gauge, Registry } from 'prom-client';
import type { ProcessMetrics } from '../adapters/process-metrics.js';
import type { UseCases } from './routers/use-cases.js';

export interface MetricsParts {
  useCases: Pick<UseCases, 'metrics'>;
  process: ProcessMetrics;
  /** If set, it is required as a bearer token. */
  token: string | undefined;
}

export type SendMetrics = (req: Request, res: Response) => Promise<never>;

/**
 * Answers `/metrics` in the Prometheus text format. Like a download, it never resolves; it can only reject.
 */
export const metricsPage =
  ({ useCases, process, token }: MetricsParts): SendMetrics =>
  async (req, res) => {
    if (token !== undefined && !bringsToken(req, token)) {
      throw new AppError(
        'unauthenticated',
        say`metrics_token_missing: Metrics require METRICS_TOKEN as \`Authorization: Bearer <token>\`.`,
      );
    }
    const measured = await useCases.metrics.collectMetrics();
    const text = `${await render(measured)}\n${await process.text()}`;
    res.status(200).setHeader('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE);
    res.end(text);
    return new Promise<never>(() => {});
  };

function bringsToken(req: Request, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(req.get('authorization') ?? '')?.[1] ?? '';
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}

async function render(metrics: readonly Metric[]): Promise<string> {
  const registry = new Registry();
  for (const { name, help, labels, samples } of metrics) {
    const gauge = new Gauge({ name, help, labelNames: [...labels], registers: [registry] });
    // A gauge without labels starts at 0, which would report a value that is not known.
    if (labels.length === 0) gauge.remove();
    for (const { labels: values, value } of samples) gauge.set(values, value);
  }
  return registry.metrics();
}
