import { say } from '@holdfast/plugin-api';
import type { ImportEnvironment } from '@holdfast/plugin-api/importer';
import { describe, expect, it } from 'vitest';
import { Answers } from '../src/answers.js';
import { mapFile } from '../src/map-file.js';
import { askedBy } from '../src/parts-of.js';
import { placeOf } from '../src/places.js';
import { readTree } from '../src/read-tree.js';

function map(
  content: string,
  { takeOver = true, cron = null as string | null, answers: given = [] as ImportEnvironment['answers'] } = {},
) {
  const answers = new Answers({ answers: given, verdicts });
  const tree = readTree({ name: '/etc/borgmatic/home.yaml', content }, answers);
  const mapped = mapFile('/etc/borgmatic/home.yaml', tree, answers, { takeOver, cron, timezone: 'UTC' });
  const { lines } = mapped.report;
  const losses = lines
    .filter(({ result }) => result === 'lost')
    .map(({ option, accept_as }) => [option.name, accept_as]);
  const told = Object.fromEntries(
    lines.map(({ option: { key }, result, why }) => {
      const shown = result === 'lost' ? 'left_out' : result;
      return [key, why ? `${shown} ${why.code}` : shown];
    }),
  );
  return { ...mapped, told, losses, first: mapped.wanted[0] };
}
const verdicts = [{ kind: 'custom_flags' as const, text: '--bad', problem: say`custom_flags_rejected: No.` }];
const one = 'repositories: [{path: /r, label: home}]\nsource_directories: [/home]\n';

describe('repositories', () => {
  it.each([
    ['/mnt/backup', { kind: 'local', path: '/mnt/backup' }],
    ['file:///mnt/backup', { kind: 'local', path: '/mnt/backup' }],
    ['ssh://ann@nas:2222/./home', { kind: 'ssh', username: 'ann', host: 'nas', port: 2222, path: '/./home' }],
    ['ann@nas:home', { kind: 'ssh', username: 'ann', host: 'nas', port: 22, path: '/./home' }],
    ['ann@nas:/home', { kind: 'ssh', username: 'ann', host: 'nas', port: 22, path: '/home' }],
    ['nas:~/home', { kind: 'ssh', username: null, host: 'nas', port: 22, path: '/~/home' }],
    [
      'ssh://ann@[fe80::1]:23/home',
      { kind: 'ssh', username: 'ann', host: 'fe80::1', port: 23, path: '/home' },
    ],
    ['s3:bucket', { kind: 'unsupported', scheme: 's3' }],
  ])('%s', (text, place) => {
    expect(placeOf(text, new Answers(), { at: { file: '', line: 1 } })).toMatchObject(place);
  });

  it('may be texts or maps, with names and separate options', () => {
    const { wanted } = map(
      'repositories:\n  - /one/two.borg\n  - {path: /x, label: other, compression: none}\ncompression: zstd\n',
    );
    expect(wanted.map(({ name, settings }) => [name, settings.compression])).toEqual([
      ['two', 'zstd'],
      ['other', 'none'],
    ]);
  });
});

describe('sources', () => {
  it('become exclude patterns without a +, with a style for those of patterns', () => {
    const { first } = map(
      `${one}patterns: ['R /etc', '- /etc/ssl', 'P fm', '! *.o']\nexclude_patterns: ['*.tmp']\n`,
    );
    expect(first?.settings).toMatchObject({
      source_directories: ['/home', '/etc'],
      exclude_patterns: ['sh:/etc/ssl', 'fm:*.o', '*.tmp'],
      custom_flags: null,
    });
  });

  it('keep their order as flags with a +', () => {
    const { first } = map(`${one}patterns: ['+ /home/a', '- /home/*']\nexclude_patterns: ['*.tmp']\n`);
    expect(first?.settings).toMatchObject({
      exclude_patterns: [],
      custom_flags: '"--pattern=+ sh:/home/a" "--pattern=- sh:/home/*" "--pattern=! fm:*.tmp"',
    });
  });

  it('become absolute with a note if relative to a working directory', () => {
    const { first, told } = map('repositories: [/r]\nworking_directory: /srv\nsource_directories: [data]\n');
    expect(first?.settings.source_directories).toEqual(['/srv/data']);
    expect(told.working_directory).toBe('changed borgmatic_paths_absolute');
  });
});

