import type { Finding } from '@holdfast/plugin-api';
import { failed, ok, warning } from './check.js';

/** No machine that runs this software is as old. */
const earliest = Date.UTC(2024, 0, 1);
/** Leases bear some seconds; half of one is what an instance would take from another. */
const bearable = 5_000;
const unbearable = 30_000;

/** `times`: what the clocks of servers said, asked just now. */
export function clockFindings(times: { server: string; time: number }[], now = Date.now()): Finding[] {
  const advice = 'Let the machines keep their time by NTP.';
  if (now < earliest) return [failed(`It is ${new Date(now).toISOString()} here.`, advice)];
  const off = times.map(({ server, time }) => ({ server, by: Math.abs(now - time) }));
  const wrong = off.filter(({ by }) => by > bearable);
  if (wrong.length > 0) {
    return wrong.map(({ server, by }) => {
      const text = `It differs from that of ${server} by ${Math.round(by / 1000)} s.`;
      return by > unbearable ? failed(text, advice) : warning(text, advice);
    });
  }
  const agreeing = times.map(({ server }) => server).join(' and ');
  return [ok(agreeing === '' ? 'It is plausible.' : `It agrees with that of ${agreeing}.`)];
}
