import { planRetention } from '@holdfast/contracts/retention';
import { describe, expect, it } from 'vitest';
import { parseCron } from '../../src/backup/schedules/calendar/index.js';
import { simulate } from '../../src/backup/schedules/simulate.js';

const now = Date.parse('2026-11-24T02:00:00Z');
const day = 86_400_000;
const standard = { daily: 7, weekly: 4, monthly: 6, yearly: 1 };

/** Every run as an archive of its own. */
function allRuns(cron: string, zone: string) {
  const rule = parseCron(cron, zone);
  const archives: { id: string; start: number }[] = [];
  for (let at = rule.next(now - 400 * day); at <= now; at = rule.next(at))
    archives.push({ id: String(at), start: at });
  return archives;
}

function oneByOne(archives: { id: string; start: number }[], zone: string, rules: object) {
  const { kept } = planRetention(archives, { ...rules, timeZone: zone });
  const oldest = kept.at(-1)?.archive.start;
  return { made: archives.length, kept: kept.length, oldest: oldest && new Date(oldest).toISOString() };
}

const rules = [
  standard,
  { hourly: 24, daily: 7 },
  { weekly: 3, since: now - 2 * day },
  { hourly: 30, since: now - 90 * 60_000 },
];

describe.each([
  '0 2 * * *',
  '*/30 * * * *',
  '*/10 2 * * *',
  '0 8-18/2 * * 1-5',
  '15,45 * * * 0,6',
  '30 3 1 */2 *',
  '0 2 * * 5#2',
])('simulates %s', (cron) => {
  it.each(['UTC', 'Europe/Berlin', 'Asia/Kathmandu'])(
    'run by run in %s',
    async (zone) => {
      const archives = allRuns(cron, zone);
      // The zone makes no difference between the rules.
      for (const some of zone === 'UTC' ? rules : rules.slice(0, 2)) {
        const { days, ...simulated } = await simulate(parseCron(cron, zone), {
          rules: { ...some, timeZone: zone },
          now,
        });
        expect(simulated).toEqual(oneByOne(archives, zone, some));
        expect(days).toHaveLength(400);
      }
    },
    120_000,
  );
});

it('counts archives on the days of the time zone', async () => {
  const zone = 'Europe/Berlin';
  const { days } = await simulate(parseCron('30 0 * * 1', zone), {
    rules: { weekly: 4, timeZone: zone },
    now,
  });
  const made = days.filter(({ made }) => made > 0);
  expect(made.every(({ date }) => new Date(date).getUTCDay() === 1)).toBe(true);
  expect(days.filter(({ kept }) => kept > 0)).toHaveLength(4);
});

it('takes little time when a schedule runs every minute', async () => {
  const began = performance.now();
  const { made } = await simulate(parseCron('* * * * *'), { rules: standard, now });
  expect(made).toBe(400 * 1_440);
  expect(performance.now() - began).toBeLessThan(20_000);
});
