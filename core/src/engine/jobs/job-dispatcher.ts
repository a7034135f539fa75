import type { StorageSession } from '@holdfast/plugin-api';
import { type Message, OneAtATime, waitingColumns } from '../../foundation/kernel/index.js';
import type { RepositoryRow } from '../registry/tables.js';
import type { EngineCore } from './engine-core.js';
import { HeldPlace } from './held-place.fs.js';
import { waitsForJob } from './job.rules.js';
import { freePlace, placeOf, pulledRepositories } from './job-places.js';
import { JobRun } from './job-run.js';
import { ended, registrationRemoved, settleJob } from './job-settlement.js';
import { returnJob, type TakenJob, takePendingJob, takeWithin } from './job-taking.js';
import { allHeads, headsOf, oldestHeads, type WaitingHead } from './lanes.js';
import type { PlaceKind } from './running-jobs.js';
import { sharersOf } from './same-sources.js';
import { type JobRow, jobs } from './tables.js';

/** How many waiting jobs of a repository show what they wait for. */
const queueWindow = 50;
/** How many waiting jobs are examined first when a place is free. */
const placeWindow = 50;
/** How many requested jobs are read at once. */
const requestedAtOnce = 500;

/** Takes pending jobs in order and runs them. */
export class JobDispatcher {
  readonly #core: EngineCore;
  readonly #turns = new OneAtATime<number | 'all' | 'asked' | 'places'>();
  readonly #requested = new Set<number>();
  /** Kinds of places of this instance that jobs are waiting for. */
  readonly #wanted = new Set<PlaceKind>();
  #stopped = true;

  constructor(core: EngineCore) {
    this.#core = core;
  }

  /** No job is taken before this. */
  start(): void {
    this.#stopped = false;
  }

