import { posix } from 'node:path';
import type { ImportedRepository } from '@holdfast/plugin-api/importer';
import type { Answers } from './answers.js';
import type { Place } from './tree.js';
import { shellWord, shellWords } from './words.js';

/** Parses the location of a repository in any notation of borgmatic. */
export function placeOf(
  written: string,
  answers: Answers,
  { at, command = null }: { at: Place; command?: string | null },
): ImportedRepository['place'] {
  const text = /^~|[{}]/.test(written) ? (answers.ask('paths', written, at) ?? written) : written;
  // Placeholders of Borg mean something only where it runs.
  if (/[{}\n]/.test(text)) return { kind: 'unnamed', text: written };
  const scheme = /^(sftp|rclone|s3|b2|https?|socket):/.exec(text)?.[1];
  if (scheme) return { kind: 'unsupported', scheme };
  if (text.startsWith('file://')) return { kind: 'local', path: text.slice('file://'.length) };
  if (/^[./]/.test(text) || !text.includes(':')) return { kind: 'local', path: text };
  // Borg takes the port for a folder here.
  if (/^[^/]*[^/:]:\d+\//.test(text))
    return { kind: 'unsupported', scheme: 'host:port/path (write ssh://host:port/path)' };
  const url = text.startsWith('ssh://') ? text : `ssh://${asUrl(text)}`;
  const match = /^ssh:\/\/(?:([^@/]+)@)?(\[[^\]]+\]|[^:/]+)(?::(\d{1,5}))?(\/.*)?$/.exec(url);
  if (!match) return { kind: 'unsupported', scheme: 'ssh' };
  const [, username = null, named = '', port, path = '/'] = match;
  const host = named.replace(/^\[|\]$/g, '');
  const words = [
    ...(command === null ? [] : shellWords(command).slice(1).map(shellWord)),
    ...[
      ...(port ? ['-p', port] : []),
      ...(username ? ['-l', shellWord(username)] : []),
      '--',
      shellWord(host),
    ],
  ];
  // Only the machine of the file knows its aliases, ports and jump hosts.
  const known = answers.ask('ssh', words.join(' '), at, true) ?? '';
  const set = (name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(known)?.[1] ?? null;
  const asWritten = { username, host, port: Number(port ?? 22) };
  return {
    kind: 'ssh',
    path,
    written: asWritten,
    via: set('proxyjump') ?? set('proxycommand'),
    username: set('user') ?? username,
    host: set('hostname') ?? host,
    port: Number(set('port') ?? asWritten.port),
  };
}

/** `user@host:path`, as the earlier form of ssh has it. */
function asUrl(text: string): string {
  const [, host = text, path = ''] = /^((?:[^@/]*@)?(?:\[[^\]]*\]|[^:/[]+)):(.*)$/s.exec(text) ?? [];
  return host + (path.startsWith('/') ? path : path.startsWith('~') ? `/${path}` : `/./${path}`);
}

/** The current matches of a path with a tilde or wildcards, maybe none; otherwise the path itself. */
export function expanded(text: string, answers: Answers, at: Place): string[] {
  if (!/^~|[*?[]/.test(text)) return [text];
  const answer = answers.ask('paths', text, at);
  return answer === undefined ? [text] : answer.split('\n').filter(Boolean);
}

/** Only the tilde: patterns keep their wildcards. */
export function withHome(text: string, answers: Answers, at: Place): string {
  const [, style = '', user = '', rest = ''] = /^(\w\w:)?(~[^/]*)(.*)$/s.exec(text) ?? [];
  return user === '' ? text : style + (answers.ask('paths', user, at) ?? user) + rest;
}

/** Absolute and without dots, as the service keeps directories. */
export const absolute = (path: string, workingDirectory: string | null): string => {
  const whole = path.startsWith('/') ? path : posix.join(workingDirectory ?? '/', path);
  const clean = posix.normalize(whole);
  return clean.length > 1 ? clean.replace(/\/$/, '') : clean;
};
