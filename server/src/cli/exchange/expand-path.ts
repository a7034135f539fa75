import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { homedir, hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const hasMagic = (text: string): boolean => /[*?[]/.test(text);

/** `~` for the home folder of this user. Other users' folders stay as they are written. */
export function withHome(path: string): string {
  const own = `~${userInfo().username}`;
  if (path === '~' || path.startsWith('~/')) return homedir() + path.slice(1);
  return path === own || path.startsWith(`${own}/`) ? homedir() + path.slice(own.length) : path;
}

/** Those of Borg that name this machine or user; it takes two braces for one. */
async function withPlaceholders(text: string): Promise<string> {
  const fqdn = text.includes('{fqdn}') ? (await run('hostname', ['--fqdn'])).stdout.trim() : '';
  const values: Record<string, string> = { hostname: hostname(), fqdn, user: userInfo().username };
  return text.replace(/\{\{|\}\}|\{(\w+)\}/g, (whole, name?: string) =>
    name === undefined ? whole.slice(1) : (values[name] ?? whole),
  );
}

/** Expands `~`, `*`, `?` and `[…]` like a shell: no hidden files unless a dot is written. */
export async function expandPath(text: string): Promise<string[]> {
  const path = await withPlaceholders(withHome(text));
  if (!hasMagic(path)) return [path];
  let found = [path.startsWith('/') ? '/' : '.'];
  for (const part of path.split('/').filter(Boolean)) {
    const next = await Promise.all(found.map((folder) => matching(folder, part)));
    found = next.flat();
  }
  return found.sort();
}

async function matching(folder: string, part: string): Promise<string[]> {
  if (!hasMagic(part)) {
    const path = join(folder, part);
    return (await stat(path).catch(() => null)) ? [path] : [];
  }
  const pattern = regexOf(part);
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => (part.startsWith('.') || !name.startsWith('.')) && pattern.test(name))
    .map((name) => join(folder, name));
}

/** Each star is lazy and bounded by a segment of a path, which has at most 255 bytes. */
function regexOf(part: string): RegExp {
  const text = part.replace(/\[!?[^\]]+\]|[\s\S]/g, (piece) => {
    if (piece === '*') return '.*';
    if (piece === '?') return '.';
    if (piece.length > 2) return piece.replace('[!', '[^').replaceAll('\\', '\\\\');
    return piece.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  return new RegExp(`^${text}$`, 's');
}
