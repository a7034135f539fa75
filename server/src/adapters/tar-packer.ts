import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { AppError, say, type TreePacker } from '@holdfast/core/server';

const args = ['-c', '--format=pax', '--sparse', '--xattrs', '--xattrs-include=*', '--acls', '-f', '-'];
const mostText = 2_000;

/** GNU tar. */
export const tarPacker: TreePacker = {
  pack(folder, { signal, hardLinks = true }) {
    const stream = new PassThrough();
    const env = { PATH: process.env.PATH, LC_ALL: 'C' };
    const tar = spawn('tar', [...args, ...(hardLinks ? [] : ['--hard-dereference']), '-C', folder, '.'], {
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

const failed = (reason: string, cause?: unknown): AppError =>
  new AppError(
    'internal',
    say('extracted_files_unreadable')`tar on this machine could not read the extracted files: ${{ reason }}`,
    { cause },
  );
