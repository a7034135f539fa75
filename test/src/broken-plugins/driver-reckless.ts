import type { BackupDriver } from '@holdfast/plugin-api/driver';

/** Ends whatever has the number that it is told. */
export const recklessDriver = (driver: BackupDriver): BackupDriver => ({
  ...driver,
  async endProcess({ pid, host }) {
    if (host === 'another machine') return 'elsewhere';
    try {
      process.kill(pid, 'SIGKILL');
      return 'ended';
    } catch {
      return 'gone';
    }
  },
});
