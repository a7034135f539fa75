import { z } from 'zod';
import { id, timestamp } from '../common.js';
import { lastProof } from './drill.js';
import * as field from './fields.js';
import { calendarDay, dayStrip } from './history.js';
import { protectionStatus } from './protection.js';
import { repositoryMode } from './repository.js';
import { reasonCode, sentenceCode, sentenceParams } from './sentence.js';

const bytes = z.number().int().min(0).nullable();
const count = z.number().int();
const waits = {
  reason: z.string().openapi({ example: 'The disk of Home is not connected.' }),
  ...reasonCode,
};

export const sentence = z.object({
  code: sentenceCode.openapi({ example: 'incident_late' }),
  params: sentenceParams.openapi({ example: { repository: 'Home' } }),
  text: z.string().openapi({ example: 'The newest archive is 9.5 h old; the limit is 26 h.' }),
});

export const overviewAttention = sentence.extend({
  cause: z.string().openapi({
    description:
      'In this order: `damaged`, `cannot_open`, `mass_change`, `drill_failed`, `late`, `archives_unsigned`, `host_key_changed`, `delivery_parked`, ' +
      '`storage_full`, `storage_nearly_full`, `schedule_failing`, `planned_too_far`, `retention_paused`, `archive_incomplete`, `list_outdated`, ' +
      '`unknown`, `not_covered`, `no_channel`, `recovery_sheet`. Later releases may add causes.',
    example: 'late',
  }),
  object: z.object({
    kind: z.string().openapi({
      description:
        '`repository`, `connection`, `notification_setting`, `schedule`, or `service` with the id 1.',
      example: 'repository',
    }),
    id,
    name: field.repositoryName,
  }),
  since: timestamp.nullable(),
  incident_id: id.nullable().openapi({ description: 'The open incident about it, if any.' }),
  snoozed_until: timestamp.nullable().openapi({ description: 'Until when that incident is snoozed.' }),
});

export const overviewRepository = z.object({
  id,
  name: field.repositoryName,
  host: z.string().nullable().openapi({
    description: 'Name or address of the host that it is on. Null: the machine of Holdfast.',
    example: 'nas.lan',
  }),
  tags: field.tagsView,
  status: protectionStatus.openapi({
    description:
      'As in the protection report, but from stored data, without running Borg: also `unknown` if the ' +
      'archives were last seen more than 48 hours ago.',
  }),
  damaged: z.boolean(),
  reason: sentence.openapi({ description: 'The decisive reason.' }),
  newest_archive: timestamp.nullable(),
  protected_until: timestamp.nullable(),
  made_externally: z.boolean().openapi({
    description:
      'Another program created the newest archive after the repository was registered and last backed up ' +
      'by Holdfast: that program still backs it up.',
  }),
  archives_as_of: timestamp.nullable().openapi({
    description: 'When its archives were last seen: listed, or created by a Holdfast backup.',
  }),
  archive_count: count.openapi({ example: 31 }),
  size_bytes: bytes.openapi({ description: 'Compressed, deduplicated size on disk.', example: 1_204_117 }),
  free_bytes: bytes.openapi({ description: 'Free space at its location, as last seen.' }),
  mode: repositoryMode.openapi({ description: '`observe`: Holdfast only monitors it.' }),
  next_run: timestamp.nullable(),
  running: z
    .object({
      job_id: id,
      kind: z.string().openapi({ example: 'backup' }),
      percent: z.number().int().min(0).max(100),
      seconds_remaining: z.number().int().nullable().openapi({ description: 'Null when unknown.' }),
    })
    .nullable(),
  last_check: timestamp.nullable().openapi({ description: 'The last full check that passed.' }),
  last_restore: timestamp.nullable().openapi({
    description: 'The last restore that restored everything requested without a warning.',
  }),
  ...lastProof,
  days: dayStrip,
});

