import { describe, expect, it } from 'vitest';
import { Answers } from '../src/answers.js';
import { databasesOf, optionOf } from '../src/databases.js';
import { mapFile } from '../src/map-file.js';
import { Config, optionsOf } from '../src/options.js';
import { readTree } from '../src/read-tree.js';
import { Report } from '../src/report.js';
import { yamlOf } from '../src/yaml-of.js';

function read(content: string) {
  const tree = readTree({ name: '/etc/borgmatic/x.yaml', content }, new Answers());
  const report = new Report();
  const found = databasesOf(new Config(optionsOf(tree), report));
  return { ...found, lines: report.lines };
}

const each = `
postgresql_databases:
  - {name: shop, hostname: db.example, port: 5433, username: backup, password: sesame}
  - {name: wiki, hostname: db.example, port: 5433, username: backup, password: sesame}
  - {name: all, container: wiki-db, username: postgres}
  - {name: local, pg_dump_command: sudo -u postgres pg_dump}
  - {name: peer}
mariadb_databases: [{name: all}, {name: blog}]
mysql_databases: [{name: old, hostname: 127.0.0.1, username: me}]
mongodb_databases:
  - {name: chat, hostname: db.example, username: me, password: open}
  - {name: wiki, hostname: db.example, username: me, password: open, authentication_database: admin}
  - {name: all, container: chat-db}
sqlite_databases: [{name: notes, path: '/srv/notes [1].db'}, {name: mail, path: /srv/mail.db}]
`;

describe('import', () => {
  it('makes one source of the databases of one server', () => {
    const { sources, secrets, lines } = read(each);
    expect(lines.map(({ result }) => result)).toEqual(Array(18).fill('taken'));
    const shop = {
      host: 'db.example',
      port: '5433',
      user: 'backup',
      password: '***',
      databases: 'shop\nwiki',
    };
    const file = '/srv/notes [[]1].db';
    expect(sources).toEqual([
      { kind: 'postgresql', name: 'db.example', container: null, settings: shop },
      {
        kind: 'postgresql',
        name: 'wiki-db',
        container: 'wiki-db',
        settings: { user: 'postgres' },
      },
      {
        kind: 'postgresql',
        name: 'local',
        container: null,
        settings: { user: 'postgres', run_as: 'postgres', databases: 'local' },
      },
      { kind: 'postgresql', name: 'local 2', container: null, settings: { user: 'root', databases: 'peer' } },
      { kind: 'mysql', name: 'local', container: null, settings: {} },
      {
        kind: 'mysql',
        name: '127.0.0.1',
        container: null,
        settings: { host: '127.0.0.1', user: 'me', databases: 'old' },
      },
      {
        kind: 'mongodb',
        name: 'db.example',
        container: null,
        settings: {
          host: 'db.example',
          user: 'me',
          password: '***',
          auth_database: 'chat',
          databases: 'chat',
        },
      },
      {
        kind: 'mongodb',
        name: 'db.example 2',
        container: null,
        settings: { host: 'db.example', user: 'me', password: '***', databases: 'wiki' },
      },
      { kind: 'mongodb', name: 'chat-db', container: 'chat-db', settings: {} },
      { kind: 'sqlite', name: 'sqlite', container: null, settings: { files: `${file}\n/srv/mail.db` } },
    ]);
    expect(secrets).toEqual({
      'postgresql db.example': { password: 'sesame' },
      'mongodb db.example': { password: 'open' },
      'mongodb db.example 2': { password: 'open' },
    });
  });

  it('gives them to all repositories of the file, with secrets apart', () => {
    const content = `repositories: [{path: /a}, {path: /b}]\n${each}`;
    const answers = new Answers();
    const tree = readTree({ name: '/etc/x.yaml', content }, answers);
    const choices = { takeOver: true, cron: null, timezone: 'UTC' };
    const { wanted } = mapFile('/etc/x.yaml', tree, answers, choices);
    for (const { settings } of wanted) {
      expect(JSON.stringify(settings.sources)).not.toContain('sesame');
      expect(settings).toMatchObject({ source_secrets: { 'postgresql db.example': { password: 'sesame' } } });
    }
  });

  it.each(['zfs:', 'btrfs: {}', 'btrfs: {btrfs_command: /sbin/btrfs}'])('makes snapshots for %s', (line) => {
    const { sources, lines } = read(`${line}\n`);
    expect(sources).toEqual([{ kind: 'snapshot', name: 'snapshots', container: null, settings: {} }]);
    expect(lines.map(({ result }) => result)).toEqual(['changed']);
  });

  it('keeps the size of LVM snapshots', () => {
    expect(read('lvm: {snapshot_size: 5%}\nbtrfs:\n').sources).toMatchObject([
      { settings: { lvm_size: '5%' } },
    ]);
  });

  it.each([
    ['{name: shop, format: directory, restore_hostname: other}', 'changed'],
    ['{name: shop, ssl_mode: require}', 'lost'],
    ['{name: shop, pg_dump_command: docker exec db pg_dump}', 'lost'],
  ])('reports settings that a dump does without: %s', (entry, result) => {
    const { lines, sources } = read(`postgresql_databases: [${entry}]`);
    expect(lines.at(-1)?.result).toBe(result);
    expect(sources).toHaveLength(1);
  });
});

describe('export', () => {
  const secretFile = (of: string) => `/etc/borgmatic/${of}`;

  it('returns the same sources when the file is imported again', () => {
    const before = read(each);
    const options: Record<string, unknown[]> = {};
    for (const { kind, name, container, settings } of before.sources) {
      const all = { ...settings, ...before.secrets[`${kind} ${name}`] };
      const found = optionOf(
        { kind, name, container: container as string | null, settings: all },
        secretFile,
      );
      options[found?.option ?? ''] = [...(options[found?.option ?? ''] ?? []), ...(found?.entries ?? [])];
    }
    const { sources, secrets } = read(yamlOf(options, []));
    const named = sources.map((source) =>
      // Its user of the server was root by default.
      source.kind === 'mysql' && source.settings.user === 'root'
        ? { ...source, settings: { databases: source.settings.databases } }
        : source,
    );
    expect(named).toEqual(before.sources);
    expect(secrets).toEqual(before.secrets);
  });

  it('names a file for a secret that stays, and nothing for others', () => {
    const settings = { host: 'db', password: null };
    const found = optionOf({ kind: 'mysql', name: 'shop', container: null, settings }, secretFile);
    expect(found?.entries).toEqual([
      {
        name: 'all',
        hostname: 'db',
        username: 'root',
        password: '{credential file /etc/borgmatic/mysql.shop}',
      },
    ]);
    for (const [kind, own] of [
      ['container', { stop: 'app' }],
      ['sqlite', { files: '/srv/*.db' }],
      ['mysql', { password_from: 'MYSQL_ROOT_PASSWORD' }],
    ] as const)
      expect(optionOf({ kind, name: 'x', container: null, settings: own }, secretFile)).toBeNull();
  });
});
