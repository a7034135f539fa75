import { pauseReason } from '../../backup/maintenance/index.js';
import { isSpaceError, openErrorOf } from '../../backup/repositories/index.js';
import { asReason, humanSize, isoTime, lastErrorOf, say } from '../../foundation/kernel/index.js';
import { isBelow, nearlyFull } from '../monitoring/index.js';
import type { Cause, Ending, Finding, ObjectId } from './incident.rules.js';
import type { IncidentFacts, RepositoryFact } from './incident-facts.js';

export interface CauseRule {
  /** What is wrong now. `isOpen`: whether there is an incident about this object already. */
  find(facts: IncidentFacts, isOpen: (object: ObjectId) => boolean): Omit<Finding, 'cause'>[];
  /** Why the incident about an object that still exists is over; null while that can't be told. */
  ending(facts: IncidentFacts, object: ObjectId): Ending | null;
  /** Only what lasts this long is an incident. Milliseconds. */
  afterMs?: number;
}

const minuteMs = 60_000;
/** After a start, a repository whose backup waits or runs gets this long before it counts as late. */
export const graceAfterStartMs = 10 * minuteMs;

const objectOf = ({ row: { id, name } }: RepositoryFact) => ({ kind: 'repository' as const, id, name });
const repositoryOf = ({ repositories }: IncidentFacts, id: number) =>
  repositories.find(({ row }) => row.id === id);
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').slice(0, 500);
const hours = (ms: number): number => Math.round(ms / 360_000) / 10;

/** The same judgement as GET /api/system/protection. */
const late: CauseRule = {
  find: (facts, isOpen) =>
    facts.repositories.flatMap((each) => {
      const { row, protection, newestArchive: newest } = each;
      const { promise, until } = protection;
      if (protection.state !== 'late' || promise === null) return [];
      const justStarted = facts.now - facts.startedAt < graceAfterStartMs && facts.backingUp.has(row.id);
      if (justStarted && !isOpen(objectOf(each))) return [];
      const [repository, promised_hours] = [row.name, hours(promise.ageMs)];
      const message =
        newest === null
          ? say`incident_late_without_archive: ${{ repository }} has no archive; the first was due within ${{ promised_hours }} h.`
          : say`incident_late: The newest archive of ${{ repository }} is of ${{ newest_archive: isoTime(newest) }}; it should be at most ${{ promised_hours }} h old.`;
      const since = until ?? row.created_at + promise.ageMs;
      return [{ object: objectOf(each), repositoryIds: [row.id], since, message }];
    }),
  ending(facts, { id }) {
    const { protection, newestArchive } = repositoryOf(facts, id) as RepositoryFact;
    if (protection.state === 'protected') {
      const newest_archive = isoTime(newestArchive ?? facts.now);
      return {
        message: say`incident_over_late: There is an archive of ${{ newest_archive }}.`,
        tell: true,
      };
    }
    // In any other case it is not known whether there is a recent archive.
    if (protection.promise !== null) return null;
    return { message: say`incident_over_no_promise: No backup is promised any more.`, tell: false };
  },
};

const damaged: CauseRule = {
  find: ({ repositories, now }) =>
    repositories.flatMap((each) => {
      if (!each.protection.damaged) return [];
      const found = each.figures.last.check?.damaged;
      const repository = each.row.name;
      const message = found
        ? say`incident_damaged: Check job ${{ job_id: found.jobId }} found damage in ${{ repository }}.`
        : say`incident_damaged_unknown_job: A check found damage in ${{ repository }}.`;
      const since = found?.endedAt ?? now;
      return [{ object: objectOf(each), repositoryIds: [each.row.id], since, message }];
    }),
  ending(facts, { id }) {
    const { damagedArchives: count, row } = repositoryOf(facts, id) as RepositoryFact;
    const message =
      count === 0
        ? say`incident_over_damaged: A later check found no damage that counts.`
        : say`incident_over_damaged_archives: The repository itself is sound again, but archives stay damaged: ${{ count }} of ${{ total: row.archive_count }}. Do not rely on them.`;
    return { message, tell: true };
  },
};

const doesNotOpen: CauseRule = {
  // A missing mount often comes back by itself.
  afterMs: 5 * minuteMs,
  find: ({ repositories }) =>
    repositories.flatMap((each) => {
      const { id, name, open_error_at, open_error_kind } = each.row;
      const error = openErrorOf(each.row)?.map(oneLine);
      if (!error || isSpaceError(open_error_kind)) return [];
      const message =
        say`incident_does_not_open: ${{ repository: name }} cannot be opened: ${{ reason: error.text }}`.with(
          asReason(error),
        );
      return [{ object: objectOf(each), repositoryIds: [id], since: open_error_at ?? 0, message }];
    }),
  ending: () => ({ message: say`incident_over_does_not_open: The repository opens again.`, tell: true }),
};

