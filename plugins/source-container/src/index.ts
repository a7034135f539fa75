import { definePlugin, type Finding } from '@holdfast/plugin-api';
import {
  type CommandHost,
  linesOf,
  type PrepareContext,
  type Source,
  type SourceSettings,
} from '@holdfast/plugin-api/source';
import { z } from 'zod';
import { act, type Container, inspect, isOwn, running } from './containers.js';
import { type Engine, engineOn } from './engine.js';
import { fields } from './fields.js';
import { find, isData } from './find.js';
import { inside } from './inside.js';
import { type Recipe, readRecipes } from './recipes.js';

const configuration = z.object({
  /** A path, `unix://` and a path, or `tcp://` and an address, such as that of a proxy. */
  socket: z.string().optional(),
  /** A folder with further recipes. */
  recipes: z.string().optional(),
});

type Held = 'stop' | 'pause';

interface Chosen {
  container: Container;
  action: Held;
}

const labelsOf = (text: string | undefined): [string, string | undefined][] =>
  linesOf(text).map((line) => {
    const at = line.indexOf('=');
    return at < 0 ? [line, undefined] : [line.slice(0, at), line.slice(at + 1)];
  });

async function named(engine: Engine, name: string): Promise<Container> {
  const container = await inspect(engine, name);
  if (container) return container;
  throw new Error(`There is no container ${name} on ${engine.hostName}: correct the name.`);
}

/** In the order in which they are stopped. A label chooses only the container that has it. */
async function chosenBy(settings: SourceSettings, engine: Engine): Promise<Chosen[]> {
  const chosen = new Map<string, Chosen>();
  const add = (container: Container, action: Held) => {
    if (!chosen.has(container.id)) chosen.set(container.id, { container, action });
  };
  for (const name of linesOf(settings.stop)) add(await named(engine, name), 'stop');
  for (const name of linesOf(settings.pause)) add(await named(engine, name), 'pause');
  const labels = labelsOf(settings.stop_labels);
  for (const name of labels.length > 0 ? await running(engine) : []) {
    const container = await inspect(engine, name);
    const has = ([key, value]: [string, string | undefined]) =>
      container?.labels[key] !== undefined && (value === undefined || container.labels[key] === value);
    if (container && labels.some(has)) add(container, 'stop');
  }
  return [...chosen.values()];
}

/** `container`, or `container:/path` for one of its mounts. */
async function foldersOf(settings: SourceSettings, engine: Engine): Promise<string[]> {
  const folders: string[] = [];
  for (const line of linesOf(settings.volumes)) {
    const [, name = line, path] = /^([^:]+):(\/.*)$/.exec(line) ?? [];
    const { mounts } = await named(engine, name);
    const found = mounts.filter((mount) =>
      path === undefined ? mount.isWritable && isData(mount.source) : mount.path === path,
    );
    if (found.length === 0)
      throw new Error(
        path === undefined
          ? `Container ${name} has no volumes to back up.`
          : `Nothing is mounted at ${path} in container ${name}: correct the path.`,
      );
    folders.push(...found.map(({ source }) => source));
  }
  return [...new Set(folders)];
}

async function excludesOf(settings: SourceSettings, engine: Engine): Promise<string[]> {
  const excludes: string[] = [];
  for (const line of linesOf(settings.exclude)) {
    const [, name, path] = /^([^:]+):(\/.*)$/.exec(line) ?? [];
    if (name === undefined || path === undefined)
      throw new Error(`${line} must be a container, a colon and a path in it.`);
    const { mounts } = await named(engine, name);
    const within = mounts
      .filter((mount) => path === mount.path || path.startsWith(`${mount.path}/`))
      .toSorted((a, b) => b.path.length - a.path.length)[0];
    if (!within) throw new Error(`${path} in container ${name} is not in a volume: correct the path.`);
    excludes.push(`pp:${within.source}${path.slice(within.path.length)}`);
  }
  return excludes;
}

/** Why the folders can't be read, one sentence each. Network storage may be gone once its container is stopped. */
async function folderProblems(host: CommandHost, folders: readonly string[], chosen: readonly Chosen[]) {
  const problems: string[] = [];
  const stops = chosen.some(({ action }) => action === 'stop');
  for (const folder of folders) {
    const { code, stdout } = await host.run({ argv: ['stat', '-f', '-c', '%T', '--', folder] });
    if (code !== 0)
      problems.push(
        host.isLocal
          ? `${folder} can't be seen: if Holdfast runs in a container, mount it there at the same path.`
          : `${folder} can't be seen on ${host.name}.`,
      );
    else if (stops && /^(?:nfs|cifs|smb|fuse)/.test(stdout.trim()))
      problems.push(
        `${folder} is on network storage, which may be gone while its container is stopped: pause the container instead, or back up the storage where it is.`,
      );
  }
  return problems;
}

