import { posix } from 'node:path';
import type { Answers } from './answers.rules.js';
import type { Place } from './tree.js';

export type RepositoryPlace =
  | { kind: 'local'; path: string }
  | { kind: 'ssh'; username: string | null; host: string; port: number; path: string }
  | { kind: 'unsupported'; scheme: string };

/** Where a repository lies, written as borgmatic allows it. */
export function placeOf(text: string, answers: Answers, at: Place): RepositoryPlace {
  const scheme = /^(sftp|rclone|s3|b2|https?|socket):/.exec(text)?.[1];
  if (scheme) return { kind: 'unsupported', scheme };
  if (text.startsWith('file://')) return { kind: 'local', path: text.slice('file://'.length) };
  if (!text.includes(':')) return { kind: 'local', path: expanded(text, answers, at)[0] ?? text };
  const url = text.startsWith('ssh://') ? text : `ssh://${asUrl(text)}`;
  const match = /^ssh:\/\/(?:([^@/]+)@)?(\[[^\]]+\]|[^:/]+)(?::(\d{1,5}))?(\/.*)?$/.exec(url);
  if (!match) return { kind: 'unsupported', scheme: 'ssh' };
  const [, username = null, host = '', port = '22', path = '/'] = match;
  return { kind: 'ssh', username, host: host.replace(/^\[|\]$/g, ''), port: Number(port), path };
}

/** `user@host:path`, as the earlier form of ssh has it. */
const asUrl = (text: string): string => text.replace(':~', '/~').replace(':/', '/').replace(':', '/./');

const hasMagic = (text: string): boolean => text.startsWith('~') || /[*?[]/.test(text);

/** What a path with a tilde or wildcards stands for now; the path itself without either. */
export function expanded(text: string, answers: Answers, at: Place): string[] {
  if (!hasMagic(text)) return [text];
  const found = answers.ask('paths', text, at)?.split('\n').filter(Boolean) ?? [];
  return found.length > 0 ? found : [text];
}

/** Absolute and without dots, as the service keeps directories. */
export const absolute = (path: string, workingDirectory: string | null): string => {
  const whole = path.startsWith('/') ? path : posix.join(workingDirectory ?? '/', path);
  const clean = posix.normalize(whole);
  return clean.length > 1 ? clean.replace(/\/$/, '') : clean;
};
