import type { ConformanceCase } from './case.js';
import { deliveringCases } from './notifier/delivering.js';
import { excessCases } from './notifier/excess.js';
import { failingCases } from './notifier/failing.js';
import type { NotifierSuiteOptions } from './notifier/harness.js';

export type { NotifierSuiteOptions } from './notifier/harness.js';

/** The promises of a NotificationTransport, over HTTP servers of its own on 127.0.0.1. Cases may run side by side. */
export function notifierSuite(options: NotifierSuiteOptions): ConformanceCase[] {
  return [...deliveringCases(options), ...failingCases(options), ...excessCases(options)];
}
