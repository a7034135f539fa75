import { conflict, type Made, say } from '@holdfast/core/server';
import { created, ok } from '../routers/reply.js';
import type { HandlerAnswer, HandlerInput } from '../routers/route-handlers.js';
import type { UseCases } from '../routers/use-cases.js';
import { callerOf } from '../sign-in/auth.js';

/**
 * Builds the response to a retry if the process of the first call ended after it created something, but
 * before it responded. Null if what it created was removed again and the call must be executed again.
 */
type Recovery = (input: HandlerInput, made: readonly Made[]) => Promise<HandlerAnswer | null>;
export type Recoveries = Readonly<Record<string, Recovery>>;

const message = 'Already done by the first call with this Idempotency-Key.';
const success = true as const;

/** By method and path of the contract: one for each route that creates something. */
export function recoveriesOf(useCases: UseCases): Recoveries {
  const { repositories, schedules, notifications, scripts, auth } = useCases;
  const repository: Recovery = async ({ req }, made) => {
    const shown = await repositories.getRepository(callerOf(req), idIn(made, 'repository'));
    return created({ success, message, repository: shown.repository });
  };
  const schedule: Recovery = async (_input, made) => {
    const { next_runs: _, ...job } = (await schedules.getSchedule(idIn(made, 'schedule'))).job;
    return created({ success, message, job });
  };
  return {
    ...jobRecoveries,
    ...sshRecoveries(useCases),
    'POST /api/repositories/': repository,
    'POST /api/repositories/import': repository,
    'POST /api/source-sets': async (_input, made) => {
      const { source_set } = await repositories.getSourceSet(idIn(made, 'source_set'));
      return created({ success, message, source_set });
    },
    'POST /api/schedule/': schedule,
    'POST /api/schedule/:job_id/duplicate': schedule,
    'POST /api/notifications': async ({ req }, made) =>
      created(await notifications.getSetting(callerOf(req), idIn(made, 'notification_setting'))),
    'POST /api/scripts': async ({ req }, made) =>
      created(await scripts.getScript(callerOf(req), idIn(made, 'script'))),
    'POST /api/repositories/:repo_id/scripts': async ({ params, req }, made) => {
      const { repo_id: repositoryId } = params as { repo_id: number };
      const attachmentId = idIn(made, 'repository_script');
      const { attachment } = await scripts.getAttachment(callerOf(req), { repositoryId, attachmentId });
      return created({ success, id: attachment.id, attachment });
    },
    'POST /api/auth/users': async (_input, made) => created(await auth.getUser(idIn(made, 'user'))),
    // The token was never returned and can't be recovered.
    'POST /api/auth/tokens': async ({ req }, made) => {
      await auth.deleteToken(callerOf(req), idIn(made, 'token')).catch(() => {});
      return null;
    },
  };
}

const queued: Recovery = async (_input, made) =>
  ok({ success, job_id: idIn(made, 'job'), status: 'pending' as const, message });

const jobRecoveries: Recoveries = {
  'POST /api/backup/start': queued,
  'POST /api/repositories/discover': queued,
  'POST /api/repositories/:repo_id/check': queued,
  'POST /api/repositories/:repo_id/repair': queued,
  'POST /api/repositories/:repo_id/sign-archives': queued,
  'POST /api/repositories/:repo_id/change-passphrase': queued,
  'POST /api/repositories/:repo_id/compact': queued,
  'POST /api/repositories/:repo_id/drill': queued,
  'POST /api/restore/start': queued,
  'POST /api/restore/dump': queued,
  'DELETE /api/archives/:archive_id': queued,
  'POST /api/repositories/:repo_id/prune': async ({ body }, made) => {
    const { dry_run } = body as { dry_run: boolean };
    const job = { job_id: idIn(made, 'job'), status: 'pending' as const, dry_run };
    return ok({ success, ...job, message, archives: null, prune_result: null });
  },
  'POST /api/schedule/:job_id/run-now': async (_input, made) => {
    const job_ids = made.filter(({ entity }) => entity === 'job').map(({ id }) => id);
    return ok({ success, job_id: idIn(made, 'job'), job_ids, status: 'pending' as const, message });
  },
};

function sshRecoveries({ ssh }: Pick<UseCases, 'ssh'>): Recoveries {
  const key = async (made: readonly Made[]) => {
    const { connections: _, ...ssh_key } = (await ssh.getKey(idIn(made, 'ssh_key'))).ssh_key;
    return { success, message, ssh_key };
  };
  const keyCreated: Recovery = async (_input, made) => created(await key(made));
  return {
    'POST /api/ssh-keys': keyCreated,
    'POST /api/ssh-keys/generate': keyCreated,
    'POST /api/ssh-keys/import': keyCreated,
    'POST /api/ssh-keys/quick-setup': async (_input, made) => {
      const id = made.find(({ entity }) => entity === 'ssh_connection')?.id;
      const connected = id === undefined ? {} : { connection: (await ssh.getConnection(id)).connection };
      return created({ ...(await key(made)), ...connected });
    },
    'POST /api/ssh-keys/:key_id/deploy': interrupted,
    'POST /api/ssh-keys/:key_id/test-connection': interrupted,
  };
}

/** The connection exists, but the result of the test is lost. */
const interrupted: Recovery = async (_input, made) => {
  const id = idIn(made, 'ssh_connection');
  throw conflict(
    say`idempotency_call_interrupted: The first call with this Idempotency-Key was interrupted after it created connection ${{ id }}. Test it with POST /api/ssh-keys/connections/${{ id }}/test, or deploy again with a new Idempotency-Key.`,
  );
};

function idIn(made: readonly Made[], entity: string): number {
  const found = made.find((each) => each.entity === entity);
  if (!found) throw new Error(`the call did not create a ${entity}`);
  return found.id;
}
