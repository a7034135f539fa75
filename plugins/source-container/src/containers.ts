import { hostname } from 'node:os';
import { type Engine, problemOf } from './engine.js';

export interface Mount {
  type: string;
  /** Name of a volume; empty for folders of the host. */
  name: string;
  /** On the host. */
  source: string;
  /** In the container. */
  path: string;
  isWritable: boolean;
}

export interface Container {
  id: string;
  name: string;
  image: string;
  isRunning: boolean;
  isPaused: boolean;
  /** A signal ended it that it did not catch. */
  wasKilled: boolean;
  /** As the engine writes it. */
  startedAt: string;
  environment: Readonly<Record<string, string>>;
  labels: Readonly<Record<string, string>>;
  mounts: readonly Mount[];
}

interface Inspected {
  Id: string;
  Name: string;
  State: { Running?: boolean; Paused?: boolean; ExitCode?: number; StartedAt?: string };
  Config: { Image?: string; Env?: string[] | null; Labels?: Record<string, string> | null };
  Mounts?: { Type?: string; Name?: string; Source?: string; Destination?: string; RW?: boolean }[] | null;
}

const killed = 128 + 9;

/** Null if there is none of this name or id. */
export async function inspect(engine: Engine, name: string): Promise<Container | null> {
  const answer = await engine.call({ path: `/containers/${encodeURIComponent(name)}/json` });
  if (answer.status === 404) return null;
  if (answer.status !== 200) throw new Error(`Container ${name}: ${problemOf(answer)}`);
  const { Id, Name, State, Config, Mounts } = answer.body as Inspected;
  const pairs = (Config.Env ?? []).map((line): [string, string] => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)];
  });
  return {
    id: Id,
    name: Name.replace(/^\//, ''),
    image: Config.Image ?? '',
    isRunning: State.Running === true,
    isPaused: State.Paused === true,
    wasKilled: State.ExitCode === killed,
    startedAt: State.StartedAt ?? '',
    environment: Object.fromEntries(pairs),
    labels: Config.Labels ?? {},
    mounts: (Mounts ?? []).map((mount) => ({
      type: mount.Type ?? '',
      name: mount.Type === 'volume' ? (mount.Name ?? '') : '',
      source: mount.Source ?? '',
      path: mount.Destination ?? '',
      isWritable: mount.RW !== false,
    })),
  };
}

/** Whether this process runs in it: the name of its host is the beginning of its id. */
export const isOwn = ({ id }: Pick<Container, 'id'>, here = hostname()): boolean =>
  /^[0-9a-f]{12}$/.test(here) && id.startsWith(here);

/** Names of running containers, sorted. */
export async function running(engine: Engine): Promise<string[]> {
  const answer = await engine.call({ path: '/containers/json' });
  if (answer.status !== 200 || !Array.isArray(answer.body)) throw new Error(problemOf(answer));
  const names = (answer.body as { Names?: string[] }[]).map(({ Names }) => Names?.[0]?.replace(/^\//, ''));
  return names.filter((name): name is string => name !== undefined).toSorted();
}

type Action = 'stop' | 'start' | 'pause' | 'unpause';

/** Resolves also when the container is already in that state; `gone` when it does not exist. */
export async function act(
  engine: Engine,
  { id, name }: Pick<Container, 'id' | 'name'>,
  action: Action,
  seconds?: string,
): Promise<'done' | 'gone'> {
  const wait = action === 'stop' && seconds ? `?t=${encodeURIComponent(seconds)}` : '';
  const answer = await engine.call({ method: 'POST', path: `/containers/${id}/${action}${wait}` });
  if (answer.status === 404) return 'gone';
  if (answer.status < 300 || answer.status === 304) return 'done';
  throw new Error(`Container ${name} can't ${action}: ${problemOf(answer)}`);
}