/** Where the installed borg refuses them, the repository does not open. */
const archivesUnsigned: CauseRule = {
  find: ({ repositories, now }) =>
    repositories.flatMap((each) => {
      const { id, name: repository, open_error, unsigned_archives: count } = each.row;
      if (count === 0 || open_error !== null) return [];
      const message = say`incident_archives_unsigned: ${{ count }} archives of ${{ repository }} are not signed: borg before 1.2.5 renamed or repaired them. It still reads them, but a newer borg refuses them, and its repair deletes them. Sign them.`;
      return [{ object: objectOf(each), repositoryIds: [id], since: now, message }];
    }),
  ending: (facts, { id }) =>
    repositoryOf(facts, id)?.row.open_error === null
      ? {
          message: say`incident_over_archives_unsigned: All archives that are still there are signed.`,
          tell: true,
        }
      : null,
};

const hostKeyChanged: CauseRule = {
  find: ({ connections, repositories, now }) =>
    connections.flatMap(({ id, host, port, username, status }) => {
      if (status !== 'host_key_changed') return [];
      const name = `${username}@${host}:${port}`;
      const uses = repositories.filter(({ row }) =>
        [row.connection_id, row.source_connection_id].includes(id),
      );
      const message = say`incident_host_key_changed: ${{ host }} shows another host key than before. Nothing runs there until an administrator accepts the new key.`;
      const object = { kind: 'connection' as const, id, name };
      return [{ object, repositoryIds: uses.map(({ row }) => row.id), since: now, message }];
    }),
  ending: () => ({
    message: say`incident_over_host_key: The host key was accepted, or the former one is shown again.`,
    tell: true,
  }),
};

const deliveryParked: CauseRule = {
  find: ({ parked }) =>
    parked.map(({ id, name, count, last }) => {
      const messages = count === 1 ? '1 message' : `${count} messages`;
      return {
        object: { kind: 'notification_setting', id, name },
        repositoryIds: [],
        since: last,
        message: say`incident_delivery_parked: ${{ messages }} of notification setting ${{ setting: name }} could not be delivered.`,
      };
    }),
  ending: () => ({
    message: say`incident_over_delivery: Messages are delivered again, or none is left.`,
    tell: true,
  }),
};

/** An incident that began below `nearlyFull` ends above this. */
const roomAgain = { share: 0.08, bytes: 2 * 2 ** 30 };

/** The backup tool could not write. */
const storageFull: CauseRule = {
  find: ({ repositories, now }) =>
    repositories.flatMap((each) => {
      const { id, name, open_error_at, open_error_kind } = each.row;
      const error = openErrorOf(each.row);
      if (error === null || !isSpaceError(open_error_kind)) return [];
      const message =
        say`incident_storage_full: Nothing can be written to ${{ repository: name }}: ${{ reason: error.text }}`.with(
          asReason(error),
        );
      return [{ object: objectOf(each), repositoryIds: [id], since: open_error_at ?? now, message }];
    }),
  ending: () => ({ message: say`incident_over_storage_full: It can be written again.`, tell: true }),
};

const storageNearlyFull: CauseRule = {
  find: ({ spaces, now }, isOpen) =>
    spaces.flatMap((space) => {
      if (!isBelow(space, isOpen(space.object) ? roomAgain : nearlyFull)) return [];
      const [free, total] = [humanSize(space.free), humanSize(space.total)];
      const message =
        space.object.kind === 'service'
          ? say`incident_data_folder_nearly_full: ${{ free }} of ${{ total }} are free in the data folder of Holdfast. No job starts when it is nearly full: make room there.`
          : say`incident_storage_nearly_full: ${{ free }} of ${{ total }} are free where ${{ repositories: space.repositories }} are stored.`;
      return [{ object: space.object, repositoryIds: space.repositoryIds, since: now, message }];
    }),
  ending({ spaces }, { kind, id }) {
    const space = spaces.find(({ object }) => object.kind === kind && object.id === id);
    if (!space) return null;
    const free = humanSize(space.free);
    return { message: say`incident_over_storage: ${{ free }} are free again.`, tell: true };
  },
};

