import { DeliveryError } from '../../kernel/errors.js';
import type { NotificationTransport } from '../../ports/plugin.js';
import { reasonOf } from '../../kernel/reason-of.js';
import type { Guarded } from './guarded.js';

/** Who calls `send` bounds it in time; here its errors become ones that can be read. */
export function guardedTransport(
  transport: NotificationTransport,
  { name, log }: Guarded,
): NotificationTransport {
  const schemes = [...transport.schemes];
  return {
    schemes,
    check(url) {
      try {
        const fault: unknown = transport.check?.(url);
        if (fault === undefined || fault === null || fault === '') return null;
        if (typeof fault === 'string') return fault;
        Promise.resolve(fault).catch(() => undefined);
        log.warn('a transport gave no answer about a URL', { answer: typeof fault });
        return null;
      } catch (error) {
        return `${name} could not look at the URL: ${reasonOf(error)}.`;
      }
    },
    async send(url, message, options) {
      try {
        await transport.send(url, { ...message }, options);
      } catch (error) {
        throw new DeliveryError(`${reasonOf(error)}.`, { retryable: !isFinal(error) });
      }
    },
  };
}

/** A plugin may carry its own copy of DeliveryError. */
function isFinal(error: unknown): boolean {
  try {
    return (
      (error as { retryable?: unknown } | null | undefined)?.retryable === false && error instanceof Error
    );
  } catch {
    return false;
  }
}
