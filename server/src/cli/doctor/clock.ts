import type { Finding } from '@holdfast/plugin-api';
import { failed, ok, warning } from './check.js';

/** Earlier times are wrong: this software did not exist yet. */
const earliest = Date.UTC(2024, 0, 1);
/**
 * Leases tolerate a few seconds. With half a lease of difference an instance would take over the jobs of
 * another one.
 */
const warnAboveMs = 5_000;
const failAboveMs = 30_000;

/** `times`: the current time of other servers, in milliseconds since the epoch. */
export function clockFindings(times: { server: string; time: number }[], now = Date.now()): Finding[] {
  const advice = 'Synchronise the clocks with NTP.';
  if (now < earliest)
    return [failed(`The clock of this server says ${new Date(now).toISOString()}.`, advice)];
  const off = times.map(({ server, time }) => ({ server, by: Math.abs(now - time) }));
  const wrong = off.filter(({ by }) => by > warnAboveMs);
  if (wrong.length > 0) {
    return wrong.map(({ server, by }) => {
      const text = `The clock differs from that of ${server} by ${Math.round(by / 1000)} s.`;
      return by > failAboveMs ? failed(text, advice) : warning(text, advice);
    });
  }
  const agreeing = times.map(({ server }) => server).join(' and ');
  return [ok(agreeing === '' ? 'The clock is plausible.' : `The clock agrees with that of ${agreeing}.`)];
}
