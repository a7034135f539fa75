import { pauseReason } from '../../backup/maintenance/index.js';
import { isSpaceError, openErrorOf } from '../../backup/repositories/index.js';
import {
  asReason,
  humanSize,
  isoTime,
  lastErrorOf,
  type Message,
  say,
  together,
} from '../../foundation/kernel/index.js';
import type { RepositoryFacts } from '../monitoring/index.js';
import type { Cause, Ending, Finding, ObjectId } from './incident.rules.js';
import { type IncidentFacts, objectOf, type Space } from './incident-facts.js';

export interface CauseRule {
  /** The current problems. `isOpen`: whether this object already has an incident. */
  find(facts: IncidentFacts, isOpen: (object: ObjectId) => boolean): Omit<Finding, 'cause'>[];
  /** The reason why the incident of an existing object is over; null while unknown. */
  ending(facts: IncidentFacts, object: ObjectId): Ending | null;
  /** Only what lasts this long is an incident. Milliseconds. */
  afterMs?: number;
}

type Found = Pick<Finding, 'since' | 'message'>;

/** Applies to each repository separately. */
const inEach =
  (judge: (each: RepositoryFacts, facts: IncidentFacts) => Found | false | undefined): CauseRule['find'] =>
  (facts) =>
    facts.repositories.flatMap((each) => {
      const found = judge(each, facts);
      return found ? [{ object: objectOf(each), repositoryIds: [each.row.id], ...found }] : [];
    });
const repositoryOf = ({ repositories }: IncidentFacts, id: number) =>
  repositories.find(({ row }) => row.id === id) as RepositoryFacts;
const solved = (message: Message): Ending => ({ message, tell: true });
const forgotten = (message: Message): Ending => ({ message, tell: false });

const maxText = 300;
const oneLine = (text: string): string =>
  text.replace(/\p{Cc}+/gu, ' ').replace(new RegExp(`^(.{${maxText}}).+`, 'su'), '$1…');
const hours = (ms: number): number => Math.round(ms / 360_000) / 10;

/** The same judgement as GET /api/system/protection. */
const late: CauseRule = {
  find: inEach(({ row, protection: { state, promise, until, paused }, newestArchive: newest }) => {
    if (state !== 'late' || promise === null) return;
    const [repository, promised_hours] = [row.name, hours(promise.ageMs)];
    const message =
      newest === null
        ? say`incident_late_without_archive: ${{ repository }} has no archive that counts; the first one was due within ${{ promised_hours }} h.`
        : say`incident_late: ${{ repository }} was last backed up on ${{ newest_archive: isoTime(newest) }}, more than ${{ promised_hours }} h ago.`;
    const said = together(paused ? [message, paused] : [message]) ?? message;
    return { since: until ?? row.created_at + promise.ageMs, message: said };
  }),
  ending(facts, { id }) {
    const { protection, newestArchive } = repositoryOf(facts, id);
    if (protection.state === 'protected') {
      const newest_archive = isoTime(newestArchive ?? facts.now);
      return solved(say`incident_over_late: There is an archive from ${{ newest_archive }}.`);
    }
    // In any other case it is not known whether there is a recent archive.
    if (protection.promise !== null) return null;
    return forgotten(say`incident_over_no_promise: The repository no longer has an age limit.`);
  },
};

const damaged: CauseRule = {
  find: inEach(({ row: { name: repository }, protection, figures: { last } }) => {
    if (!protection.damaged) return;
    const { endedAt: since = null, jobId: job_id } = last.check?.damaged ?? {};
    const message = job_id
      ? say`incident_damaged: Check job ${{ job_id }} found damage in ${{ repository }}: see its log.`
      : say`incident_damaged_unknown_job: A check found damage in ${{ repository }}.`;
    return { since, message };
  }),
  ending(facts, { id }) {
    const { damagedArchives: count, row } = repositoryOf(facts, id);
    return solved(
      count === 0
        ? say`incident_over_damaged: A later check found no damage.`
        : say`incident_over_damaged_archives: The repository itself is intact again, but ${{ count }} of ${{ total: row.archive_count }} archives are still damaged. Do not rely on them.`,
    );
  },
};

/** Whether the tool could not write, or does not open the repository for another cause. */
const openErrors = (isFull: boolean, message: (repository: string, reason: string) => Message) =>
  inEach(({ row }) => {
    const error = openErrorOf(row)?.map(oneLine);
    if (!error || isSpaceError(row.open_error_kind) !== isFull) return;
    return { since: row.open_error_at, message: message(row.name, error.text).with(asReason(error)) };
  });