async function planOf(settings: SourceSettings, host: CommandHost, socket: string | undefined) {
  const engine = await engineOn(host, socket);
  const chosen = await chosenBy(settings, engine);
  const own = host.isLocal && chosen.find(({ container }) => isOwn(container));
  if (own)
    throw new Error(`Holdfast itself runs in container ${own.container.name}: choose only other containers.`);
  const folders = await foldersOf(settings, engine);
  const excludes = await excludesOf(settings, engine);
  if (chosen.length + folders.length === 0)
    throw new Error('Nothing is chosen: name containers to stop or pause, or volumes.');
  const problems = await folderProblems(host, folders, chosen);
  return { engine, chosen, folders, excludes, problems };
}

/** `stop abc shop-db`: for another process. */
const noteOf = ({ action, container: { id, name } }: Chosen) => `${action} ${id} ${name}`;

async function hold(
  { action, container }: Chosen,
  { engine, settings, log }: { engine: Engine; settings: SourceSettings } & Pick<PrepareContext, 'log'>,
): Promise<void> {
  const { name } = container;
  await act(engine, container, action, settings.stop_seconds);
  const now = await inspect(engine, container.id);
  if (!now) throw new Error(`Container ${name} vanished.`);
  if (action === 'stop' && now.isRunning)
    throw new Error(
      `Container ${name} was stopped and started again: another program restarts it, such as systemd. Stop it there, or pause it.`,
    );
  if (action === 'stop' && now.wasKilled)
    log('warning', `Container ${name} did not stop in time and was killed: give it more seconds.`);
}

async function letGo(engine: Engine, note: string, log: PrepareContext['log']): Promise<void> {
  const [action, id = '', name = ''] = note.split(' ');
  const now = await inspect(engine, id);
  if (!now) return log('warning', `Container ${name} is gone, so it was not started again.`);
  if (now.isPaused) await act(engine, now, 'unpause');
  if (action === 'stop' && !now.isRunning) await act(engine, now, 'start');
}

const containers = (socket: string | undefined, recipes: () => Promise<readonly Recipe[]>): Source => ({
  title: 'Containers (Docker, Podman)',
  fields,
  claims: ({ stop, pause, stop_labels }) => [
    ...linesOf(stop),
    ...linesOf(pause),
    ...linesOf(stop_labels).map((label) => `label ${label}`),
  ],
  find: async ({ host }) => find(await engineOn(host, socket), host, await recipes()),
  async check(settings, { host }) {
    try {
      const { chosen, folders, problems } = await planOf(settings, host, socket);
      const findings: Finding[] = [];
      for (const action of ['stop', 'pause'] as const) {
        const names = chosen.filter((one) => one.action === action).map(({ container }) => container.name);
        if (names.length > 0)
          findings.push({ status: 'ok', text: `${inWords[action]} ${names.join(', ')}.` });
      }
      if (folders.length > 0) findings.push({ status: 'ok', text: `Volumes: ${folders.join(', ')}.` });
      findings.push(...problems.map((text): Finding => ({ status: 'failed', text })));
      return findings;
    } catch (error) {
      return [{ status: 'failed', text: (error as Error).message }];
    }
  },
  async prepare(settings, { host, record, log }) {
    const { engine, chosen, folders, excludes, problems } = await planOf(settings, host, socket);
    if (problems[0] !== undefined) throw new Error(problems[0]);
    const held: string[] = [];
    for (const one of chosen) {
      if (!one.container.isRunning || one.container.isPaused) {
        log('info', `Container ${one.container.name} is not running.`);
        continue;
      }
      held.push(noteOf(one));
      await record({ held: [...held] });
      await hold(one, { engine, settings, log });
    }
    return { paths: folders, excludes };
  },
  async release(_settings, { held }, { host, log }) {
    const notes = Array.isArray(held) ? (held as string[]) : [];
    if (notes.length === 0) return;
    const engine = await engineOn(host, socket);
    const problems: string[] = [];
    // What was stopped last is started first. One that can't be started must not keep the others down.
    for (const note of notes.toReversed())
      await letGo(engine, note, log).catch((error: Error) => problems.push(error.message));
    if (problems.length > 0) throw new Error(problems.join(' '));
  },
  enter: async (name, { host }) => inside(await engineOn(host, socket), name),
});

const inWords = { stop: 'Stopped for each backup:', pause: 'Paused for each backup:' };

export default definePlugin({
  kind: 'source',
  configuration,
  async create({ configuration: { socket, recipes } }) {
    // What is wrong with recipes of users is said at the start.
    if (recipes !== undefined) await readRecipes(recipes);
    return containers(socket, () => readRecipes(recipes));
  },
});
