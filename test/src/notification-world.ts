import { join } from 'node:path';
import { expect } from 'vitest';
import { createRepository, type Repository } from './actions.js';
import type { Api } from './api.js';
import { samplesOf } from './metrics.js';
import { TestServer } from './server.js';
import { AppriseServer } from './services/apprise.js';
import { HttpSink, webhookUrl } from './services/http-sink.js';
import { SmtpSink } from './services/smtp-sink.js';
import type { Database } from './store/database.js';
import { makeFiles } from './trees.js';
import { waitFor } from './wait-for.js';

/** What a receiver was told. `event` and `data` come by webhook only. */
export interface Told {
  title: string;
  body: string;
  type: string;
  event?: string;
  data?: Record<string, unknown>;
}

/** The flags of a setting, one for each kind of the document. Incidents have a journey of their own. */
export const flags = [
  ...['notify_on_backup_start', 'notify_on_backup_success', 'notify_on_backup_warning'],
  'notify_on_backup_failure',
  ...['notify_on_restore_success', 'notify_on_restore_failure'],
  ...['notify_on_check_success', 'notify_on_check_failure', 'notify_on_schedule_failure'],
];
const ofIncidents = Object.fromEntries(
  ['backup_late', 'backup_on_time_again', 'damaged', 'retention_paused', 'incident', 'report_weekly'].map(
    (kind) => [`notify_on_${kind}`, false],
  ),
);
const all = (value: boolean) => ({
  ...Object.fromEntries(flags.map((flag) => [flag, value])),
  ...ofIncidents,
});

/**
 * A server with settings of three kinds: those that are told everything (by webhook, by Apprise as a form and as mail),
 * for each flag one that has only this one off, and those that are told nothing.
 */
export class NotificationWorld {
  private constructor(
    readonly server: TestServer,
    readonly api: Api,
    readonly database: Database,
    readonly apprise: AppriseServer,
    readonly sinks: { hook: HttpSink; form: HttpSink; mail: SmtpSink; without: HttpSink; silent: HttpSink },
  ) {}
  #repositories = 0;
  #shared: Promise<Repository> | null = null;

  static async open(): Promise<NotificationWorld> {
    const [hook, form, without, silent, mail, apprise] = await Promise.all([
      ...[HttpSink.open(), HttpSink.open(), HttpSink.open(), HttpSink.open()],
      ...[SmtpSink.open(), AppriseServer.start()],
    ] as const);
    const server = await TestServer.start({ driver: 'memory', env: { APPRISE_API_URL: apprise.url } });
    const database = await server.database();
    const sinks = { hook, form, mail, without, silent };
    const world = new NotificationWorld(server, await server.login(), database, apprise, sinks);
    await world.#addSettings();
    return world;
  }

  async #addSettings(): Promise<void> {
    const { hook, form, mail, without, silent } = this.sinks;
    const smtp = `smtp=127.0.0.1&port=${mail.port}&mode=insecure&to=ops@home.test&from=me@home.test`;
    const told = { title_prefix: '[home]', include_job_name_in_title: true, ...all(true) };
    await this.#setting({ service_url: webhookUrl(hook), ...told });
    await this.#setting({ service_url: `form://${form.host}/told`, ...told });
    await this.#setting({ service_url: `mailto://home.test?${smtp}`, ...told });
    for (const flag of flags) {
      await this.#setting({ service_url: webhookUrl(without, `/${flag}`), ...told, [flag]: false });
    }
    await this.#setting({ service_url: webhookUrl(silent), ...all(false) });
    await this.#setting({ service_url: `form://${silent.host}/off`, ...all(false) });
    await this.#setting({ service_url: webhookUrl(silent, '/disabled'), ...all(true), enabled: false });
    const others = { ...all(true), monitor_all_repositories: false };
    await this.#setting({ service_url: webhookUrl(silent, '/none'), ...others });
  }

  async #setting(input: object): Promise<void> {
    const answer = await this.api.post('/api/notifications', { name: 'a setting', ...input });
    expect(`${answer.status} ${answer.text}`).toMatch(/^201 /);
  }

  /** A new repository with a few small files to back up. */
  repository = (input: object = {}): Promise<Repository> => {
    this.#repositories += 1;
    const source = this.server.workspace.folder(`source-${this.#repositories}`);
    makeFiles(source, 10);
    const path = join(this.server.workspace.path, `repository-${this.#repositories}`);
    const name = `home ${this.#repositories}`;
    return createRepository(this.api, { name, path, source_directories: [source], ...input });
  };

  /** The one for whatever leaves a repository as it is. */
  shared = (): Promise<Repository> => {
    this.#shared ??= this.repository();
    return this.#shared;
  };

  byHook(): Told[] {
    return this.sinks.hook.requests.map(({ body }) => JSON.parse(body) as Told);
  }

  byForm(): Told[] {
    return this.sinks.form.requests.map(({ body }) => toldByForm(body));
  }

  /** What came to the setting that has this flag off. */
  without(flag: string): Told[] {
    return this.sinks.without.requests
      .filter(({ path }) => path === `/${flag}`)
      .map(({ body }) => JSON.parse(body) as Told);
  }

  /** Resolves when nothing waits to be delivered any more. */
  async delivered(): Promise<void> {
    const look = async () => {
      const { text } = await this.server.api.request('GET', '/metrics', { token: null });
      return samplesOf(text).some(({ name, value }) => name === 'bk_outbox_pending' && value === 0);
    };
    await waitFor(look, { what: 'an empty outbox', timeoutMs: 30_000 });
  }

  async close(): Promise<void> {
    await this.server.remove();
    await Promise.all([this.apprise.stop(), ...Object.values(this.sinks).map((sink) => sink.close())]);
  }
}

function toldByForm(body: string): Told {
  const fields = new URLSearchParams(body);
  const field = (name: string) => fields.get(name) ?? '';
  return { title: field('title'), body: field('message'), type: field('type') };
}
