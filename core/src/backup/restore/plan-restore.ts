import { randomUUID } from 'node:crypto';
import type { RestoreInput, RestorePlanView } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import type { BackupDriver, OperationOptions, RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { Caller } from '../../foundation/kernel/index.js';
import { conflict, forbidden, invalid, notFound, say } from '../../foundation/kernel/index.js';
import { type ArchiveNeeds, findArchive, parseArchivePath, readWithTool } from '../archives/index.js';
import { rewriteInventory } from '../repositories/index.js';
import { type RepositoryRow, repositories } from '../repositories/tables.js';
import type { RestoreNeeds } from './needs.js';
import { commonDepth, type RestoreOrder } from './restore.rules.js';
import { restorePlanView } from './restore-view.js';
import { type Judged, obstaclesOf } from './stage/judge-survey.js';
import { Survey } from './stage/survey.js';
import { existingAbove, freeBytes, type RestoreTarget } from './stage/target-files.fs.js';
import { restorePlans } from './tables.js';
import { atTarget, type TargetNeeds } from './targets.js';

type Needs = OrderNeeds & Pick<RestoreNeeds, 'driver'>;

const lifeMs = 60 * 60_000;

/**
 * Calculates the effect of a restore and stores the plan for an hour, for the requesting user. Writes nothing
 * to the target. Throws like `makeOrder`, and `conflict` while the repository is in use.
 */
export const planRestore = (needs: Needs) => {
  const make = makeOrder(needs);
  return async (caller: Caller, input: RestoreInput, signal?: AbortSignal): Promise<RestorePlanView> => {
    const made = await make(caller, input);
    const judged = await judgeMade(needs, made, signal);
    const now = needs.clock.now();
    await needs.storage.remove(restorePlans, { expires_at: { lt: now }, job_id: null });
    const plan = await needs.storage.insert(restorePlans, {
      key: randomUUID(),
      requested_by: caller.username,
      order: made.order,
      stamps: judged.survey.stamps,
      obstacles: obstaclesOf(judged).map(String),
      expires_at: now + lifeMs,
    });
    return restorePlanView(plan, made.repository, judged);
  };
};

const judgeMade = (needs: Needs, { order, repository }: MadeOrder, signal?: AbortSignal): Promise<Judged> =>
  atTarget(needs, order.destinationConnectionId, async (place) => {
    const survey = await readWithTool(needs, repository, {
      what: `restore plan of archive ${order.archive}`,
      signal,
      work: async (target, options) => {
        const [followed, surveyed] = await Promise.allSettled([
          followArchive(needs, { order, target, options }),
          surveyArchive(needs.driver, { target, order, options, place }),
        ]);
        if (followed.status === 'rejected') throw followed.reason;
        if (surveyed.status === 'rejected') throw surveyed.reason;
        return surveyed.value;
      },
    });
    const judged = await judge(needs, { survey, order, place });
    if (!judged.canSetOwners) return judged;
    const known = judged.owners.map(async (owner) => ({ ...owner, there: await place.whoIs(owner) }));
    return { ...judged, owners: await Promise.all(known) };
  });

/** Throws AppError `forbidden` unless a limited caller may restore there. */
export function refuseOtherPlaces(
  { limits, restorePaths = [] }: Caller,
  { destination, destinationConnectionId }: Pick<RestoreOrder, 'destination' | 'destinationConnectionId'>,
): void {
  const isAllowed = restorePaths.some((path) => destination === path || destination.startsWith(`${path}/`));
  if (!limits || (isAllowed && destinationConnectionId === null)) return;
  throw forbidden(
    restorePaths.length === 0
      ? say`restore_places_missing: You may not restore to any folder yet: ask an administrator to allow one, or download the files.`
      : say`restore_place_not_allowed: You may restore only below ${{ paths: restorePaths }} on this server: choose such a folder.`,
  );
}

export type OrderNeeds = ArchiveNeeds & TargetNeeds;

export interface MadeOrder {
  order: RestoreOrder;
  repository: RepositoryRow;
}

/**
 * Turns a request into an order and finds its archive. Throws AppError `not_found`; `invalid` for an unusable
 * destination.
 */
export const makeOrder = (needs: OrderNeeds) => {
  return async (caller: Caller, input: RestoreInput): Promise<MadeOrder> => {
    const paths = input.paths.map((path) => parseArchivePath(path, 'paths'));
    const destination = parseDestination(input.destination);
    if (input.overwrite && input.skip_existing) {
      throw invalid(
        say`overwrite_with_skip_existing: overwrite and skip_existing are mutually exclusive: choose one.`,
      );
    }
    if (destination === '/' && input.strip_components > 0) {
      throw invalid(
        say`strip_components_in_place: strip_components requires a destination folder: an in-place restore keeps full paths.`,
      );
    }
    const stripComponents = componentsToStrip(input, paths);
    if (destination === '/' && stripComponents > 0) {
      throw invalid(
        say`layout_in_place: layout selection requires a destination folder: an in-place restore keeps full paths.`,
      );
    }
    const { repository, archive } = await findArchive(needs, input);
    const connectionId = input.destination_connection_id ?? null;
    refuseOtherPlaces(caller, { destination, destinationConnectionId: connectionId });
    const host = await atTarget(needs, connectionId, async (place) => {
      await place.checkDestination(destination);
      return place.host;
    });
    const order = {
      repositoryId: repository.id,
      archive: archive.name,
      archiveId: archive.tool_id,
      archiveMade: { start: archive.start, comment: archive.comment },
      paths,
      destinationConnectionId: connectionId,
      destinationHost: host,
      destination,
      stripComponents,
      overwrite: input.overwrite,
      skipExisting: input.skip_existing,
      owners: input.owners,
      acceptLowSpace: input.accept_low_space,
    };
    return { order, repository };
  };
};

/** How many leading segments the layout leaves out. Throws AppError `invalid` when two fields say so. */
function componentsToStrip(
  { layout, strip_components }: Pick<RestoreInput, 'layout' | 'strip_components'>,
  paths: readonly string[],
): number {
  if (layout === undefined) return strip_components;
  if (strip_components > 0) {
    throw invalid(say`layout_twice: layout and strip_components are mutually exclusive: choose one.`);
  }
  return layout === 'selection' ? commonDepth(paths) : 0;
}

/** Bytes. */
const longestDestination = { limit: 4000, segment_limit: 255 };

function parseDestination(text: string): string {
  if (!text.startsWith('/')) {
    throw invalid(
      say`destination_not_absolute: destination must be an absolute path, or "/" to restore in place.`,
    );
  }
  if (/[\0\r\n]/.test(text) || /\p{Surrogate}/u.test(text)) {
    throw invalid(
      say`destination_not_unicode: destination must be valid Unicode without NUL or line breaks.`,
    );
  }
  const path = text.length > 1 && text.endsWith('/') ? text.slice(0, -1) : text;
  const parts = path.slice(1).split('/');
  if (path !== '/' && parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw invalid(say`destination_has_dots: destination must not contain "..", "." or empty segments.`);
  }
  const { limit, segment_limit } = longestDestination;
  if (Buffer.byteLength(path) > limit || parts.some((part) => Buffer.byteLength(part) > segment_limit)) {
    throw invalid(
      say`destination_too_long: destination is too long: at most ${{ limit }} bytes in total and ${{ segment_limit }} per segment.`,
    );
  }
  return path;
}

interface Surveyed {
  survey: Survey;
  order: RestoreOrder;
  place: RestoreTarget;
}

/**
 * Adds free space and the location of the working folder to the survey. A reserved location is an obstacle.
 */
export async function judge(
  { settings }: Pick<RestoreNeeds, 'settings'>,
  { survey, order, place }: Surveyed,
): Promise<Judged> {
  const parent = await survey.stagingParent();
  const holder = place.reserved.holderOf(`${parent}/.`, false);
  if (holder) survey.blocked.add({ path: parent, reason: `the working folder would be in ${holder}` });
  const away = (order.destinationConnectionId ?? null) !== null;
  return {
    survey,
    order,
    parent,
    freeBytes: await place.freeBytes(parent),
    freeHere: away ? await freeBytes(settings.dataDirectory) : null,
    owners: survey.owners(),
    canSetOwners: place.canSetOwners && !survey.lacks.has('owners'),
  };
}

type SameArchiveNeeds = Pick<RestoreNeeds, 'driver' | 'storage' | 'events' | 'clock'>;

interface Asked {
  order: RestoreOrder;
  target: RepositoryTarget;
  options: OperationOptions;
}

/**
 * Updates the archive id in the order, because a repair outside the service gives archives new ids. Updates
 * the inventory as well then. True when the id changed. Throws AppError `not_found`, or `conflict` for a
 * different archive of the same name.
 */
export async function followArchive(
  needs: SameArchiveNeeds,
  { order, target, options }: Asked,
): Promise<boolean> {
  const askedAt = needs.clock.now();
  const { value: archives } = await needs.driver.listArchives(target, { checkpoints: true }, options);
  const found = archives.find(({ name }) => name === order.archive);
  if (found?.id === order.archiveId) return false;
  const where = { id: order.repositoryId };
  const [repository] = await needs.storage.find(repositories, { where, limit: 1 });
  if (repository) await rewriteInventory(needs, repository, { archives, askedAt });
  if (!found)
    throw notFound(
      say`restore_archive_gone: Archive ${{ archive: order.archive }} is no longer in the repository.`,
    );
  const { start, comment } = order.archiveMade ?? {};
  if (found.start !== start || found.comment !== comment) {
    throw conflict(
      say`restore_archive_replaced: A different archive now has the name ${{ archive: order.archive }}: review it, and try again.`,
    );
  }
  order.archiveId = found.id;
  return true;
}

export interface SurveyRequest {
  target: RepositoryTarget;
  order: RestoreOrder;
  place: RestoreTarget;
  options: OperationOptions;
}

/**
 * Reads the archive listing and inspects the target. Throws AppError `not_found` for a chosen path that is
 * not in the archive.
 */
export async function surveyArchive(
  driver: Pick<BackupDriver, 'listEntries'>,
  { target, order, options, place }: SurveyRequest,
): Promise<Survey> {
  const common = (order.paths[0] ?? '').split('/').slice(0, commonDepth(order.paths)).join('/');
  const near = order.destination === '/' ? `/${common}` : order.destination;
  const entries = () => driver.listEntries(target, { archive: order.archive }, options);
  const survey = new Survey(order, place);
  const lacking = existingAbove(place, near).then((folder) => place.lacks(folder));
  await survey.addAll(entries(), lacking);
  const [missing] = survey.selection.missing;
  if (missing !== undefined)
    throw notFound(
      say`restore_path_unknown: Archive ${{ archive: order.archive }} has no path ${{ path: missing }}.`,
    );
  if (survey.hasUnchosen) await survey.addUnchosen(entries());
  return survey;
}

export const removePlans = (session: StorageSession, ids: readonly number[]) =>
  session.remove(restorePlans, { id: { in: ids } });