describe('plans', () => {
  it('keep only named rules, and run manually without a cron expression', () => {
    const { first } = map(`${one}keep_daily: 7\nkeep_within: 2d\n`);
    expect(first?.schedule).toMatchObject({
      cron_expression: null,
      prune_keep_daily: 7,
      prune_keep_weekly: 0,
      prune_keep_yearly: 0,
      prune_keep_within: '2d',
      run_prune_after: true,
      run_compact_after: true,
    });
    expect(map(one).first?.schedule).toBeNull();
    expect(map(one, { cron: '0 2 * * *' }).first?.schedule).toMatchObject({ run_prune_after: false });
  });

  it('wait for taking over', () => {
    const { first, told } = map(`${one}keep_daily: 7\nchecks: [{name: repository, frequency: 1 week}]\n`, {
      takeOver: false,
    });
    expect([first?.schedule, first?.check]).toEqual([null, null]);
    expect(told).toMatchObject({
      keep_daily: 'left_out borgmatic_take_over_only',
      checks: 'left_out borgmatic_take_over_only',
    });
  });

  it.each([
    ['[{name: repository, frequency: 2 weeks}]', { cron_expression: '0 3 1,15 * *', verify_data: false }],
    ['[{name: data, frequency: 1 month}]', { cron_expression: '0 3 1 * *', verify_data: true }],
    [
      '[{name: repository, frequency: 3 days, max_duration: 60}]',
      { cron_expression: '0 3 */3 * *', max_duration: 60 },
    ],
    [
      '[{name: repository, frequency: 1 week}, {name: data, frequency: 1 month}]',
      { cron_expression: '0 3 * * 0', verify_data: false },
    ],
    ['[repository, archives]', null],
    ['[{name: disabled}]', null],
    ['[]', { cron_expression: '0 3 1 * *', verify_data: false }],
    ['[{name: spot, frequency: 1 day}]', null],
  ])('check %s', (checks, planned) => {
    const { first } = map(`${one}checks: ${checks}\n`);
    if (planned) expect(first?.check).toMatchObject(planned);
    else expect(first?.check).toBeNull();
  });

  it.each([
    ['/r', true],
    ['home', true],
    ['other', false],
  ])('check only the repositories that check_repositories names: %s', (named, isChecked) => {
    const { first } = map(
      `${one}checks: [{name: repository, frequency: 1 week}]\ncheck_repositories: [${named}]\n`,
    );
    expect(first?.check !== null).toBe(isChecked);
  });

  it('name archives by placeholders of Holdfast', () => {
    const named = (format: string) =>
      map(`${one}keep_daily: 1\narchive_name_format: '${format}'\n`).first?.schedule?.archive_name_template;
    expect(named('docs-{now:%Y-%m-%dT%H:%M:%S.%f}')).toBe('docs-{now}');
    expect(named('docs-{utcnow:%Y-%m-%d}')).toBe('docs-{date}');
    expect(named('{hostname}-{now}')).toBeUndefined();
  });
});

