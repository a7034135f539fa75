import { faketimeLibrary } from '../../../scripts/services/faketime.mjs';

/** The environment of a process whose wall clock goes ahead; its intervals go on as they are. */
export function clockAhead(seconds: number): Record<string, string> {
  return {
    LD_PRELOAD: faketimeLibrary(),
    FAKETIME: `+${seconds}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DISABLE_SHM: '1',
  };
}