const cannotOpen: CauseRule = {
  // A missing mount often returns automatically.
  afterMs: 5 * 60_000,
  find: openErrors(
    false,
    (repository, reason) => say`incident_cannot_open: ${{ repository }} cannot be opened: ${{ reason }}`,
  ),
  ending: () => solved(say`incident_over_cannot_open: The repository can be opened again.`),
};

const storageFull: CauseRule = {
  find: openErrors(
    true,
    (repository, reason) =>
      say`incident_storage_full: Nothing can be written to ${{ repository }}: ${{ reason }}`,
  ),
  ending: () => solved(say`incident_over_storage_full: The repository can be written to again.`),
};

/** Where the installed borg refuses them, the repository does not open. */
const archivesUnsigned: CauseRule = {
  find: inEach(({ row: { name: repository, open_error, unsigned_archives: count } }) => {
    if (count === 0 || open_error !== null) return;
    const message = say`incident_archives_unsigned: ${{ count }} archives of ${{ repository }} are not signed: Borg before 1.2.5 renamed or repaired them. It still reads them, but newer Borg versions refuse them, and their repair deletes them. Sign them.`;
    return { since: null, message };
  }),
  ending: (facts, { id }) =>
    repositoryOf(facts, id).row.open_error === null
      ? solved(say`incident_over_archives_unsigned: All remaining archives are signed.`)
      : null,
};

const hostKeyChanged: CauseRule = {
  find: ({ connections, repositoriesAt }) =>
    connections.flatMap(({ id, host, port, username, status }) => {
      if (status !== 'host_key_changed') return [];
      const message = say`incident_host_key_changed: ${{ host }} presents a different host key than before. No job uses it until an administrator accepts the new key.`;
      const object = { kind: 'connection' as const, id, name: `${username}@${host}:${port}` };
      return [{ object, repositoryIds: repositoriesAt(id), since: null, message }];
    }),
  ending: () =>
    solved(
      say`incident_over_host_key: The host key was accepted, or the host presents the previous one again.`,
    ),
};

const deliveryParked: CauseRule = {
  find: ({ parked }) =>
    parked.map(({ id, name, count, since }) => ({
      object: { kind: 'notification_setting', id, name },
      repositoryIds: [],
      since,
      message: say`incident_delivery_parked: Notification channel ${{ setting: name }} could not deliver messages (${{ count }}): see its deliveries, and resend them.`,
    })),
  ending: () => solved(say`incident_over_delivery: Messages are delivered again, or none are left.`),
};

const gibibyte = 2 ** 30;
const nearlyFull = { share: 0.05, bytes: gibibyte };
/** An incident that began below `nearlyFull` ends above this. */
const roomAgain = { share: 0.08, bytes: 2 * gibibyte };

/** Less than the share or the bytes is free; for small file systems the bytes are at most half of them. */
const isBelow = ({ free, total }: Pick<Space, 'free' | 'total'>, limit: typeof nearlyFull): boolean =>
  free < Math.max(total * limit.share, Math.min(limit.bytes, total * 0.5));

const storageNearlyFull: CauseRule = {
  find: ({ spaces }, isOpen) =>
    spaces.flatMap(({ object, repositories, repositoryIds, ...space }) => {
      if (!isBelow(space, isOpen(object) ? roomAgain : nearlyFull)) return [];
      const [free, total] = [humanSize(space.free), humanSize(space.total)];
      const message =
        object.kind === 'service'
          ? say`incident_data_folder_nearly_full: ${{ free }} of ${{ total }} are free in the data folder of Holdfast. No job starts when it is nearly full: free some space.`
          : say`incident_storage_nearly_full: ${{ free }} of ${{ total }} are free where ${{ repositories }} are stored.`;
      return [{ object, repositoryIds, since: null, message }];
    }),
  ending({ spaces }, { kind, id }) {
    const space = spaces.find(({ object }) => object.kind === kind && object.id === id);
    return space
      ? solved(say`incident_over_storage: ${{ free: humanSize(space.free) }} are free again.`)
      : null;
  },
};

