/**
 * Calls that may change something and that a browser session need not confirm, by the reason. Every other call that is
 * not `GET` declares `access.confirm`: what can't be undone, and what gives power to undo the protection (credentials,
 * rights, code, changes of what is backed up, checked and notified).
 */
export const unconfirmed: Readonly<Record<string, readonly string[]>> = {
  'signs in or out, or asks for the password itself': [
    'POST /api/auth/login',
    'POST /api/auth/logout',
    'POST /api/auth/refresh',
    'POST /api/auth/session',
    'POST /api/auth/session/refresh',
    'DELETE /api/auth/session',
    'POST /api/auth/confirm',
    'POST /api/auth/change-password',
  ],
  'gives less power': ['DELETE /api/auth/tokens/:id'],
  'only reads': [
    'POST /api/preflight',
    'POST /api/repositories/:repo_id/test',
    'POST /api/repositories/discover',
    'POST /api/repositories/discover/:job_id/open',
    'POST /api/restore/plan',
    'POST /api/schedule/preview',
    'POST /api/schedule/validate-cron',
    'POST /api/sources/check',
    'POST /api/sources/find',
    'POST /api/ssh-keys/connections/:connection_id/refresh-storage',
    'POST /api/ssh-keys/connections/:connection_id/test',
  ],
  'the download itself asks': ['POST /api/download-tickets'],
  'adds, and changes nothing that exists': [
    'POST /api/notifications',
    'POST /api/repositories/import-many',
    'POST /api/schedule/:job_id/duplicate',
    'POST /api/source-sets',
    'POST /api/ssh-keys/:key_id/test-connection',
  ],
  'creates a key that is never shown': ['POST /api/ssh-keys/generate', 'POST /api/ssh-keys/quick-setup'],
  'needs the password of the host': [
    'POST /api/ssh-keys/:key_id/deploy',
    'POST /api/ssh-keys/connections/:connection_id/redeploy',
  ],
  'does what the settings say, only now': [
    'POST /api/backup/start',
    'POST /api/repositories/:repo_id/check',
    'POST /api/repositories/:repo_id/compact',
    'POST /api/repositories/:repo_id/drill',
    'POST /api/schedule/:job_id/run-now',
  ],
  'stops one job, which can be started again': [
    'POST /api/archives/delete-jobs/:job_id/cancel',
    'POST /api/backup/cancel/:job_id',
    'POST /api/jobs/:job_id/cancel',
    'POST /api/repositories/check-jobs/:job_id/cancel',
    'POST /api/repositories/compact-jobs/:job_id/cancel',
    'POST /api/repositories/prune-jobs/:job_id/cancel',
    'POST /api/restore/cancel/:job_id',
  ],
  'keeps more archives': ['DELETE /api/schedule/:job_id/adopt'],
  'sends a message, or pauses one for a time': [
    'POST /api/notifications/:setting_id/deliveries/:delivery_id/resend',
    'POST /api/notifications/test',
    'POST /api/incidents/:incident_id/snooze',
    'DELETE /api/incidents/:incident_id/snooze',
  ],
  'records that a user saved a sheet': ['POST /api/recovery-sheet/saved'],
  'removes what is made again, or belongs to nothing': [
    'POST /api/cache/clear',
    'POST /api/cache/clear-repository',
    'POST /api/scripts/cleanup-orphans',
  ],
};