describe('hooks and channels', () => {
  it('become scripts around backups in both forms', () => {
    const text = `${one}before_backup: [one]\non_error: [two]\nbefore_prune: [no]\ncommands:\n  - {before: action, when: [create], run: [three]}\n  - {after: action, when: [check], run: [no]}\n  - {after: repository, states: [fail], run: ['four {repository}']}\n`;
    const { first, told } = map(text);
    expect(first?.hooks.map(({ type, runOn, lines }) => [type, runOn, lines])).toEqual([
      ['pre-backup', 'always', ['one', 'three']],
      ['post-backup', 'failure', ['two']],
      ['post-backup', 'failure', ['four /r']],
    ]);
    expect(told).toMatchObject({
      before_backup: 'changed borgmatic_hook_exact',
      before_prune: 'left_out borgmatic_hook_elsewhere',
      'commands[1]': 'left_out borgmatic_hook_elsewhere',
      'commands[2]': 'left_out borgmatic_alert_backups_only',
    });
  });

  it('make service URLs, and scripts for monitors that are pinged', () => {
    const text = `${one}ntfy: {topic: b, server: 'https://n.example', username: a b, password: 'p:q', states: [start]}\npushover: {token: t, user: u}\nhealthchecks: https://hc.example/x\npagerduty: {integration_key: k}\n`;
    const { first, told } = map(text);
    expect(first?.channels.map(({ url, states }) => [url, states])).toEqual([
      ['ntfys://a%20b:p%3Aq@n.example/b', ['start']],
      ['pover://u@t', ['fail']],
    ]);
    expect(first?.monitors.map(({ service, url }) => [service, url])).toEqual([
      ['Healthchecks', 'https://hc.example/x'],
    ]);
    expect(told).toMatchObject({
      pagerduty: 'left_out borgmatic_monitor_unknown',
      healthchecks: 'left_out borgmatic_alert_backups_only',
    });
  });
});

it('reports the result of every line, including unknown options', () => {
  const { told } = map(
    `${one}color: false\nstrange: 1\nextra_borg_options: {create: --bad, prune: --x}\nkeep_daily:\numask: 77\n`,
  );
  expect(told).toMatchObject({
    repositories: 'taken',
    'repositories[0].path': 'taken',
    'repositories[0].label': 'taken',
    source_directories: 'taken',
    color: 'left_out borgmatic_output',
    strange: 'left_out borgmatic_option_unknown',
    keep_daily: 'left_out borgmatic_value_empty',
    'extra_borg_options.create': 'left_out borgmatic_extra_flags',
    umask: 'left_out borgmatic_service_sets',
  });
});

describe('losses', () => {
  it.each([
    ['influxdb_databases: [{name: shop}]', 'databases'],
    ['postgresql_databases: [{name: shop, options: --no-comments}]', 'databases'],
    ['postgresql_databases: [{hostname: db}]', null],
    ['sqlite_databases: {name: x}', null],
    ['lvm: {strange: 1}', 'snapshots'],
    ['keep_secondly: 3', 'retention'],
    ['keep_13weekly: -1', 'retention'],
    ['keep_within: 10M', 'retention'],
    ['extra_borg_options: {prune: --keep-last 9}', 'flags'],
    ['extra_borg_options: {create: --bad}', 'flags'],
    ['before_prune: [one]', 'hooks'],
    ["on_error: ['echo {error}']", 'hooks'],
    ["after_backup: ['ping nas || exit 75']", 'hooks'],
    ['on_error: [one]', 'alerts'],
    ['healthchecks: {ping_url: https://hc.example/x}', 'alerts'],
    ['ntfy: {topic: b, server: https://n.example/ntfy}', 'alerts'],
    ['pagerduty: {integration_key: k}', 'alerts'],
    ['strange: 1', 'strange'],
    // borgmatic itself refuses these.
    ['before_backup: {a: b}', null],
    ['commands: [{run: [one]}]', null],
    ['commands: one', null],
    ['exclude_patterns: "*.tmp"', null],
    ['keep_daily: seven', null],
  ])('names the loss of %s', (line, name) => {
    expect(map(`${one}${line}\n`).losses.map(([, loss]) => loss)).toContain(name);
  });

  it.each([
    // A hook of its own, and two that become one script.
    [`commands:\n  - {after: action, when: [create], run: [': ${'x'.repeat(262_200)}']}`, 'commands[0]'],
    [
      `before_everything: [': ${'x'.repeat(131_100)}']\nbefore_backup: [': ${'x'.repeat(131_100)}']`,
      'before_everything',
    ],
    [`after_backup: [": ${"'".repeat(65_600)}"]`, 'after_backup'],
  ])('names a hook that is longer than a script may be, case %$', (lines, option) => {
    const { told, losses } = map(`${one}${lines}\n`);
    expect(told[option]).toBe('left_out borgmatic_hook_too_long');
    expect(losses.map(([, name]) => name)).toContain('hooks');
  });

  it.each(['postgresql_databases: []', 'keep_secondly: 0', 'color: true', 'extra_borg_options: {init: --x}'])(
    'finds none in %s',
    (line) => {
      expect(map(`${one}${line}\n`).losses).toEqual([]);
    },
  );
});

