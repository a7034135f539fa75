import { execFileSync } from 'node:child_process';

/**
 * The environment of a process whose wall clock goes ahead. The library is loaded without its starter, which would
 * stay beside as the parent; intervals are left alone, as they are on a machine whose clock is set wrong.
 */
export function clockAhead(seconds: number): Record<string, string> {
  const shown = execFileSync('faketime', ['-m', '-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' });
  return {
    LD_PRELOAD: shown.trim(),
    FAKETIME: `+${seconds}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DISABLE_SHM: '1',
  };
}
