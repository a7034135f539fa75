import { describe, expect, it } from 'vitest';
import { Answers } from '../../src/exchange/borgmatic/answers.rules.js';
import { mapFile } from '../../src/exchange/borgmatic/map-file.rules.js';
import { askedBy } from '../../src/exchange/borgmatic/parts-of.rules.js';
import { placeOf } from '../../src/exchange/borgmatic/places.rules.js';
import { readTree } from '../../src/exchange/borgmatic/read-tree.js';

async function map(content: string, { takeOver = true, cron = null as string | null } = {}) {
  const answers = new Answers([]);
  const tree = await readTree({ name: '/etc/borgmatic/home.yaml', content }, answers);
  const choices = { takeOver, cron_expression: cron, timezone: 'UTC' };
  const checkFlags = (flags: string[]) => (flags.includes('--bad') ? ['no'] : []);
  const mapped = mapFile('/etc/borgmatic/home.yaml', tree, answers, { ...choices, checkFlags });
  const told = Object.fromEntries(
    mapped.report
      .lines()
      .map(({ key, result, reason_code: code }) => [key, code ? `${result} ${code}` : result]),
  );
  return { ...mapped, told, first: mapped.wanted[0] };
}
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
    expect(placeOf(text, new Answers([]), { file: '', line: 1 })).toEqual(place);
  });

  it('may be texts or maps, with names, and options of their own', async () => {
    const { wanted } = await map(
      'repositories:\n  - /one/two.borg\n  - {path: /x, label: other, compression: none}\ncompression: zstd\n',
    );
    expect(wanted.map(({ name, settings }) => [name, settings.compression])).toEqual([
      ['two', 'zstd'],
      ['other', 'none'],
    ]);
  });
});

describe('sources', () => {
  it('without + are exclude patterns, with a style for those of patterns', async () => {
    const { first } = await map(
      `${one}patterns: ['R /etc', '- /etc/ssl', 'P fm', '! *.o']\nexclude_patterns: ['*.tmp']\n`,
    );
    expect(first?.settings).toMatchObject({
      source_directories: ['/home', '/etc'],
      exclude_patterns: ['sh:/etc/ssl', 'fm:*.o', '*.tmp'],
      custom_flags: null,
    });
  });

  it('with + keep their order as flags', async () => {
    const { first } = await map(`${one}patterns: ['+ /home/a', '- /home/*']\nexclude_patterns: ['*.tmp']\n`);
    expect(first?.settings).toMatchObject({
      exclude_patterns: [],
      custom_flags: '"--pattern=+ sh:/home/a" "--pattern=- sh:/home/*" "--pattern=! fm:*.tmp"',
    });
  });

  it('relative to a working directory become absolute, and that is told', async () => {
    const { first, told } = await map(
      'repositories: [/r]\nworking_directory: /srv\nsource_directories: [data]\n',
    );
    expect(first?.settings.source_directories).toEqual(['/srv/data']);
    expect(told.working_directory).toBe('changed borgmatic_paths_absolute');
  });
});

describe('plans', () => {
  it('keep nothing that is not named, and run by hand without a cron expression', async () => {
    const { first } = await map(`${one}keep_daily: 7\nkeep_within: 2d\n`);
    expect(first?.schedule).toMatchObject({
      ...{ cron_expression: null, prune_keep_daily: 7, prune_keep_weekly: 0, prune_keep_yearly: 0 },
      ...{ prune_keep_within: '2d', run_prune_after: true, run_compact_after: true },
    });
    expect((await map(one)).first?.schedule).toBeNull();
    expect((await map(one, { cron: '0 2 * * *' })).first?.schedule).toMatchObject({ run_prune_after: false });
  });

  it('wait for taking over', async () => {
    const { first, told } = await map(
      `${one}keep_daily: 7\nchecks: [{name: repository, frequency: 1 week}]\n`,
      { takeOver: false },
    );
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
    ['[{name: spot, frequency: 1 day}]', null],
  ])('check %s', async (checks, planned) => {
    const { first } = await map(`${one}checks: ${checks}\n`);
    if (planned) expect(first?.check).toMatchObject(planned);
    else expect(first?.check).toBeNull();
  });

  it('name archives by what Holdfast knows', async () => {
    const named = async (format: string) =>
      (await map(`${one}keep_daily: 1\narchive_name_format: '${format}'\n`)).first?.schedule
        ?.archive_name_template;
    expect(await named('docs-{now:%Y-%m-%dT%H:%M:%S.%f}')).toBe('docs-{now}');
    expect(await named('docs-{utcnow:%Y-%m-%d}')).toBe('docs-{date}');
    expect(await named('{hostname}-{now}')).toBeUndefined();
  });
});

