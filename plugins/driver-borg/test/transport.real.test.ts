import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { repositoryArgument } from '../src/location.js';
import { remoteShell, transportOf } from '../src/transport.js';

const transport = {
  connectionId: 7,
  keyFile: '/keys/id',
  knownHostsFile: '/hosts/7',
  hostKeyAlias: 'holdfast-7',
  fingerprint: 'SHA256:x',
};

/** As borg splits the variable. */
const argumentsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `for word in ${command}; do printf '%s\\n' "$word"; done`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');

describe('the command for ssh', () => {
  test('knows one key and one host key, and asks nobody', () => {
    const command = argumentsOf(remoteShell(transport, '/logs/ssh'));
    expect(command.slice(0, 5)).toEqual(['ssh', '-F', 'none', '-E', '/logs/ssh']);
    expect(command).toEqual(
      expect.arrayContaining([
        'IdentityFile="/keys/id"',
        'UserKnownHostsFile="/hosts/7"',
        'GlobalKnownHostsFile=/dev/null',
        'HostKeyAlias=holdfast-7',
        'StrictHostKeyChecking=yes',
        'BatchMode=yes',
        'IdentitiesOnly=yes',
        'ForwardAgent=no',
      ]),
    );
  });

  test('ssh reads paths of any characters as they are', () => {
    const odd = { ...transport, keyFile: '/a b"c\'d%h\\e$f/id', knownHostsFile: '/a b"c\'d%h\\e$f/7' };
    const [program, ...args] = argumentsOf(remoteShell(odd, '/dev/null'));
    const shown = execFileSync(program as string, ['-G', ...args, 'host.invalid'], { encoding: 'utf8' });
    expect(shown).toMatch(/^stricthostkeychecking true$/m);
    expect(shown).toMatch(/^hostkeyalias holdfast-7$/m);
    expect(shown).toMatch(/^identityfile \/a b.*c'd%%h.*\$f\/id$/m);
    expect(shown).toMatch(/^userknownhostsfile \/a b.*c'd%h.*\$f\/7$/m);
  });

  const variable = '$' + '{HOME}';
  test.each([{ keyFile: `/a/${variable}/id` }, { knownHostsFile: '/a\nb' }, { hostKeyAlias: 'a b' }])(
    'refuses %o',
    (part) => {
      expect(() => remoteShell({ ...transport, ...part }, '/logs/ssh')).toThrow();
    },
  );
});

describe('a location on another host', () => {
  const target = { uid: 'u', passphrase: null, keyFile: null, remoteToolPath: null };

  test('is nothing without a connection', () => {
    const location = 'ssh://me@box:22/r';
    expect(() => transportOf({ ...target, location })).toThrow(expect.objectContaining({ kind: 'usage' }));
    expect(transportOf({ ...target, location, transport })).toBe(transport);
    expect(transportOf({ ...target, location: '/r', transport })).toBeNull();
  });

  test.each(['ssh://me@box:22/a {b}', 'ssh://me@[fe80::1]:22/r', 'ssh://a.b+c@10.0.0.1:1/./r'])(
    '%s',
    (text) => {
      expect(repositoryArgument(text)).toBe(text.replace('{b}', '{{b}}'));
    },
  );

  test.each([
    'ssh://-oProxyCommand=x@box:22/r',
    'ssh://me@-box:22/r',
    'ssh://me@box:22',
    'ssh://box:22/r',
    'ssh://me@box/r',
    'ssh://me@bo x:22/r',
    'ssh://me@$(id):22/r',
    'ssh://me@box:22/a::b',
    'ssh://me@box:22/a\nb',
  ])('refuses %j', (text) => {
    expect(() => repositoryArgument(text)).toThrow(expect.objectContaining({ kind: 'usage' }));
  });
});
