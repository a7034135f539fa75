/** Which addresses an event makes outdated. */
const outdatedBy: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^job_/, ['/api/overview', '/api/jobs', '/api/drills', '/api/repositories/{repo_id}/']],
  [/^(backup|restore|check)_/, ['/api/overview', '/api/repositories', '/api/schedule']],
  // A failed run is a day of the strip, too.
  [/^backup_/, ['/api/history', '/api/system/self-backup', '/api/recovery-sheet']],
  // All that shows its name; jobs and drills keep the one they had.
  [
    /^repository_/,
    'archives history incidents notifications overview repositories schedule scripts source-sets system/protection'
      .split(' ')
      .map((address) => `/api/${address}`),
  ],
  [
    /^archives_changed/,
    ['/api/system/protection', '/api/archives', '/api/overview', '/api/repositories', '/api/history'],
  ],
  [
    /^(schedule_|retention_)/,
    'system/protection schedule overview repositories scripts history/runs'
      .split(' ')
      .map((address) => `/api/${address}`),
  ],
  [/^connection_/, ['/api/ssh-keys', '/api/overview']],
  [/^delivery_/, ['/api/notifications', '/api/overview']],
  [/^(protection_|damage|backup_late|backup_on_time)/, ['/api/overview', '/api/system/protection']],
  [/^(incident|damage)/, ['/api/incidents', '/api/overview']],
];

export const addressesOutdatedBy = (event: string): string[] =>
  outdatedBy.flatMap(([kind, addresses]) => (kind.test(event) ? addresses : []));
