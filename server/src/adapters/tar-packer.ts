import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { AppError, type PackedOwners, say, type TreePacker } from '@holdfast/core/server';

const args = ['-c', '--format=pax', '--sparse', '--xattrs', '--xattrs-include=*', '--acls', '-f', '-'];
const mostText = 2_000;

/** GNU tar. */
export const tarPacker: TreePacker = {
  pack(folder, { signal, hardLinks = true, owners = [] }) {
    const stream = new PassThrough();
    const env = { PATH: process.env.PATH, LC_ALL: 'C' };
    const words = [...args, ...(hardLinks ? [] : ['--hard-dereference']), ...ownerWords(folder, owners)];
    const tar = spawn('tar', [...words, '-C', folder, '.'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    let errorOutput = '';
    tar.stderr.setEncoding('utf8').on('data', (text: string) => {
      errorOutput = (errorOutput + text).slice(-mostText);
    });
    tar.on('error', (error) => stream.destroy(signal.aborted ? error : failed(error.message, error)));
    // Only the exit code shows whether the stream is complete.
    tar.stdout.pipe(stream, { end: false });
    tar.on('close', (code) => {
      if (code === 0) stream.end();
      else stream.destroy(failed(errorOutput.trim().split('\n')[0] ?? `code ${code}`));
    });
    stream.on('close', () => tar.kill());
    return stream;
  },
};

/**
 * Names that a map line cannot hold stay numbers. The maps are next to the folder, out of reach of other
 * users.
 */
function ownerWords(folder: string, owners: PackedOwners): string[] {
  if (owners === 'numbers') return ['--numeric-owner'];
  const map = (what: 'owner' | 'group', pairs: [number, string][]) => {
    const lines = [...new Map(pairs)].filter(([, name]) => /^[\w.-]+$/.test(name) && !/^\d+$/.test(name));
    const file = join(dirname(folder), `${what}s`);
    writeFileSync(file, lines.map(([id, name]) => `+${id} ${name}:${id}\n`).join(''));
    return `--${what}-map=${file}`;
  };
  return [
    map(
      'owner',
      owners.map(({ uid, user }) => [uid, user]),
    ),
    map(
      'group',
      owners.map(({ gid, group }) => [gid, group]),
    ),
  ];
}

const failed = (reason: string, cause?: unknown): AppError =>
  new AppError(
    'internal',
    say`extracted_files_unreadable: tar on the server could not read the extracted files: ${{ reason }}`,
    { cause },
  );
