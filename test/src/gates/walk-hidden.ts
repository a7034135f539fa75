import { neededRight } from '@holdfast/contracts';
import { archivesOf } from '../actions.js';
import type { Api } from '../api.js';
import type { SelfBackup } from '../self-backup.js';
import { type ContractRoute, fillPath } from './contract-routes.js';
import { exchange, type WireAnswer } from './exchange.js';
import { fewAtOnce } from './few-at-once.js';
import { told } from './judge-access.js';
import { nowhere } from './walk-access.js';

/** Objects that a caller may not know of. */
export interface HiddenObjects {
  /** Their names and ids, by the name of a parameter. */
  values: Record<string, readonly string[]>;
  /** Texts that no answer may hold, and what they are. */
  marks: ReadonlyMap<string, string | Buffer>;
}

interface Ground {
  base: string;
  routes: readonly ContractRoute[];
  token: string;
  hidden: HiddenObjects;
}

/** What belongs to the backup of the service itself, as an administrator finds it. */
export async function selfBackupObjects(
  api: Api,
  { repository_id, schedule_id, path }: SelfBackup,
): Promise<HiddenObjects> {
  const archives = (await archivesOf(api, path)) as unknown as { name: string; archive: string }[];
  const idsIn = async (list: 'jobs' | 'incidents' | 'drills') => {
    const { body } = await api.get(`/api/${list}`, { repository_id });
    return (body[list] as { id: number }[]).map(({ id }) => `${id}`);
  };
  const { name } = (await api.get(`/api/repositories/${repository_id}`)).body.repository;
  const names = archives.map((archive) => archive.name);
  const jobs = await idsIn('jobs');
  return {
    values: {
      repo_id: [`${repository_id}`],
      repository_id: [`${repository_id}`],
      repository: [path],
      // Routes of schedules call theirs so, too.
      job_id: [...jobs, `${schedule_id}`],
      schedule_id: [`${schedule_id}`],
      incident_id: await idsIn('incidents'),
      drill_id: await idsIn('drills'),
      archive_id: names,
      archive_name: names,
      archive: names,
    },
    marks: new Map([
      ['its name', name],
      ['its path', path],
      ...names.map((archive, n) => [`archive ${n}`, archive] as const),
      ['the folder of its copies', 'self-backup/holdfast-copy'],
    ]),
  };
}

/**
 * Calls every route of users with what is hidden, and returns which answers are not those for something that does not
 * exist. Metrics have all names, for Prometheus.
 */
export async function walkHidden(ground: Ground): Promise<string[]> {
  const visits = new Map<string, [ContractRoute, Asking]>();
  for (const route of ground.routes.filter(isForUsers))
    for (const asking of askings(route, ground.hidden))
      visits.set(JSON.stringify([requestFor(route, asking), asking.withTicket]), [route, asking]);
  const findings = await fewAtOnce([...visits.values()], (each) => visit(ground, ...each));
  return [...new Set(findings.flat())].sort();
}

const isForUsers = ({ metadata, method, path }: ContractRoute): boolean =>
  !path.startsWith('/api/auth/') &&
  (metadata?.access.who === 'any' ||
    metadata?.access.tokenOptional === true ||
    neededRight({ method, path }) !== undefined);

function askings({ path, metadata }: ContractRoute, { values }: HiddenObjects): Asking[] {
  const most = Math.max(...Object.values(values).map((all) => all.length));
  const ways = metadata?.access.tokenInQuery && path !== '/api/events' ? [false, true] : [false];
  return Array.from({ length: most }, (_, n) => {
    const valueFor = (name: string) => values[name]?.[n % (values[name]?.length || 1)];
    return ['repository_id', 'repository'].flatMap((by) =>
      ways.map((withTicket) => ({ by, valueFor, withTicket })),
    );
  }).flat();
}

interface Asking {
  /** How the repository is named in queries and bodies. */
  by: string;
  valueFor(name: string): string | undefined;
  /** With a ticket for the download instead of the token. */
  withTicket: boolean;
}

async function visit(ground: Ground, route: ContractRoute, asking: Asking): Promise<string[]> {
  const asked = await call(ground, route, asking);
  const valueFor = (name: string) => nothingLike(asking.valueFor(name));
  const missing = await call(ground, route, { ...asking, valueFor });
  const findings = asked.status === missing.status ? [] : [`${asked.status} instead of ${missing.status}`];
  if (asked.status === 404 && plain(asked) !== plain(missing)) findings.push('another 404 than for nothing');
  for (const [what, mark] of ground.hidden.marks) {
    if (asked.status < 400 && asked.body.includes(mark)) findings.push(`holds ${what}`);
  }
  return findings.map((finding) => `${route.name}: ${finding}`);
}

/** What is hidden has no such parameter: another object, which is the same in both calls. */
const nothingLike = (value: string | undefined): string | undefined =>
  value === undefined ? value : /^\d+$/.test(value) ? nowhere : `${value.slice(0, -1)}~`;

/** Without names and numbers, which a refusal repeats. */
const plain = (answer: WireAnswer): string =>
  told(answer).replaceAll(/[\w./:-]*\d[\w./:~-]*|[\w./-]+~/g, '…');

function requestFor({ method, path }: ContractRoute, { by, valueFor }: Asking) {
  const value = (name: string) => valueFor(name) ?? '1';
  const given: Record<string, string> = {
    [by]: value(by),
    archive: value('archive'),
    schedule_id: value('schedule_id'),
    file_path: '/',
    format: 'tar',
    query: 'secret',
    other: value('archive'),
    last_event_id: '0',
    progress: '1',
  };
  const body = {
    [by]: by === 'repository' ? value(by) : Number(value(by)),
    repo_id: Number(value('repo_id')),
    url: `/api/archives/download?${new URLSearchParams(given)}`,
  };
  const target = `${fillPath(path, value)}?${new URLSearchParams(given)}`;
  return { method, target, ...(method !== 'GET' && method !== 'DELETE' && { body }) };
}

async function call({ base, token }: Ground, route: ContractRoute, asking: Asking): Promise<WireAnswer> {
  const { method, target, body } = requestFor(route, asking);
  const send = (how: string, to: string, sent?: object) =>
    exchange(base, {
      method: how,
      target: to,
      headers: { authorization: `Bearer ${token}`, ...(sent && { 'content-type': 'application/json' }) },
      ...(sent && { body: JSON.stringify(sent) }),
    });
  if (!asking.withTicket) return send(method, target, body);
  const issued = await send('POST', '/api/download-tickets', { url: target });
  if (issued.status >= 300) return issued;
  const { ticket } = JSON.parse(`${issued.body}`) as { ticket: string };
  return exchange(base, { method, target: `${target}&ticket=${ticket}`, headers: {} });
}
