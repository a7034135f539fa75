import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { makeFiles } from './trees.js';
import { waitFor } from './wait-for.js';

/**
 * A small tree whose backup reads some files and then waits at a pipe, at no cost: the tool holds its locks until
 * somebody lets it go on, and then ends as ever. For one backup at a time.
 */
export class HeldSource {
  /** What a repository gets to back it up. */
  readonly settings: { source_directories: string[]; custom_flags: string };
  readonly #first: string;
  readonly #second: string;

  constructor(folder: string) {
    const files = join(folder, 'files');
    makeFiles(files, 3);
    this.#first = join(folder, 'first');
    this.#second = join(folder, 'second');
    execFileSync('mkfifo', [this.#first, this.#second]);
    this.settings = {
      source_directories: [files, this.#first, this.#second],
      custom_flags: '--read-special',
    };
  }

  /** Resolves when the tool is at work; it goes on to the second pipe. */
  async reached(): Promise<void> {
    await waitFor(() => letGo(this.#first), { what: 'a tool at the first pipe', intervalMs: 20 });
  }

  /** Lets the tool go on to its end, from wherever it waits or will wait. */
  async release(): Promise<void> {
    const pass = () => {
      letGo(this.#first);
      return letGo(this.#second);
    };
    await waitFor(pass, { what: 'a tool at the second pipe', intervalMs: 20 });
  }
}

/** Ends what somebody reads from the pipe; false while nobody does. */
function letGo(pipe: string): boolean {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return false;
    throw error;
  }
}

/** The settings of a repository that backs up only this again. */
export const onlyFrom = (source: string) => ({ source_directories: [source], custom_flags: '' });
