import { randomBytes } from 'node:crypto';
import { interfaceVersion } from '@holdfast/contracts';
import { isStoreError, type StorageBackend } from '@holdfast/plugin-api';
import type { PluginDescription } from '../../engine/plugins/index.js';
import { viewPlugin } from '../../engine/plugins/index.js';
import { addSetting, codeOf, readSetting, say, settings, withinTime } from '../../foundation/kernel/index.js';
import type { HeartbeatState, MonitoringNeeds } from './needs.js';

type Needs = Pick<MonitoringNeeds, 'plugins' | 'clock' | 'auditTrail' | 'heartbeatState'>;

/**
 * `status` is `healthy` whenever it answers. `ready`: the storage works. `degraded`: failing parts, in public
 * sentences. The plugins' own messages may contain addresses and paths, so only administrators see them.
 */
export const getHealth = (needs: Needs) => {
  const ask = askPlugins(needs);
  return async () => {
    const plugins = await ask();
    const unwell = plugins.filter(({ health }) => health !== null);
    const degraded = [
      ...unwell.map(({ kind, id }) =>
        kind === null
          ? say`health_optional_plugin: An optional plugin is not healthy; administrators see why in GET /api/plugins.`
          : say`health_plugin: The ${{ plugin: kind }} plugin ${{ id: id ?? '' }} is not healthy; administrators see why in GET /api/plugins.`,
      ),
      ...[needs.auditTrail.problem() ?? []].flat(),
    ];
    return {
      status: 'healthy' as const,
      service: 'holdfast' as const,
      ready: !unwell.some(({ kind }) => kind === 'storage'),
      degraded: degraded.map(({ text }) => text),
      degraded_codes: degraded.map(codeOf),
      notices: [...plugins.flatMap(({ notices }) => notices), ...heartbeatNotice(needs.heartbeatState)],
    };
  };
};

const heartbeatNotice = ({ problem }: HeartbeatState): string[] =>
  problem === null ? [] : [`The monitor of HEARTBEAT_URL did not accept the last heartbeat: ${problem}.`];

/** How long an answer is reused, and the timeout of the storage. Milliseconds. */
const freshFor = 1_000;
const answerWithin = 2_000;

/**
 * Whether the storage answers now and its plugin reports it as healthy; one that rejects writes is not. Asked
 * at most once a second, however many ask.
 */
export const getReadiness = (needs: Pick<MonitoringNeeds, 'storage' | 'clock' | 'plugins'>) => {
  const { storage, clock } = needs;
  const plugins = askPlugins(needs);
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer = Promise.resolve(false);
  let open: Promise<unknown> | null = null;
  const question = () => {
    // A storage that hangs is not asked again for each request.
    open ??= storage.find(settings, { limit: 1 }).finally(() => {
      open = null;
    });
    return open;
  };
  const answers = () =>
    withinTime(answerWithin, question, () => new Error('late')).then(
      () => true,
      () => false,
    );
  const ask = async () =>
    (await answers()) && !(await plugins()).some(({ kind, health }) => kind === 'storage' && health !== null);
  return (): Promise<boolean> => {
    const now = clock.now();
    if (Math.abs(now - askedAt) >= freshFor) {
      askedAt = now;
      answer = ask();
    }
    return answer;
  };
};

export async function getRoot({ serverVersion }: MonitoringNeeds) {
  return {
    name: 'Holdfast',
    version: interfaceVersion,
    server_version: serverVersion,
    docs: '/api/docs' as const,
    status: 'running' as const,
  };
}

/** `bk_version` is null while the tool does not report its version. */
export async function getSystemInfo({ toolVersion, serverVersion }: MonitoringNeeds) {
  return {
    app_version: interfaceVersion,
    bk_version: await toolVersion.line(),
    server_version: serverVersion,
  };
}

/** Asks each plugin for its health. One that does not answer in time is unhealthy. */
export async function listPlugins({ plugins }: MonitoringNeeds) {
  return { success: true as const, plugins: (await plugins.describe()).map(viewPlugin) };
}

/**
 * How long plugin health is reused, and how long asking may delay a request. Milliseconds. After
 * `askAgainAfter` the plugins are asked in the background, so that frequent callers never wait.
 */
const askAgainAfter = 1_000;
const healthFreshFor = 2_000;
const healthWithin = 500;

/** The health of the plugins: current, or the last known when they do not answer soon. Empty at first. */
export function askPlugins({
  plugins,
  clock,
}: Pick<MonitoringNeeds, 'plugins' | 'clock'>): () => Promise<PluginDescription[]> {
  let known: PluginDescription[] = [];
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;
  const ask = async () => {
    known = await plugins.describe();
    askedAt = clock.now();
  };
  const askOnce = () => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };
  return async () => {
    const age = Math.abs(clock.now() - askedAt);
    if (age >= askAgainAfter) {
      const asked = withinTime(healthWithin, askOnce, () => new Error('late')).catch(() => undefined);
      if (age >= healthFreshFor) await asked;
    }
    return known;
  };
}

const key = 'installation';

/**
 * The permanent name of this installation, created at its first start. Processes that start together all get
 * the same name.
 */
export async function findInstallation(storage: StorageBackend): Promise<string> {
  const known = await readName(storage);
  if (known !== null) return known;
  const name = randomBytes(8).toString('hex');
  try {
    await addSetting(storage, key, name);
    return name;
  } catch (error) {
    const others = isStoreError(error, 'unique') ? await readName(storage) : null;
    if (others !== null) return others;
    throw error;
  }
}

async function readName(storage: StorageBackend): Promise<string | null> {
  const value = await readSetting(storage, key);
  return value === null ? null : String(value);
}
