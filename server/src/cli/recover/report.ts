import type { CopyManifest, Recovered } from '@holdfast/core/server';

interface Result extends Recovered {
  manifest: CopyManifest;
  archive: string;
  repository: string;
  dataDirectory: string;
}

export function report(result: Result, json?: boolean): void {
  const { manifest, archive, repository, dataDirectory, unfinished, ...counts } = result;
  if (json) {
    const { made_at, host, holdfast } = manifest;
    const about = { repository, archive, made_at, host, holdfast, data_dir: dataDirectory };
    console.log(JSON.stringify({ ...about, ...counts, unfinished_jobs: unfinished }));
    return;
  }
  const { users, repositories, schedules, jobs, incidents } = counts;
  console.log(`Recovered from archive ${archive}, made on ${manifest.host} at ${manifest.made_at}.`);
  console.log(
    `${users} users, ${repositories} repositories, ${schedules} schedules, ${jobs} jobs and ${incidents} incidents are back in ${dataDirectory}.`,
  );
  if (unfinished > 0)
    console.log(
      `${unfinished} jobs were not finished when the copy was made. Holdfast determines their result when it starts.`,
    );
  console.log('Next:');
  console.log(
    '1. Make sure that the old server is off, or Holdfast disabled on it: two installations must not prune the same repositories.',
  );
  console.log(
    `2. Start Holdfast with DATA_DIR=${dataDirectory} and the other variables of the old server, but without SECRET_KEY.`,
  );
  console.log('3. Run "holdfast doctor" as the service user, and check each repository on Home.');
}
