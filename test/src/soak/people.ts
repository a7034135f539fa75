import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Api } from '../api.js';
import { drawnByWeight } from './mishaps.js';

/** Nothing that a person asks may take longer, even of a server that stands still meanwhile. */
const answerWithinMs = 120_000;
/** Done, gone meanwhile, in use, too often, or a store is away just now. */
const rightAnswers = [200, 201, 400, 404, 409, 429, 503];

export interface PeopleOptions {
  /** Any of the servers, by turns. */
  apiOf(turn: number): Api;
  repositories: readonly { id: number; path: string }[];
  folder: string;
  random: () => number;
}

type Wish = (repository: { id: number; path: string }) => Promise<void>;

/** Those who use the services, one wish after the other, without waiting for what the last one came to. */
export class People {
  /** Jobs that an answer named. */
  readonly promised: number[] = [];
  readonly wrongAnswers: string[] = [];
  readonly counts: Record<string, number> = {};
  readonly #open = new Set<Promise<void>>();
  #turn = 0;
  #restores = 0;

  constructor(private readonly options: PeopleOptions) {}

  /** Until the instant, a wish every few seconds. Resolves when the last one was answered. */
  async use(until: number, everyMs: number): Promise<void> {
    const { random, repositories } = this.options;
    for (const name of drawnByWeight(this.#wishes, random)) {
      if (Date.now() >= until) break;
      const repository = repositories[Math.floor(random() * repositories.length)];
      const wish = this.#wishes[name];
      if (wish && repository) this.#begin(name, wish.ask(repository));
      await pause(random() * 2 * everyMs);
    }
    await Promise.all(this.#open);
  }

  readonly #wishes: Record<string, { weight: number; ask: Wish }> = {
    backup: { weight: 5, ask: ({ path }) => this.#job('POST', '/api/backup/start', { repository: path }) },
    check: { weight: 1, ask: ({ id }) => this.#job('POST', `/api/repositories/${id}/check`) },
    compact: { weight: 1, ask: ({ id }) => this.#job('POST', `/api/repositories/${id}/compact`) },
    prune: { weight: 1, ask: ({ id }) => this.#job('POST', `/api/repositories/${id}/prune`, oneDaily) },
    restore: { weight: 2, ask: ({ path }) => this.#restore(path) },
    deletion: {
      weight: 2,
      ask: ({ path }) =>
        this.#ofArchive(path, (archive) => this.#job('DELETE', `/api/archives/${archive}`, undefined, path)),
    },
    browse: {
      weight: 6,
      ask: ({ path }) =>
        this.#ofArchive(path, async (archive) => {
          await this.#ask('GET', `/api/archives/${archive}/contents`, undefined, path);
        }),
    },
    cancel: { weight: 1, ask: () => this.#cancel() },
  };

  #begin(name: string, work: Promise<void>): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    const done = work.finally(() => this.#open.delete(done));
    this.#open.add(done);
  }

  /** Null where the server went away before it answered. */
  async #ask(method: string, path: string, json?: unknown, repository?: string): Promise<Answer | null> {
    this.#turn += 1;
    const query = repository === undefined ? undefined : { repository };
    const late = pause(answerWithinMs, 'late' as const, { ref: false });
    const asked = this.options.apiOf(this.#turn).request(method, path, { json, query });
    const answer = await Promise.race([asked.catch(lostConnection), late]);
    if (answer === 'late') this.wrongAnswers.push(`${method} ${path} gave none`);
    else if (answer && !rightAnswers.includes(answer.status))
      this.wrongAnswers.push(`${method} ${path} gave ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer === 'late' ? null : answer;
  }

  async #job(method: string, path: string, json?: unknown, repository?: string): Promise<void> {
    const answer = await this.#ask(method, path, json, repository);
    if (answer?.status === 200) this.promised.push(answer.body.job_id);
  }

  async #ofArchive(path: string, work: (archive: string) => Promise<void>): Promise<void> {
    const answer = await this.#ask('GET', '/api/archives/list', undefined, path);
    const archives: { name: string }[] = answer?.status === 200 ? answer.body.archives : [];
    const archive = archives[Math.floor(this.options.random() * archives.length)];
    if (archive) await work(encodeURIComponent(archive.name));
  }

  #restore(path: string): Promise<void> {
    this.#restores += 1;
    const destination = join(this.options.folder, 'restored', `${this.#restores}`);
    return this.#ofArchive(path, (archive) =>
      this.#job('POST', '/api/restore/start', {
        repository: path,
        archive: decodeURIComponent(archive),
        destination,
      }),
    );
  }

  async #cancel(): Promise<void> {
    const answer = await this.#ask('GET', '/api/backup/jobs');
    const jobs: { id: number; status: string }[] = answer?.status === 200 ? answer.body.jobs : [];
    const open = jobs.find(({ status }) => status === 'running' || status === 'pending');
    if (open) await this.#ask('POST', `/api/backup/cancel/${open.id}`);
  }
}

const oneDaily = {
  keep_daily: 1,
  keep_weekly: 0,
  keep_monthly: 0,
  keep_yearly: 0,
  confirm_more_than_half: true,
};

function lostConnection(error: unknown): null {
  if (error instanceof TypeError) return null;
  throw error;
}
