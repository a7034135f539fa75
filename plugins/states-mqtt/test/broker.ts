import { tmpdir } from 'node:os';
import type {
  Log,
  PluginInstance,
  PublishedStates,
  RepositoryState,
  StatePublisher,
} from '@holdfast/plugin-api';
import { connectAsync, type MqttClient } from 'mqtt';
import { MosquittoServer } from '../../../scripts/services/mosquitto-server.mjs';
import type { Message } from '../src/connection.js';
import plugin from '../src/index.js';

export { MosquittoServer };

const quiet: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };

/** The plugin as the host makes it, started; not necessarily connected. */
export async function openStates(
  configuration: object,
  log: Log = quiet,
): Promise<PluginInstance<StatePublisher>> {
  const states = await plugin.create({
    configuration: plugin.configuration.parse(configuration),
    log,
    clock: Date,
    dataFolder: tmpdir(),
    fetch,
  });
  await states.start?.();
  return states;
}

export const urlOf = ({ port }: MosquittoServer, scheme = 'mqtt') => `${scheme}://127.0.0.1:${port}`;

/** Another client of the broker: sees everything, and may publish. */
export class Observer {
  readonly messages: Message[] = [];

  private constructor(private readonly client: MqttClient) {
    client.on('message', (topic, payload, { retain }) => {
      this.messages.push({ topic, payload: payload.toString(), retained: retain });
    });
  }

  static async open({ port }: MosquittoServer, password?: string): Promise<Observer> {
    const secrets = password === undefined ? {} : { username: 'holdfast', password };
    return new Observer(await connectAsync({ host: '127.0.0.1', port, ...secrets }));
  }

  publish(topic: string, payload: string): void {
    this.client.publish(topic, payload, { retain: true });
  }

  /** Subscribes; resolves when everything retained has come. */
  async watch(): Promise<void> {
    await this.client.subscribeAsync('#');
    const marker = `observer/${Math.random()}`;
    const marked = new Promise<void>((resolve) => {
      this.client.on('message', (topic) => topic === marker && resolve());
    });
    this.publish(marker, 'here');
    await marked;
    this.publish(marker, '');
  }

  close(): Promise<void> {
    return this.client.endAsync();
  }
}

/** Everything that the broker retains now, by topic. */
export async function retainedBy(server: MosquittoServer, password?: string): Promise<Map<string, string>> {
  const observer = await Observer.open(server, password);
  try {
    await observer.watch();
    return new Map(
      observer.messages.filter(({ retained }) => retained).map(({ topic, payload }) => [topic, payload]),
    );
  } finally {
    await observer.close();
  }
}

interface Config {
  name: string;
  state_topic: string;
  availability_topic: string;
  value_template: string;
  json_attributes_topic?: string;
  device: { name: string; identifiers: string[] };
}

/** As Home Assistant would: from the configurations, and the states that they refer to. */
export function readAsHome(retained: ReadonlyMap<string, string>) {
  const configs = [...retained].filter(([topic]) => /^homeassistant\/.+\/config$/.test(topic));
  const repositories = new Map<number, Record<string, unknown> & Pick<RepositoryState, 'id' | 'name'>>();
  let text: string | null = null;
  for (const [, payload] of configs) {
    const config = JSON.parse(payload) as Config;
    if (retained.get(config.availability_topic) !== 'online') continue;
    const state = JSON.parse(retained.get(config.state_topic) ?? '{}');
    const key = /value_json\.(\w+)/.exec(config.value_template)?.[1] ?? '';
    const id = Number(/_repository_(\d+)$/.exec(config.device.identifiers[0] ?? '')?.[1]);
    if (config.json_attributes_topic)
      text = (JSON.parse(retained.get(config.json_attributes_topic) ?? '{}') as PublishedStates).text;
    if (Number.isNaN(id)) continue;
    const known = repositories.get(id) ?? { id, name: config.device.name };
    const field = key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    repositories.set(id, { ...known, [field]: state[key] });
  }
  return { text, repositories: [...repositories.values()] as unknown as RepositoryState[] };
}
