import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { hideSecrets } from '../src/api/secrets.rules.js';
import { curlOf } from '../src/frame/curl.rules.js';
import { extractCommand, listCommand } from '../src/ui/borg.rules.js';
import { command } from '../src/ui/shell.rules.js';

const awkward = [
  '',
  `it's`,
  '$HOME `id` $(id)',
  '"double" \\ back',
  'two\nlines',
  '!history',
  '~',
  '-x',
  '*',
  'שלום',
  `'''`,
];

/** What a program gets as its words if bash runs the line. */
const words = (line: string, env: Record<string, string> = {}): string[] =>
  execFileSync('bash', ['-c', `take() { printf '%s\\0' "$@"; }; ${line.replace(/^(curl|borg)/, 'take')}`], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  })
    .split('\0')
    .slice(0, -1);

describe('commands to be copied', () => {
  test('reach a program unchanged with any characters', () => {
    expect(words(command('borg', ...awkward))).toEqual(awkward);
  });

  test('have the whole request but the token and the key of the call', () => {
    const body = { name: `O'Neill <img src=x> $HOME`, paths: awkward, nothing: null };
    const line = curlOf({
      method: 'PUT',
      url: `http://nas:8081/api/repositories/1?name=it's`,
      ifMatch: '"7"',
      body,
      hasFile: false,
    });
    const [, , url, , token, , tag, , type, , data] = words(line, { HOLDFAST_TOKEN: 'secret' });
    expect(line).not.toContain('secret');
    expect(url).toBe(`http://nas:8081/api/repositories/1?name=it's`);
    expect(token).toBe('Authorization: Bearer secret');
    expect(tag).toBe('If-Match: "7"');
    expect(type).toBe('Content-Type: application/json');
    expect(JSON.parse(data ?? '')).toEqual(body);
  });

  test('show shell variables instead of secrets', () => {
    const body = {
      passphrase: `a 'secret'`,
      current_password: 'secret',
      service_url: 'ntfy://secret@x',
      url: 'redis://:secret@cache:6379',
      path: 'ssh://me@nas:22/srv/photos',
      name: 'photos',
      must_change_password: true,
      token_ids: [1],
      scripts: [{ pre_backup_script_parameters: { DATABASE: 'secret' } }],
    };
    const sent = { method: 'POST', url: 'http://nas/api', ifMatch: null, hasFile: false };
    const line = curlOf({ ...sent, body: hideSecrets(body) });
    expect(line).not.toContain('secret');
    const env = { PASSPHRASE: 'p', CURRENT_PASSWORD: 'c', SERVICE_URL: 's', URL: 'u', DATABASE: 'd' };
    expect(JSON.parse(words(line, env).at(-1) ?? '')).toEqual({
      ...body,
      passphrase: 'p',
      current_password: 'c',
      service_url: 's',
      url: 'u',
      scripts: [{ pre_backup_script_parameters: { DATABASE: 'd' } }],
    });
  });

  test('name the repository as borg does, and take no path for a pattern', () => {
    const place = `ssh://me@nas:22/srv/it's`;
    expect(words(extractCommand(place, 'a b', { paths: ['home/x', 're:x', ''], strip: 2 }))).toEqual([
      'extract',
      '--strip-components',
      '2',
      `${place}::a b`,
      'home/x',
      'pp:re:x',
    ]);
    expect(words(listCommand('/srv/photos', 'one'))).toEqual(['list', '/srv/photos::one']);
  });
});
