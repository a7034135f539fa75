import { timerName } from '@holdfast/jobs-agenda';
import type { LedgerEntry, LedgerPlan, LedgerSeries, WorkLedger } from '@holdfast/plugin-api';
import { type Collection, type Document, ObjectId } from 'mongodb';

export const planKinds: readonly LedgerPlan['kind'][] = ['schedule', 'check schedule', 'drill schedule'];

/** Plans and jobs as Agenda stores its jobs, so that its tools show them. Agenda runs no job: it knows no such names. */
export class MongoLedger implements WorkLedger {
  constructor(
    private readonly documents: Collection,
    /** Makes the collection usable, whatever others did to it. */
    private readonly tidy: () => Promise<void>,
  ) {}

  async write(entries: readonly LedgerEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const writes = entries.map((entry) => {
      const filter = { _id: idOf(seriesOf(entry), entry.id) };
      return { replaceOne: { filter, replacement: documentOf(entry), upsert: true } };
    });
    await this.documents.bulkWrite(writes, { ordered: false });
  }

  async read(
    series: LedgerSeries,
    { below, limit }: { below: number; limit: number },
  ): Promise<LedgerEntry[]> {
    if (series === 'job' && below === Number.POSITIVE_INFINITY) await this.tidy();
    const _id = { $gte: idOf(series, 0), $lt: idOf(series, Math.min(below, 2 ** 53)) };
    const found = await this.documents.find({ _id }).sort({ _id: -1 }).limit(limit).toArray();
    return found.map(entryOf);
  }

  async remove(series: LedgerSeries, ids: readonly number[]): Promise<void> {
    if (ids.length > 0) await this.documents.deleteMany({ _id: { $in: ids.map((id) => idOf(series, id)) } });
  }
}

const seriesOf = ({ kind }: LedgerEntry): LedgerSeries => planKinds.find((each) => each === kind) ?? 'job';
const idOf = (series: LedgerSeries, id: number) =>
  hexId(series === 'job' ? 0 : planKinds.indexOf(series) + 1, id);
const hexId = (series: number, id: number) =>
  new ObjectId(series.toString(16).padStart(8, '0') + id.toString(16).padStart(16, '0'));

/** Documents that are neither an entry nor a timer. Ids that MongoDB makes begin with the time, so they are higher. */
export const strangers: Document = {
  $or: [hexId(planKinds.length + 1, 0), '', Number.NEGATIVE_INFINITY].map(($gte) => ({ _id: { $gte } })),
  $nor: [{ name: timerName, 'data.arming': { $exists: true } }],
};

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms));
const msOf = (date: unknown) => (date instanceof Date ? date.getTime() : null);

function documentOf(entry: LedgerEntry): Document {
  const { kind: name } = entry;
  const document = { name, type: 'normal', priority: 0, lockedAt: null };
  if ('key' in entry) {
    const { key, id, name, cron, zone, at, lastRun } = entry;
    const last = dateOf(lastRun);
    return {
      ...document,
      data: { key, id, name, cron, zone },
      nextRunAt: dateOf(at),
      lastRunAt: last,
      lastFinishedAt: last,
    };
  }
  const { id, kind, repository, status, progress, problem } = entry;
  const [queued, started, ended] = [entry.queuedAt, entry.startedAt, entry.endedAt].map(dateOf);
  return {
    ...document,
    data: { id, kind, repository, status, queuedAt: queued },
    nextRunAt: status === 'pending' ? queued : null,
    lockedAt: status === 'running' ? started : null,
    lastRunAt: started,
    lastFinishedAt: ended,
    progress,
    failReason: problem,
    failedAt: problem === null ? null : ended,
  };
}

/** What does not stand there as `documentOf` writes it is missing. */
function entryOf({ _id, name, data, ...rest }: Document): LedgerEntry {
  const id = Number.parseInt(_id.toHexString().slice(8), 16);
  const facts = data?.id === id ? data : {};
  const last = msOf(rest.lastRunAt);
  if (planKinds.includes(name)) return { kind: name, ...facts, id, at: msOf(rest.nextRunAt), lastRun: last };
  const { progress, failReason: problem } = rest;
  const ended = msOf(rest.lastFinishedAt);
  return {
    ...facts,
    id,
    queuedAt: msOf(facts.queuedAt),
    startedAt: last,
    endedAt: ended,
    progress,
    problem,
  };
}