  /** No job is taken after this. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#turns.idle();
  }

  /** Looks at the repository of one job. Without a free place, this happens when the next job ends. Never rejects. */
  async look(jobId: number): Promise<void> {
    if (this.#stopped) return;
    const { running } = this.#core;
    if (!running.hasPlace('work')) this.#wanted.add('work');
    if (!running.hasPlace('work') && !running.hasPlace('pull')) {
      this.#wanted.add('pull');
      return;
    }
    this.#requested.add(jobId);
    try {
      await this.#turns.run('asked', () => this.#handleRequested());
    } catch (error) {
      this.#core.log.warn('pending jobs could not be read; the reconciler will retry', { job: jobId, error });
    }
  }

  /** Starts the jobs of a repository that may start, and records what the others wait for. Never rejects. */
  async advance(repositoryId: number): Promise<void> {
    if (this.#stopped) return;
    try {
      await this.#turns.run(repositoryId, () => this.#advance(repositoryId));
    } catch (error) {
      this.#core.log.warn('the queue of a repository could not be advanced', { repositoryId, error });
    }
  }

  /** Advances all repositories, the longest waiting job first. Rejects when the storage can't be read. */
  async advanceAll(): Promise<void> {
    if (this.#stopped) return;
    await this.#turns.run('all', async () => {
      if (!this.#core.running.hasPlace('work')) await this.#recordNewWaiting();
      for (const head of await allHeads(this.#core.storage)) await this.#advanceHead(head);
    });
  }

  /** Runs a taken job to its end and then frees its place. Never rejects. */
  run(taken: TakenJob, mode: 'run' | 'recover', place: PlaceKind | null): Promise<void> {
    let isPassedOn = false;
    const offered = new Set<number>();
    const next = {
      take: async (session: StorageSession) => {
        const other = await this.#takeNext(session);
        if (other) offered.add(other.job.id);
        return other;
      },
      run: async (other: TakenJob) => {
        offered.delete(other.job.id);
        if (this.#stopped) return this.#return(other);
        isPassedOn = true;
        void this.run(other, 'run', place);
        void this.#advanceHead({ repository_id: other.job.repository_id, first: other.job.id });
      },
    };
    const { stalledAfter } = this.#core.timings;
    const onFree = () => void this.ended(null);
    const held = place && new HeldPlace(this.#core.running, place, { stalledAfter, onFree });
    const run = new JobRun(this.#core, taken, mode, { next: place === 'work' ? next : null, place: held });
    this.#core.running.add(taken.job.id, run);
    return run.done.then(() => {
      const { running } = this.#core;
      for (const id of offered) if (!running.get(id)) running.unconfirmed.add(id);
      if (place && !isPassedOn) running.vacate(place);
      void this.ended(taken.job.repository_id);
      if (taken.repository) void this.#advanceSharers(taken.repository);
    });
  }

  /** Backups of the same sources may have waited. Never rejects. */
  async #advanceSharers(repository: RepositoryRow): Promise<void> {
    if (this.#stopped) return;
    try {
      for (const id of await sharersOf(this.#core.storage, repository)) await this.advance(id);
    } catch (error) {
      this.#core.log.warn('the queues of a source set could not be advanced', { error });
    }
  }

  /** A job that can't be returned is recovered when its lease has ended. */
  async #return(taken: TakenJob): Promise<void> {
    await returnJob(this.#core, taken).catch((error: unknown) =>
      this.#core.log.warn('a taken job could not be returned to the queue', { job: taken.job.id, error }),
    );
  }

  /** Takes the longest waiting job if jobs wait for a place and nothing else holds it up. */
  async #takeNext(session: StorageSession): Promise<TakenJob | null> {
    if (this.#stopped || !this.#wanted.has('work')) return null;
    const oldest = { where: { status: 'pending' }, order: [['id', 'asc']], limit: 1 } as const;
    const [job] = await session.find(jobs, oldest);
    const { handlers } = this.#core;
    if (!job || (await placeOf({ storage: session, handlers }, job)) !== 'work') return null;
    const taking = await takeWithin(this.#core, session, job.id);
    return taking.result === 'taken' ? taking.taken : null;
  }

  /** Handles all requested jobs together, as a great many may arrive at once. */
  async #handleRequested(): Promise<void> {
    const { storage, running, settings } = this.#core;
    while (this.#requested.size > 0 && !this.#stopped) {
      const ids = [...this.#requested].slice(0, requestedAtOnce);
      for (const id of ids) this.#requested.delete(id);
      const where = { id: { in: ids }, status: 'pending' as const };
      const waiting: JobRow[] = [];
      for (const job of await storage.find(jobs, { where, order: [['id', 'asc']] })) {
        const full = !running.hasPlace('work');
        // Before the next await, during which the place may become free.
        if (full) this.#wanted.add('work');
        if (full && (await placeOf(this.#core, job)) === 'work') waiting.push(job);
        else if (job.repository_id !== null) await this.advance(job.repository_id);
        else await this.#takeWithoutRepository(job);
      }
      await this.#recordWaiting(waiting, freePlace(settings, 'work'));
    }
  }

  /** A place was freed: jobs that waited for it are next, then readers. Never rejects. */
  async ended(repositoryId: number | null): Promise<void> {
    const { running } = this.#core;
    const free = [...this.#wanted].filter((kind) => running.hasPlace(kind));
    if (free.length > 0 && !this.#stopped) {
      await this.#turns
        .run('places', () => this.#fillPlaces(free))
        .catch((error: unknown) => this.#core.log.warn('the queue could not be read', { error }));
    } else if (repositoryId !== null) await this.advance(repositoryId);
    if (repositoryId !== null) this.#core.laneWaiters.wake(repositoryId);
  }

  /** Looks at the longest waiting jobs while a place is free. Those behind them keep waiting. */
  async #fillPlaces(free: readonly PlaceKind[]): Promise<void> {
    for (const kind of free) this.#wanted.delete(kind);
    const { storage } = this.#core;
    if (free.includes('pull'))
      await this.#advanceWhilePlace('pull', await headsOf(storage, await pulledRepositories(this.#core)));
    if (!free.includes('work')) return;
    const { heads, complete } = await oldestHeads(storage, placeWindow);
    if (!(await this.#advanceWhilePlace('work', heads)) || complete) return;
    await this.#advanceWhilePlace('work', await allHeads(storage));
  }

  /** False when there are no more free places. */
  async #advanceWhilePlace(kind: PlaceKind, heads: readonly WaitingHead[]): Promise<boolean> {
    for (const head of heads) {
      if (!this.#core.running.hasPlace(kind)) {
        this.#wanted.add(kind);
        return false;
      }
      await this.#advanceHead(head);
    }
    return true;
  }

  async #advanceHead({ repository_id, first }: WaitingHead): Promise<void> {
    if (repository_id !== null) await this.advance(repository_id);
    else await this.look(first);
  }

  async #advance(repositoryId: number): Promise<void> {
    const pending = await this.#core.storage.find(jobs, {
      where: { repository_id: repositoryId, status: 'pending' },
      order: [['id', 'asc']],
      limit: queueWindow,
    });
    let previous: JobRow | null = null;
    for (const job of pending) {
      if (this.#stopped) return;
      const waitsFor: Message | null = previous ? waitsForJob(previous) : await this.#take(job);
      if (waitsFor === null) continue;
      await this.#recordWaiting([job], waitsFor);
      previous = job;
    }
  }

  /** Null when the job no longer waits, else what it waits for. */
  async #take(job: JobRow): Promise<Message | null> {
    const { running, settings } = this.#core;
    const place = await placeOf(this.#core, job);
    if (!running.occupy(place)) {
      this.#wanted.add(place);
      return freePlace(settings, place);
    }
    let started = false;
    try {
      const taking = await takePendingJob(this.#core, job.id);
      if (taking.result === 'waits') return taking.what;
      if (taking.result === 'no-repository') await this.#failOrphan(taking.job);
      if (taking.result === 'taken' && this.#stopped) await this.#return(taking.taken);
      else if (taking.result === 'taken') {
        started = true;
        this.#core.events.nudge();
        void this.run(taking.taken, 'run', place);
      }
      return null;
    } catch (error) {
      running.unconfirmed.add(job.id);
      throw error;
    } finally {
      if (!started) this.#giveBack(place);
    }
  }

  /** Frees a place that was not needed. In the meantime another job may have found it taken. */
  #giveBack(place: PlaceKind): void {
    this.#core.running.vacate(place);
    if (this.#wanted.has(place)) void this.ended(null);
  }

  /** Updates all new jobs in one write, as a great many may arrive at once. */
  async #recordNewWaiting(): Promise<void> {
    const { storage, settings } = this.#core;
    const where = { status: 'pending' as const, waiting_for: null };
    await storage.update(jobs, where, waitingColumns(freePlace(settings, 'work')));
  }

  async #recordWaiting(waiting: readonly JobRow[], waitsFor: Message): Promise<void> {
    const ids = waiting.filter(({ waiting_for }) => waiting_for !== waitsFor.text).map(({ id }) => id);
    if (ids.length === 0) return;
    const where = { id: { in: ids }, status: 'pending' as const };
    await this.#core.storage.update(jobs, where, waitingColumns(waitsFor));
  }

  /** It belongs to none, or its repository is gone: then it fails. */
  async #takeWithoutRepository(job: JobRow): Promise<void> {
    const waitsFor = await this.#take(job);
    if (waitsFor) await this.#recordWaiting([job], waitsFor);
  }

  async #failOrphan(job: JobRow): Promise<void> {
    const { status, error, outcome } = ended('failed', registrationRemoved());
    await settleJob(this.#core, { job, from: 'pending', end: { status, error, outcome } });
  }
}
