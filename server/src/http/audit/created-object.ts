import { isSchedule } from './audited-routes.js';

/**
 * The object that a call created, according to its response: a job or a resource with its id. Null if none.
 */
export function createdIn(body: unknown, path: string): { kind: string; id: string } | null {
  if (body === null || typeof body !== 'object') return null;
  const { job_id: job, id } = body as { job_id?: unknown; id?: unknown };
  if (typeof job === 'number') return { kind: 'job', id: `${job}` };
  if (typeof id === 'number') return { kind: lastName(path), id: `${id}` };
  for (const [name, value] of Object.entries(body)) {
    const inner = (value as { id?: unknown } | null)?.id;
    if (typeof inner === 'number') return { kind: isSchedule(path) ? 'schedule' : name, id: `${inner}` };
  }
  return null;
}

/** `/api/auth/users` creates a user. */
const lastName = (path: string): string => (path.match(/[a-z-]+(?=\/?$)/)?.[0] ?? '').replace(/s$/, '');