describe('retention', () => {
  const options = {
    keep_hourly: 'hourly',
    keep_daily: 'daily',
    keep_weekly: 'weekly',
    keep_monthly: 'monthly',
    keep_3monthly: 'quarterly',
    keep_yearly: 'yearly',
    keep_secondly: null,
    keep_minutely: null,
    keep_13weekly: null,
  };
  it.each(Object.entries(options))('never keeps less when %s is converted', (option, rule) => {
    for (const [count, kept] of [
      [7, 7],
      [-1, -1],
      [-5, -1],
      [250_000, -1],
    ]) {
      const { first, losses } = map(`${one}keep_within: 1d\n${option}: ${count}\n`);
      if (rule) expect(first?.schedule).toMatchObject({ [`prune_keep_${rule}`]: kept });
      else expect(losses).toEqual([[option, 'retention']]);
    }
  });
});

describe('patterns', () => {
  it('stay patterns when an exclude would leave out more', () => {
    const { first } = map(`${one}patterns: ['- pf:/home/a', '! /home/b']\n`);
    expect(first?.settings).toMatchObject({
      exclude_patterns: [],
      custom_flags: '"--pattern=- pf:/home/a" "--pattern=! sh:/home/b"',
    });
  });

  it('keep all flags up to 60,000 characters and are refused above', () => {
    const text = (count: number) =>
      `${one}one_file_system: true\npatterns:\n- '+ /home/keep'\n${"- '- /home/skip-it-0123456789'\n".repeat(count)}`;
    const { first, losses } = map(text(1_400));
    expect(first?.settings.custom_flags).toMatch(/^--one-file-system "--pattern=\+ sh:\/home\/keep"/);
    expect(String(first?.settings.custom_flags).length).toBeGreaterThan(55_000);
    expect(losses).toEqual([]);
    expect(map(text(2_000)).losses).toEqual([['patterns', null]]);
  });

  it('keep wildcards after a tilde; sources without a match are a loss', () => {
    const answers = [
      { kind: 'paths' as const, name: '~', text: '/root' },
      { kind: 'paths' as const, name: '~/docs', text: '/root/docs' },
      { kind: 'paths' as const, name: '~/Music/*', text: '' },
    ];
    const text = `repositories: [/r]\nsource_directories: ['~/docs', '~/Music/*']\nexclude_patterns: ['~/.config/*/Cache']\n`;
    const { first, losses } = map(text, { answers });
    expect(first?.settings).toMatchObject({
      source_directories: ['/root/docs'],
      exclude_patterns: ['/root/.config/*/Cache'],
    });
    expect(losses).toEqual([['source_directories', 'sources']]);
  });
});