export const overviewFigures = z.object({
  stored_bytes: z
    .array(z.number().int())
    .nullable()
    .openapi({
      description:
        'The sum of all repositories at the end of each day from `first_day` to `last_day`, today as of now. Null until ' +
        'one is known.',
      example: [1_204_117],
    }),
  jobs_today: z
    .object({
      done: count.openapi({ description: 'With or without warnings.', example: 61 }),
      failed: count.openapi({ example: 0 }),
    })
    .openapi({ description: 'Jobs that ended on `last_day`.' }),
  first_full: z
    .object({
      repository_id: id,
      name: field.repositoryName,
      host: z.string().nullable(),
      free_bytes: z.number().int().openapi({ example: 12_000_000_000 }),
      at: timestamp,
    })
    .nullable()
    .openapi({
      description:
        'The repository whose disk fills up first at the rate of these days. Null: none within 20 years, or less than a ' +
        'week is known.',
    }),
});

const state = z.enum(['empty', 'damaged', 'late', 'unknown', 'protected']).openapi({
  description: 'The worst state of any repository. `empty`: there are no repositories.',
});

export const overview = z.object({
  success: z.literal(true),
  as_of: timestamp,
  headline: sentence.extend({ state }),
  counts: z.object({
    total: count,
    protected: count,
    late: count,
    unknown: count,
    damaged: count.openapi({ description: 'Each of them is also late or unknown.' }),
    running: count.openapi({ description: 'Running jobs.' }),
    pending: count.openapi({ description: 'Jobs that wait.' }),
    incidents: count.openapi({ description: 'Open incidents.' }),
    external: count.openapi({ description: 'Repositories with `made_externally`.' }),
  }),
  figures: overviewFigures,
  moved_in: z
    .object({
      total: count,
      observed: count.openapi({
        description: 'Those of them in observe mode: Holdfast does not back them up.',
      }),
      first_backup: timestamp
        .nullable()
        .openapi({ description: 'When Holdfast backs up the next of the others for the first time.' }),
    })
    .openapi({ description: 'Repositories with archives, none of them created by Holdfast yet.' }),
  oldest_newest_archive: z
    .object({ repository_id: id, name: field.repositoryName, at: timestamp })
    .nullable()
    .openapi({ description: 'The repository whose newest archive is the oldest.' }),
  next_run: z.object({ schedule_id: id, name: field.scheduleName, at: timestamp }).nullable(),
  paused: z
    .array(z.object({ schedule_id: id.nullable(), name: field.scheduleName.nullable(), until: timestamp }))
    .openapi({ description: 'Schedules that are paused, with null for all schedules first.', example: [] }),
  waiting: z
    .array(z.object({ schedule_id: id, name: field.scheduleName, planned_at: timestamp, ...waits }))
    .openapi({
      description: 'Runs that wait for their conditions, or to try again; at most 20.',
      example: [],
    }),
  attention: z.array(overviewAttention).openapi({ description: 'The most urgent first; at most 100.' }),
  attention_total: count,
  timezone: field.zoneName,
  first_day: calendarDay.openapi({ description: 'The day of the first letter in `days`.' }),
  last_day: calendarDay,
  repositories: z.array(overviewRepository),
});

export const statusSummary = z.object({
  success: z.literal(true),
  state,
  text: z.string().openapi({ example: 'Protected: 4 of 4 repositories.' }),
  problem: z.string().nullable().openapi({
    description: 'The most urgent that needs attention, shortened to 250 bytes.',
    example: 'The newest archive is 30 h old; the limit is 26 h.',
  }),
  attention: count.openapi({ description: 'Number of things that need attention.' }),
  repositories: count,
  protected: count,
  late: count,
  unknown: count,
  damaged: count.openapi({ description: 'Each of them is also late or unknown.' }),
  running: count.openapi({ description: 'Running jobs.' }),
  incidents: count.openapi({ description: 'Open incidents.' }),
  oldest_newest_archive: timestamp.nullable().openapi({
    description: 'The newest archive of each repository: the oldest of them.',
  }),
  last_verified_restore: timestamp.nullable().openapi({
    description: 'When a restore drill of any repository last passed.',
  }),
  next_run: timestamp.nullable(),
  stored_bytes: bytes.openapi({ description: 'Of all repositories, as last seen.', example: 1_204_117 }),
});

export type StatusSummary = z.infer<typeof statusSummary>;
export type OverviewFigures = z.infer<typeof overviewFigures>;
export type Sentence = z.infer<typeof sentence>;
export type OverviewAttention = z.infer<typeof overviewAttention>;
export type OverviewRepository = z.infer<typeof overviewRepository>;
export type Overview = z.infer<typeof overview>;
