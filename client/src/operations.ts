/* `npm run generate` writes this file from api/openapi.json. */

/** They accept an `Idempotency-Key`. */
export const takesKey: ReadonlySet<string> = new Set([
  'DELETE /api/archives/{archive_id}',
  'POST /api/auth/tokens',
  'POST /api/auth/users',
  'POST /api/backup/start',
  'POST /api/notifications',
  'POST /api/repositories/',
  'POST /api/repositories/discover',
  'POST /api/repositories/import',
  'POST /api/repositories/{repo_id}/check',
  'POST /api/repositories/{repo_id}/compact',
  'POST /api/repositories/{repo_id}/drill',
  'POST /api/repositories/{repo_id}/prune',
  'POST /api/repositories/{repo_id}/repair',
  'POST /api/repositories/{repo_id}/scripts',
  'POST /api/restore/start',
  'POST /api/schedule/',
  'POST /api/schedule/{job_id}/duplicate',
  'POST /api/schedule/{job_id}/run-now',
  'POST /api/scripts',
  'POST /api/source-sets',
  'POST /api/ssh-keys',
  'POST /api/ssh-keys/generate',
  'POST /api/ssh-keys/import',
  'POST /api/ssh-keys/quick-setup',
  'POST /api/ssh-keys/{key_id}/deploy',
  'POST /api/ssh-keys/{key_id}/test-connection',
]);

/** They take no access token. */
export const needsNoToken: ReadonlySet<string> = new Set([
  'DELETE /api/auth/session',
  'GET /api',
  'GET /api/docs',
  'GET /api/docs/assets/{file}',
  'GET /api/openapi.json',
  'GET /api/redoc',
  'GET /api/system/info',
  'GET /health',
  'GET /health/protection',
  'GET /health/ready',
  'GET /metrics',
  'POST /api/auth/login',
  'POST /api/auth/session',
  'POST /api/auth/session/refresh',
]);
