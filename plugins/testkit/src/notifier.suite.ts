import type { ConformanceCase } from './case.js';
import { deliveringCases } from './notifier/delivering.js';
import { excessCases } from './notifier/excess.js';
import { failingCases } from './notifier/failing.js';
import type { NotifierSuiteOptions } from './notifier/harness.js';

export type { NotifierSuiteOptions } from './notifier/harness.js';

/**
 * Conformance cases for a NotificationTransport, with their own HTTP servers on 127.0.0.1. They may run in parallel.
 */
export function notifierSuite(options: NotifierSuiteOptions): ConformanceCase[] {
  return [...deliveringCases(options), ...failingCases(options), ...excessCases(options)];
}