const scheduleFailing: CauseRule = {
  find: ({ schedules, repositoriesOf, now }) =>
    schedules.flatMap(({ id, name, enabled, last_run, ...row }) => {
      const repositoryIds = repositoriesOf(id);
      // The service disables a schedule when it removes its last repository.
      const error = lastErrorOf(row)?.map(oneLine);
      if (!error || (!enabled && repositoryIds.length > 0)) return [];
      const reason = error.text;
      const message = enabled
        ? say`incident_schedule_failing: The last run of schedule ${{ schedule: name }} failed: ${{ reason }}`
        : say`incident_schedule_disabled: Schedule ${{ schedule: name }} was disabled: ${{ reason }}`;
      const object = { kind: 'schedule' as const, id, name };
      return [{ object, repositoryIds, since: last_run ?? now, message: message.with(asReason(error)) }];
    }),
  ending({ schedules, running }, { id }) {
    const { enabled, last_error } = schedules.find((row) => row.id === id) ?? {};
    if (last_error !== null && !enabled) {
      return { message: say`incident_over_switched_off: A person switched the schedule off.`, tell: false };
    }
    // A run that has begun has no error yet.
    if (running.has(id)) return null;
    return { message: say`incident_over_schedule: The schedule ran without an error.`, tell: false };
  },
};

/** Of the schedules of one repository together. */
const retentionPaused: CauseRule = {
  find: ({ pauses, repositories, schedules }) =>
    repositories.flatMap((each) => {
      const here = pauses.filter(({ repository_id }) => repository_id === each.row.id);
      const [first] = here.sort((a, b) => a.since - b.since);
      if (!first) return [];
      const ids = new Set(here.map(({ schedule_id }) => schedule_id));
      const names = schedules.filter(({ id }) => ids.has(id)).map(({ name }) => name);
      const [repository, error] = [each.row.name, pauseReason(first).map(oneLine)];
      const message =
        say`incident_retention_paused: Schedules ${{ schedules: names }} prune nothing in ${{ repository }} until a person lifts the pause: ${{ reason: error.text }}`.with(
          asReason(error),
        );
      return [{ object: objectOf(each), repositoryIds: [each.row.id], since: first.since, message }];
    }),
  ending: () => ({ message: say`incident_over_retention: The pause was lifted.`, tell: true }),
};

/** Also when a drill could not be made: nobody proves the repository then. */
const drillFailed: CauseRule = {
  find: ({ repositories }) =>
    repositories.flatMap((each) => {
      const { failed_at: since, failed_job_id: job_id, failure } = each.drills ?? {};
      if (since == null) return [];
      const reason = oneLine(failure ?? '');
      const message = say`incident_drill_failed: Drill job ${{ job_id: job_id ?? 0 }} of ${{ repository: each.row.name }} failed: ${{ reason }}`;
      return [{ object: objectOf(each), repositoryIds: [each.row.id], since, message }];
    }),
  ending(facts, { id }) {
    const { proved_files: files } = repositoryOf(facts, id)?.drills ?? {};
    return {
      message: say`incident_over_drill: A later drill restored ${{ files: files ?? 0 }} files as they were saved.`,
      tell: true,
    };
  },
};

/** Clock changes, and instances whose clocks differ. */
const planSlackMs = 3 * 3_600_000;

/** Its next run is further away than two of its runs can ever be apart. */
const plannedTooFar: CauseRule = {
  find: ({ plans, now }) =>
    plans.flatMap(({ object, repositoryIds, name, gapMs, next }) => {
      if (gapMs === null || next <= now + gapMs + planSlackMs) return [];
      const message = say`incident_planned_too_far: ${{ name }} has its next run only at ${{ next_run: isoTime(next) }}, although it runs at least every ${{ hours: hours(gapMs) }} h: a clock was wrong.`;
      return [{ object, repositoryIds, since: now, message }];
    }),
  ending: () => ({
    message: say`incident_over_planned_too_far: The next run is planned in time again.`,
    tell: true,
  }),
};

export const causeRules: Record<Cause, CauseRule> = {
  late,
  damaged,
  does_not_open: doesNotOpen,
  archives_unsigned: archivesUnsigned,
  host_key_changed: hostKeyChanged,
  delivery_parked: deliveryParked,
  storage_full: storageFull,
  storage_nearly_full: storageNearlyFull,
  schedule_failing: scheduleFailing,
  retention_paused: retentionPaused,
  drill_failed: drillFailed,
  planned_too_far: plannedTooFar,
};
