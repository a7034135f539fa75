import cronstrue from 'cronstrue';

/** What a cron expression means, in words. Expects one that `parseCron` takes. */
export function describeCron(expression: string): string {
  try {
    return cronstrue.toString(expression, { use24HourTimeFormat: true });
  } catch {
    return `As the cron expression ${expression} says`;
  }
}
