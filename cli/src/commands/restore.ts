import { resolve } from 'node:path';
import type { HoldfastClient, Schemas } from '@holdfast/client';
import { askYes } from '../ask.js';
import { CommandError } from '../errors.js';
import { archiveCalled } from '../pick.js';
import { answer, connect, type ServiceOptions } from '../service.js';
import { print, printJson } from '../terminal.js';
import { bytes, counted } from '../text.js';
import { afterStart } from './jobs.js';

interface Options extends ServiceOptions {
  to: string;
  repository?: string;
  layout?: Schemas['RestoreInput']['layout'];
  overwrite?: boolean;
  skipExisting?: boolean;
  acceptLowSpace?: boolean;
  plan?: boolean;
  yes?: boolean;
  json?: boolean;
  wait: boolean;
}

type Plan = Schemas['RestorePlanView'];

export async function restore(archive: string, paths: string[], options: Options): Promise<number> {
  const { plan: onlyPlan, yes, json, layout, overwrite, skipExisting: skip_existing } = options;
  if (!onlyPlan && !yes && !(process.stdin.isTTY && process.stdout.isTTY))
    throw new CommandError(
      'Nothing was restored: this is not a terminal. Add --plan to see the plan, or --yes.',
    );
  const client = await connect(options);
  const destination = destinationOf(options.to, client);
  const { id, name, repository } = await archiveCalled(client, archive, options.repository);
  const chosen = paths.map((path) => path.replace(/^\/+/, '')).filter(Boolean);
  const body = {
    repository_id: repository.id,
    archive: `${id}`,
    paths: chosen,
    accept_low_space: options.acceptLowSpace,
    ...{ destination, layout, overwrite, skip_existing },
  };
  const plan = await answer(client.POST('/api/restore/plan', { body }));
  if (json && (onlyPlan || !plan.can_start)) printJson(plan);
  if (!json) printPlan(plan, { name, repository: repository.name, overwrite });
  if (!plan.can_start) throw new CommandError('Nothing was restored.');
  if (onlyPlan) return 0;
  if (!yes && !(await askYes('Restore?'))) {
    print('Nothing was restored.');
    return 1;
  }
  const started = await answer(client.POST('/api/restore/start', { body: { plan_id: plan.plan_id } }));
  return afterStart(client, started, options);
}

/** A folder of the server: only there is a relative one clear. */
function destinationOf(folder: string, { baseUrl }: HoldfastClient): string {
  if (folder.startsWith('/')) return folder;
  const { hostname } = new URL(baseUrl);
  if (/^(localhost|127\..*|\[::1\])$/.test(hostname)) return resolve(folder);
  throw new CommandError('--to must be an absolute folder of the server.');
}

/** The options of this command in place of the fields of the API. */
const withOptions = (obstacle: string) =>
  obstacle
    .replace(/set overwrite or skip_existing\.$/, 'add --overwrite or --skip-existing.')
    .replace(/set accept_low_space to try it\.$/, 'add --accept-low-space to try it.');

function printPlan(
  plan: Plan,
  { name, repository, overwrite }: { name: string; repository: string; overwrite?: boolean },
): void {
  const { files, directories, links, others, collisions, blocked, links_leaving: leaving } = plan;
  const things = [
    counted(files, 'file'),
    counted(directories, 'folder'),
    links > 0 && counted(links, 'link'),
    others > 0 && counted(others, 'other entry', 'other entries'),
  ].filter(Boolean);
  print(`Restore ${things.join(', ')} (${bytes(plan.bytes)})`);
  print(`from ${name} of ${repository}`, { indent: 2 });
  const where = plan.destination_host ?? 'the server';
  print(`to ${plan.writes_to ?? plan.destination} on ${where} (${bytes(plan.free_bytes)} free)`, {
    indent: 2,
  });
  if (collisions.count > 0) {
    const effect = overwrite ? 'are replaced' : 'exist already';
    print(`${counted(collisions.count, 'path')} ${effect}:`, overwrite ? { tone: 'bad' } : {});
    for (const { path } of collisions.examples.slice(0, 5)) print(path, { indent: 2 });
    if (collisions.count > 5) print(`and ${collisions.count - 5} more`, { indent: 2 });
  }
  if (blocked.count > 0) {
    print(`${counted(blocked.count, 'path')} can't be restored:`, { tone: 'bad' });
    for (const { path, reason } of blocked.examples) print(`${path}: ${reason}`, { indent: 2 });
  }
  if (leaving.count > 0) print(`${counted(leaving.count, 'link')} to a target outside of the folder`);
  for (const remark of plan.remarks) print(remark);
  for (const obstacle of plan.obstacles) print(withOptions(obstacle), { tone: 'bad' });
}