const scheduleFailing: CauseRule = {
  find: ({ schedules, repositoriesOf }) =>
    schedules.flatMap(({ id, name, enabled, last_run: since, ...row }) => {
      const repositoryIds = repositoriesOf(id);
      // The service disables a schedule when it removes its last repository.
      const error = lastErrorOf(row)?.map(oneLine);
      if (!error || (!enabled && repositoryIds.length > 0)) return [];
      const reason = error.text;
      const message = enabled
        ? say`incident_schedule_failing: The last run of schedule ${{ schedule: name }} failed: ${{ reason }}`
        : say`incident_schedule_disabled: Schedule ${{ schedule: name }} was disabled: ${{ reason }}`;
      const object = { kind: 'schedule' as const, id, name };
      return [{ object, repositoryIds, since, message: message.with(asReason(error)) }];
    }),
  ending({ schedules, running }, { id }) {
    const { enabled, last_error } = schedules.find((row) => row.id === id) ?? {};
    if (last_error !== null && !enabled) {
      return forgotten(say`incident_over_switched_off: A user disabled the schedule.`);
    }
    // A started run has no error yet.
    if (running.has(id)) return null;
    return forgotten(say`incident_over_schedule: The schedule ran without errors.`);
  },
};

/** Of the schedules of one repository together. */
const retentionPaused: CauseRule = {
  find: inEach(({ row: { id, name: repository } }, { pausesOf, nameOf }) => {
    const pauses = pausesOf(id).toSorted((a, b) => a.since - b.since);
    const [first] = pauses;
    if (!first) return;
    const names = pauses.flatMap(({ schedule_id }) => nameOf(schedule_id) ?? []);
    const error = pauseReason(first).map(oneLine);
    const message = say`incident_retention_paused: ${{ repository }}: ${{ reason: error.text }}. Pruning is paused until you resume it (${{ schedules: names }}).`;
    return { since: first.since, message: message.with(asReason(error)) };
  }),
  ending: () => solved(say`incident_over_retention: Pruning was resumed.`),
};

const massChange: CauseRule = {
  find: inEach(({ row: { name: repository, mass_change, mass_change_at: since } }) => {
    if (!mass_change) return;
    const { archive, before, files_before, changed, removed } = mass_change;
    const message = say`incident_mass_change: ${{ repository }}: of ${{ files_before }} files in archive ${{ before: before.name }}, ${{ changed }} changed and ${{ removed }} were removed in ${{ archive: archive.name }}. Nothing is pruned until you accept the changes.`;
    return { since, message };
  }),
  ending: () => solved(say`incident_over_mass_change: The changes were accepted.`),
};

/** Also if a drill could not run, because the repository is then untested. */
const drillFailed: CauseRule = {
  find: inEach(({ row: { name: repository }, drills }) => {
    const { failed_at: since, failed_job_id: job_id, failure } = drills ?? {};
    if (since == null) return;
    const reason = oneLine(failure ?? '');
    const message = say`incident_drill_failed: Drill job ${{ job_id: job_id ?? 0 }} of ${{ repository }} failed: ${{ reason }}`;
    return { since, message };
  }),
  ending(facts, { id }) {
    const files = repositoryOf(facts, id).drills?.passed_files ?? 0;
    return solved(say`incident_over_drill: A later drill restored ${{ files }} files as they were saved.`);
  },
};

/** Clock changes, and instances whose clocks differ. */
const planSlackMs = 3 * 3_600_000;

/** Its next run is further away than two of its runs can ever be apart. */
const plannedTooFar: CauseRule = {
  find: ({ plans, now }) =>
    plans.flatMap(({ object, repositoryIds, name, gapMs, next }) => {
      if (gapMs === null || next <= now + gapMs + planSlackMs) return [];
      const message = say`incident_planned_too_far: The next run of ${{ name }} is not until ${{ next_run: isoTime(next) }}, although it runs at least every ${{ hours: hours(gapMs) }} h: a clock was wrong.`;
      return [{ object, repositoryIds, since: null, message }];
    }),
  ending: () => solved(say`incident_over_planned_too_far: The next run is scheduled in time again.`),
};

export const causeRules: Record<Cause, CauseRule> = {
  late,
  damaged,
  cannot_open: cannotOpen,
  archives_unsigned: archivesUnsigned,
  host_key_changed: hostKeyChanged,
  delivery_parked: deliveryParked,
  storage_full: storageFull,
  storage_nearly_full: storageNearlyFull,
  schedule_failing: scheduleFailing,
  retention_paused: retentionPaused,
  drill_failed: drillFailed,
  planned_too_far: plannedTooFar,
  mass_change: massChange,
};
