import { execFileSync } from 'node:child_process';

let library: string | undefined;

/**
 * The environment of a process whose wall clock goes ahead. The library is loaded without its starter, which would
 * stay beside as the parent; intervals are left alone, as they are on a machine whose clock is set wrong.
 */
export function clockAhead(seconds: number): Record<string, string> {
  library ??= findLibrary();
  return {
    LD_PRELOAD: library,
    FAKETIME: `+${seconds}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DISABLE_SHM: '1',
  };
}

/** The starter refuses where a semaphore is left of one that had the same process number: another try has another. */
function findLibrary(attempts = 5): string {
  try {
    const words = ['-m', '-f', '+0', 'printenv', 'LD_PRELOAD'];
    return execFileSync('faketime', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (error) {
    if (attempts <= 1) throw error;
    return findLibrary(attempts - 1);
  }
}