describe('locations', () => {
  const at = { file: '', line: 1 };
  it.each([
    [
      '/run/gvfs/share:server=nas,share=b/repo',
      { kind: 'local', path: '/run/gvfs/share:server=nas,share=b/repo' },
    ],
    ['./rel:x/repo', { kind: 'local', path: './rel:x/repo' }],
    ['root@[fd00::1]:/srv/b', { kind: 'ssh', username: 'root', host: 'fd00::1', port: 22, path: '/srv/b' }],
    ['[fd00::1]:b', { kind: 'ssh', username: null, host: 'fd00::1', path: '/./b' }],
    ['ssh://u@[fd00::1]:2200/./b', { kind: 'ssh', username: 'u', host: 'fd00::1', port: 2200, path: '/./b' }],
    ['host:2222/./x', { kind: 'unsupported' }],
    ['u@host:~/b', { kind: 'ssh', username: 'u', host: 'host', path: '/~/b' }],
  ])('reads %s', (text, place) => {
    expect(placeOf(text, new Answers(), { at: { file: '', line: 1 } })).toMatchObject(place);
  });

  it('require an answer when they have placeholders of Borg', () => {
    const answers = new Answers({ answers: [{ kind: 'paths', name: '/b/{hostname}', text: '/b/nas' }] });
    expect(placeOf('/b/{hostname}', answers, { at })).toEqual({ kind: 'local', path: '/b/nas' });
    expect(placeOf('ssh://a@b/{user}', answers, { at })).toEqual({
      kind: 'unnamed',
      text: 'ssh://a@b/{user}',
    });
    expect(answers.needs.map(({ name }) => name)).toEqual(['ssh://a@b/{user}']);
  });

  it('are resolved like ssh does', () => {
    const text = 'user ann\nhostname nas.example.org\nport 2222\nproxyjump gate\n';
    const answers = new Answers({ answers: [{ kind: 'ssh', name: '-i /key -- nas', text }] });
    expect(placeOf('ssh://nas/~/x', answers, { at, command: 'ssh -i /key' })).toMatchObject({
      username: 'ann',
      host: 'nas.example.org',
      port: 2222,
      via: 'gate',
      written: { username: null, host: 'nas', port: 22 },
    });
  });
});

it('reports only the check that is planned', () => {
  const { told } = map(
    `${one}checks: [{name: repository, frequency: 2 weeks}, {name: archives, frequency: 1 week}, {name: data, frequency: 1 month}, {name: extract, frequency: 1 month}]\n`,
  );
  expect(told).toMatchObject({
    'checks[0]': 'changed borgmatic_check_planned',
    'checks[1]': 'changed borgmatic_check_planned',
    'checks[2]': 'left_out borgmatic_data_check',
    'checks[3]': 'left_out borgmatic_check_restores',
  });
  expect(map(`${one}check_last: 3\n`).told.check_last).toBe('left_out borgmatic_check_last');
});

it('calls monitors in their states, without certificate checks if configured', () => {
  const { first } = map(
    `${one}healthchecks: {ping_url: https://hc.example/slug, states: [fail], verify_tls: false, create_slug: true}\n`,
  );
  expect(first?.monitors[0]?.script).toMatch(/^STATES='fail'\n/);
  expect(first?.monitors[0]?.script).toMatch(/curl .* -k "\$\{PING_URL\}\$state\?create=1" ;; esac/);
});

it('several repositories of one file share a source set and a schedule', () => {
  const { wanted, base } = map('repositories: [/a, /b]\nsource_directories: [/home]\nkeep_daily: 1\n');
  const present = wanted.map((each, at) => ({
    wanted: each,
    found: {
      position: at,
      id: `${at}`.repeat(64),
      name: each.name,
      path: `/${at}`,
      encryption: 'none',
      connection: null,
      isFull: false,
      leftOut: [],
    },
  }));
  const asked = askedBy(base, present, true);
  expect(asked.map(({ section }) => section)).toEqual([
    'source_sets',
    'repositories',
    'repositories',
    'schedules',
    'check_schedules',
    'check_schedules',
  ]);
  expect(asked[1]?.value).toMatchObject({ source_set: 'home', mode: 'full' });
  expect(asked[3]?.value).toMatchObject({
    name: 'home',
    repositories: present.map(({ found }) => found.id),
  });
});
