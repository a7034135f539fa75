import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { PodmanEngine } from '../../scripts/services/podman.mjs';
import { PostgresServer } from '../../scripts/services/postgres-server.mjs';
import { archived, contentsOf, type Job } from './actions.js';
import { PullFixture } from './pull-fixture.js';
import { waitFor } from './wait-for.js';

/** A host with a container, an SQLite file and a PostgreSQL server with `rows` rows, and a repository of these. */
export async function startSourceHost(rows: number) {
  const engine = await PodmanEngine.start();
  engine.container('shop-app', { command: ['sh', '-c', 'trap "exit 0" TERM; sleep 1000 & wait'] });
  const postgres = await PostgresServer.start(
    process.env.TEST_POSTGRES_PROGRAMS ?? '/usr/lib/postgresql/15/bin',
  );
  postgres.sql(
    `CREATE TABLE orders AS SELECT n, md5(n::text) || md5((-n)::text) AS text FROM generate_series(1, ${rows}) n`,
  );
  const host = await PullFixture.start({ env: { PLUGIN_SOURCE_CONTAINER_SOCKET: engine.socket } });
  const { sshd } = host;
  chmodSync(engine.folder, 0o755);
  chownSync(engine.socket, sshd.account.uid, sshd.account.gid);
  const database = join(sshd.ownFolder('data', 'shop'), 'shop.db');
  execFileSync('sqlite3', [database, `CREATE TABLE letters (text); INSERT INTO letters VALUES ('Dear Ann')`]);
  sshd.own(database);
  const { port } = postgres;
  const { password } = new URL(postgres.url());
  const settings = { host: '127.0.0.1', port: `${port}`, user: 'postgres', password };
  const repository = await host.create('shop', {
    sources: [
      { kind: 'container', name: 'app', settings: { stop: 'shop-app' } },
      { kind: 'sqlite', name: 'letters', settings: { files: database } },
      { kind: 'postgresql', name: 'orders', settings },
    ],
  });
  const appRuns = () => engine.podman('inspect', '--format', '{{.State.Status}}', 'shop-app') === 'running';
  /** Others than those of the account belong to tests beside this one. */
  const left = () =>
    readdirSync('/var/tmp').filter(
      (name) =>
        name.startsWith('holdfast-') &&
        statSync(join('/var/tmp', name), { throwIfNoEntry: false })?.uid === host.sshd.account.uid,
    );
  const isReleased = () => appRuns() && host.sshd.commands().length === 0 && left().length === 0;
  async function expectWhole({ status, error_message, archive_name }: Job) {
    expect([status, error_message]).toEqual(['completed', null]);
    const archive = archive_name ?? '';
    const namesIn = async (path: string) =>
      (await contentsOf(host.api, { repository: repository.path, archive, path })).map(({ name }) => name);
    expect(await namesIn('holdfast-sources/postgresql/orders')).toEqual(['globals.sql', 'postgres.dump']);
    expect(await namesIn('holdfast-sources/sqlite/letters')).toEqual([encodeURIComponent(database)]);
    expect(await namesIn(archived(host.tree))).toContain('private');
    await waitFor(isReleased, { what: 'the end of everything' });
  }
  const remove = async () => {
    await host.remove();
    await postgres.remove();
    await engine.remove();
  };
  return { postgres, host, repository, database, appRuns, expectWhole, isReleased, remove };
}

export type SourceHost = Awaited<ReturnType<typeof startSourceHost>>;
