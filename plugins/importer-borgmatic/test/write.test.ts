import { describe, expect, it } from 'vitest';
import { commandsOf } from '../src/commands.js';
import { optionsOfFlags } from '../src/options-of-flags.js';

describe('flags', () => {
  it('become options, ordered patterns, and the rest', () => {
    const flags = [
      '-x',
      '--exclude-if-present',
      '.no',
      '--pattern=+ /a',
      '-e',
      '*.o',
      '--files-cache=mtime,size',
      '-c',
      '60',
      '--sparse',
    ];
    expect(optionsOfFlags(flags)).toEqual({
      options: {
        one_file_system: true,
        files_cache: 'mtime,size',
        checkpoint_interval: 60,
        exclude_if_present: ['.no'],
      },
      patterns: ['+ sh:/a', '! fm:*.o'],
      others: ['--sparse'],
    });
  });
});

describe('scripts', () => {
  const place = { name: "it's", path: '/r', secretFile: (variable: string) => `/etc/x.${variable}` };

  it('run with their interpreter and variables; secrets are read from files', () => {
    const hook = {
      type: 'pre-backup' as const,
      runOn: 'always' as const,
      content: '#!/usr/bin/env python3\nEND\n',
    };
    const [command] = commandsOf([{ ...hook, variables: { A: 'b', KEY: null } }], place);
    expect(command).toMatchObject({ before: 'action', when: ['create'] });
    const [text] = (command?.run ?? []) as string[];
    expect(text).toContain("export BK_UI_REPOSITORY_NAME='it'\\''s'");
    expect(text).toContain(`export KEY="$(cat '/etc/x.KEY')"`);
    expect(text).toContain("/usr/bin/env python3 /dev/stdin <<'END_'\n#!/usr/bin/env python3\nEND\nEND_\n");
  });

  it('limits scripts after backups to their states', () => {
    const hook = { type: 'post-backup' as const, runOn: 'always' as const, content: 'true', variables: {} };
    const commands = commandsOf([hook, { ...hook, runOn: 'failure' }, { ...hook, runOn: 'warning' }], place);
    expect(commands.map(({ states }) => states)).toEqual([['finish'], ['fail'], ['fail']]);
  });
});
