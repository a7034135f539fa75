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
  test('uses one key and one host key, without prompts', () => {
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

  test('goes through other hosts with the same settings', () => {
    const hop = (name: string) => ({
      ...transport,
      hostKeyAlias: name,
      keyFile: `/a b"c'd%h/${name}`,
      username: 'u',
      host: `${name}.invalid`,
      port: 2200,
    });
    const way = { ...transport, jump: { ...hop('near'), jump: { ...hop('middle'), jump: hop('far') } } };
    const shown = (args: string[]) => execFileSync('ssh', ['-G', ...args], { encoding: 'utf8' });
    let settings = shown([...argumentsOf(remoteShell(way, '/dev/null')).slice(1), 'host.invalid']);
    for (const [name, from] of [
      ['near', 'host.invalid'],
      ['middle', 'near.invalid'],
      ['far', 'middle.invalid'],
    ]) {
      const command = /^proxycommand (.*)$/m.exec(settings)?.[1] ?? '';
      const expanded = command.replace(/%(.)/g, (_, key) => ({ h: from, p: '22' })[key as 'h'] ?? key);
      const [program, ...args] = argumentsOf(expanded);
      expect(program).toBe('ssh');
      expect(args.slice(args.indexOf('-W'))).toEqual(['-W', `[${from}]:22`, '--', `${name}.invalid`]);
      settings = shown(args);
      expect(settings).toMatch(/^stricthostkeychecking true$/m);
      expect(settings).toMatch(new RegExp(`^hostkeyalias ${name}$`, 'm'));
      expect(settings).toMatch(new RegExp(`^identityfile /a b.*c'd%%h/${name}$`, 'm'));
      expect(settings).toMatch(/^port 2200$/m);
    }
    expect(settings).not.toMatch(/^proxycommand/m);
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

  test('is null without a connection', () => {
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
