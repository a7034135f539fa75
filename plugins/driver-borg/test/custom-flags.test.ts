import { expect, test } from 'vitest';
import { checkCustomFlags } from '../src/custom-flags.js';

test.each([
  [[]],
  [['-x', '--exclude-caches', '--keep-exclude-tags', '--noacls', '--noxattrs']],
  [['--exclude-if-present', '.nobackup', '--exclude-if-present=.skip']],
  [['-e', '*.tmp', '--exclude', 'sh:**/cache', '--exclude=-odd']],
  [['--pattern', '+ /home', '--pattern=-*.iso', '--pattern', '- *.iso']],
  [
    [
      '--files-cache',
      'mtime,size',
      '--chunker-params=10,23,16,4095',
      '-c',
      '600',
      '--upload-ratelimit',
      '500',
    ],
  ],
])('allows %j', (flags) => {
  expect(checkCustomFlags(flags)).toEqual([]);
});

test.each([
  ['--comment', 'x'],
  ['--comment=x'],
  ['--comm=x'],
  ['--dry-run'],
  ['-n'],
  ['-xn'],
  ['--stats'],
  ['--json'],
  ['--list'],
  ['--log-json'],
  ['--progress'],
  ['-v'],
  ['--lock-wait=5'],
  ['--bypass-lock'],
  ['--remote-path=/bin/sh'],
  ['--rsh=touch /tmp/x'],
  ['--compression=zstd'],
  ['-Czstd'],
  ['--content-from-command'],
  ['--paths-from-stdin'],
  ['--stdin-name=x'],
  ['--patterns-from=/etc/x'],
  ['--timestamp=2020-01-01T00:00:00'],
  ['--debug-profile=/etc/passwd'],
  ['--umask=0000'],
  ['--no-such-flag'],
])('refuses %s by name', (...flags) => {
  const problems = checkCustomFlags(flags);
  expect(problems[0]).toContain((flags[0] as string).split('=')[0]);
});

test.each([
  [['/etc'], '"/etc" is not a flag'],
  [['--'], '"--" is not a flag'],
  [['-x', 'more'], '"more" is not a flag'],
  [['--exclude'], '--exclude needs a value'],
  [['--exclude='], '--exclude needs a value'],
  [['--exclude', '-n'], '--exclude that begins with a dash'],
  [['--one-file-system=yes'], '--one-file-system takes no value'],
  [['--pattern', 'R /etc'], '--pattern accepts only patterns'],
  [['--checkpoint-interval', '5m'], '--checkpoint-interval needs a whole number'],
])('reports the problem with %j', (flags, args) => {
  expect(checkCustomFlags(flags)).toEqual([expect.stringContaining(args)]);
});

test('reports each problem', () => {
  expect(checkCustomFlags(['--json', '-x', '--list', '/etc'])).toHaveLength(3);
});
