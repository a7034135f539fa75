import { z } from 'zod';

export const keepCount = z
  .number()
  .int()
  .min(-1, 'must be -1 or more')
  .max(100_000, 'must be at most 100000')
  .openapi({
    description:
      'Number of archives to keep, one for each of the newest periods; 0 turns the rule off, -1 keeps one ' +
      'for each period without limit.',
  });

export const keepWithin = z
  .string()
  .regex(/^[1-9]\d{0,5}[Hdwmy]$/, 'must be a number and one of H, d, w, m, y, for example 48H or 2w')
  .openapi({
    description:
      'Keeps all archives younger than this: hours, days, weeks, months of 31 days, years of 365 days.',
    example: '2d',
  });

/** The rules of a schedule, each as it is given, or absent. */
export const keepRules = {
  prune_keep_hourly: keepCount.optional(),
  prune_keep_daily: keepCount.optional(),
  prune_keep_weekly: keepCount.optional(),
  prune_keep_monthly: keepCount.optional(),
  prune_keep_quarterly: keepCount.optional(),
  prune_keep_yearly: keepCount.optional(),
  prune_keep_within: keepWithin.nullable().optional(),
};