describe('hooks and channels', () => {
  it('of both forms become scripts around backups', async () => {
    const text = `${one}before_backup: [one]\non_error: [two]\nbefore_prune: [no]\ncommands:\n  - {before: action, when: [create], run: [three]}\n  - {after: action, when: [check], run: [no]}\n  - {after: repository, states: [fail], run: ['four {repository}']}\n`;
    const { first, told } = await map(text);
    expect(first?.hooks.map(({ type, runOn, lines }) => [type, runOn, lines])).toEqual([
      ['pre-backup', 'always', ['one']],
      ['post-backup', 'failure', ['two']],
      ['pre-backup', 'always', ['three']],
      ['post-backup', 'failure', ['four "$BK_UI_REPOSITORY_PATH"']],
    ]);
    expect(told).toMatchObject({
      before_backup: 'taken',
      before_prune: 'left_out borgmatic_hook_elsewhere',
      'commands[1]': 'left_out borgmatic_hook_elsewhere',
      'commands[2]': 'changed borgmatic_hook_words',
    });
  });

  it('make service URLs, and scripts for monitors that are pinged', async () => {
    const text = `${one}ntfy: {topic: b, server: 'https://n.example', username: a b, password: 'p:q', states: [start]}\npushover: {token: t, user: u}\nhealthchecks: https://hc.example/x\npagerduty: {integration_key: k}\n`;
    const { first, told } = await map(text);
    expect(first?.channels.map(({ url, states }) => [url, states])).toEqual([
      ['ntfys://a%20b:p%3Aq@n.example/b', ['start']],
      ['pover://u@t', ['fail']],
    ]);
    expect(first?.monitors.map(({ service, url }) => [service, url])).toEqual([
      ['Healthchecks', 'https://hc.example/x'],
    ]);
    expect(told).toMatchObject({
      pagerduty: 'left_out borgmatic_monitor_unknown',
      healthchecks: 'changed borgmatic_monitor_script',
    });
  });
});

it('says of every line what became of it, and of strangers that they are', async () => {
  const { told } = await map(
    `${one}color: false\nstrange: 1\nextra_borg_options: {create: --bad, prune: --x}\nkeep_daily:\numask: 77\n`,
  );
  expect(told).toMatchObject({
    ...{ repositories: 'taken', 'repositories[0].path': 'taken', 'repositories[0].label': 'taken' },
    ...{ source_directories: 'taken', color: 'left_out borgmatic_output' },
    ...{ strange: 'left_out borgmatic_option_unknown', keep_daily: 'left_out borgmatic_value_empty' },
    'extra_borg_options.create': 'left_out borgmatic_extra_flags',
    umask: 'left_out borgmatic_service_sets',
  });
});

it('several repositories of one file share a source set and a schedule', async () => {
  const { wanted, base } = await map('repositories: [/a, /b]\nsource_directories: [/home]\nkeep_daily: 1\n');
  const present = wanted.map((each, at) => ({
    ...{ wanted: each, name: each.name },
    found: {
      toolId: `${at}`.repeat(64),
      encryption: 'none' as const,
      path: `/${at}`,
      connection: null,
      existing: null,
    },
  }));
  const asked = askedBy(base, present, true);
  expect(asked.map(({ section }) => section)).toEqual([
    'source_sets',
    'repositories',
    'repositories',
    'schedules',
  ]);
  expect(asked[1]?.value).toMatchObject({ source_set: 'home', mode: 'full' });
  expect(asked[3]?.value).toMatchObject({
    name: 'home',
    repositories: present.map(({ found }) => found.toolId),
  });
});
