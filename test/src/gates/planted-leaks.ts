import { exchange, type WireAnswer } from './exchange.js';
import { type SmallService, startSmallService } from './small-service.js';

export interface PlantedLeak {
  where: string;
  /** The name of a route. */
  route: string;
  /** The answer with what a limited user may not be told. `by`: path and query of the request. */
  leak(answer: { status: number; text: string }, secret: Secret): { status: number; text: string };
}

interface Secret {
  name: string;
  /** The request is about the hidden repository. */
  isAsked: boolean;
}

const withName: PlantedLeak['leak'] = ({ status, text }, { name }) => ({
  status,
  text: text.replace(/^\{/, `{"planted":${JSON.stringify(name)},`),
});

/** One in each place where something hidden can come out. */
export const plantedLeaks: readonly PlantedLeak[] = [
  { where: 'a list', route: 'GET /api/repositories/', leak: withName },
  {
    where: 'a count',
    route: 'GET /api/schedule/:job_id/runs',
    leak: ({ status, text }) => ({ status, text: text.replace(/"total":\d+/, '"total":99') }),
  },
  {
    where: 'a figure of the overview',
    route: 'GET /api/overview',
    leak: ({ status, text }) => ({ status, text: text.replace(/"count":\d+/, '"count":2') }),
  },
  { where: 'the overview', route: 'GET /api/overview', leak: withName },
  {
    where: 'the events',
    route: 'GET /api/events',
    leak: ({ status, text }, { name }) => ({ status, text: `${text}event: x\ndata: "${name}"\n\n` }),
  },
  { where: 'a search', route: 'GET /api/archives/search-everywhere', leak: withName },
  {
    where: 'the text of an error',
    route: 'GET /api/repositories/:repo_id',
    leak: ({ status, text }, { name, isAsked }) => ({
      status,
      text: isAsked ? JSON.stringify({ detail: `You may not see ${name}.` }) : text,
    }),
  },
  {
    where: 'the status of an error',
    route: 'GET /api/archives/list',
    leak: ({ status, text }, { isAsked }) => ({ status: isAsked ? 403 : status, text }),
  },
  {
    where: 'a download with a ticket',
    route: 'GET /api/jobs/:job_id/log/download',
    leak: ({ status, text }, { name, isAsked }) =>
      isAsked ? { status: 200, text: `a log of ${name}` } : { status, text },
  },
];

interface Leaky {
  base: string;
  name: string;
  /** Parts of a target that mean the hidden repository. */
  ids: readonly string[];
  matches(method: string, path: string): boolean;
}

/** The service behind `base`, which lets the leak out. */
export const startLeaky = (
  { base, name, ids, matches }: Leaky,
  { leak }: PlantedLeak,
): Promise<SmallService> =>
  startSmallService(async ({ method = '', url = '', headers }, body) => {
    const { authorization = '', 'content-type': type = 'application/json' } = headers;
    const answer: WireAnswer = await exchange(base, {
      method,
      target: url,
      headers: { ...(authorization && { authorization }), 'content-type': type },
      ...(body !== '' && { body }),
    });
    const given = { status: answer.status, text: answer.body.toString('latin1') };
    const { pathname, searchParams } = new URL(url, base);
    const asked = [...pathname.split('/').map(decodeURIComponent), ...searchParams.values()];
    const isAsked = ids.some((id) => asked.includes(id));
    const { status, text } = matches(method, pathname) ? leak(given, { name, isAsked }) : given;
    return { status, body: text, headers: { 'content-type': `${answer.headers['content-type']}` } };
  });
