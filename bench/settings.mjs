const number = (name, fallback) => Number(process.env[name] || fallback);

/** Sizes of the measurement. Smaller ones give a quick impression; only these count. */
export const settings = {
  pairs: number('BENCH_PAIRS', 5),
  backupPairs: number('BENCH_BACKUP_PAIRS', 7),
  files: number('BENCH_FILES', 2000),
  mebibytes: number('BENCH_MIB', 2048),
  entries: number('BENCH_ENTRIES', 300_000),
  browseEntries: number('BENCH_BROWSE_ENTRIES', 1_000_000),
  searchEntries: number('BENCH_SEARCH_ENTRIES', 100_000),
  downloadEntries: number('BENCH_DOWNLOAD_ENTRIES', 100_000),
  starts: number('BENCH_STARTS', 7),
  schedules: number('BENCH_SCHEDULES', 10_000),
  due: number('BENCH_DUE', 1_000),
  idleSeconds: number('BENCH_IDLE_SECONDS', 60),
  repositories: number('BENCH_REPOSITORIES', 1000),
  jobs: number('BENCH_JOBS', 1_000_000),
  busyMebibytes: number('BENCH_BUSY_MIB', 1024),
  listedJobs: number('BENCH_LISTED_JOBS', 100_000),
  pages: number('BENCH_PAGES', 200),
  readers: number('BENCH_READERS', 200),
  eventSeconds: number('BENCH_EVENT_SECONDS', 15),
  roundSeconds: number('BENCH_ROUND_SECONDS', 3),
  dayHours: number('BENCH_DAY_HOURS', 24),
  dayFiles: number('BENCH_DAY_FILES', 2000),
  restored: number('BENCH_RESTORED', 100_000),
  scrapes: number('BENCH_SCRAPES', 15),
};
