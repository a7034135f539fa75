import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { Log } from '@holdfast/plugin-api';
import type { IClientOptions, MqttClient } from 'mqtt';
import pTimeout from 'p-timeout';

export interface Broker {
  host: string;
  port: number;
  tls: boolean;
  verify: boolean;
  /** Certificates of authorities, instead of those of Node.js. */
  authority: string | undefined;
  user: string | undefined;
  password: string | undefined;
}

export interface Message {
  topic: string;
  payload: string;
  /** It was published before the subscription. */
  retained: boolean;
}

interface Parts {
  broker: Broker;
  /** Retained when the connection ends, however it ends. */
  will: { topic: string; payload: string };
  log: Pick<Log, 'info' | 'warn'>;
  onConnect(): void;
  onMessage(message: Message): void;
}

const keepAliveSeconds = 30;
const firstAnswerMs = 10_000;
/** Shorter than the caller waits for `publish`. */
const acknowledgedMs = 8_000;
const longestPauseMs = 60_000;
const farewellMs = 2_000;
/** Nothing that the broker has to send is nearly as long. */
const mostBytes = 1 << 20;
const retained = { qos: 1, retain: true } as const;
const silent = 'it does not respond';
const refusals: Readonly<Record<number, string>> = {
  4: 'it rejected the user name or the password',
  5: 'it does not allow this user to connect',
};

/**
 * A connection to a broker, made again whenever it is lost, until `close`. Each has its own client: a client sends again
 * what was not acknowledged before, which may be old.
 */
export class Connection {
  #client: MqttClient | null = null;
  #isClosed = false;
  #tries = 0;
  #timer: NodeJS.Timeout | undefined;
  #problem: string | null = 'it has not responded yet';

  constructor(private readonly parts: Parts) {}

  /** One sentence, or null while it is connected. */
  get problem(): string | null {
    return this.#problem && `The MQTT broker at ${this.#address} can't be used: ${this.#problem}.`;
  }

  async open(): Promise<void> {
    const { connect } = await import('mqtt');
    if (this.#isClosed) return;
    const client = connect(this.#options());
    this.#client = client;
    client.on('connect', () => this.#connected());
    client.on('message', (topic, payload, { retain }) => {
      if (!this.#isClosed) this.parts.onMessage({ topic, payload: payload.toString(), retained: retain });
    });
    client.on('error', (error) => this.#lost(client, reasonOf(error)));
    client.on('close', () => this.#lost(client, 'it closed the connection'));
    let bytes = 0;
    client.on('packetreceive', () => (bytes = 0));
    client.stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) this.#lost(client, 'it sent a packet of more than 1 MB');
    });
  }

  subscribe(topics: string[]): void {
    this.#usable?.subscribe(topics);
  }

  /** Resolves when all are acknowledged, or the connection is lost. Dropped while there is no connection. */
  async retain(messages: Iterable<readonly [topic: string, payload: string]>): Promise<void> {
    const client = this.#usable;
    if (!client) return;
    const sent = Array.from(messages, ([topic, payload]) => client.publishAsync(topic, payload, retained));
    await pTimeout(Promise.all(sent), { milliseconds: acknowledgedMs }).catch(() =>
      this.#lost(client, silent),
    );
  }

  async close(): Promise<void> {
    const client = this.#usable;
    const { topic, payload } = this.parts.will;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const leave = async () => {
      await client?.publishAsync(topic, payload, retained);
      await client?.endAsync();
    };
    await pTimeout(leave(), { milliseconds: farewellMs }).catch(() => {});
    this.#client?.end(true);
    this.#client?.stream.destroy();
  }

  get #usable(): MqttClient | null {
    return this.#problem === null && !this.#isClosed ? this.#client : null;
  }

  get #address(): string {
    const { host, port, tls } = this.parts.broker;
    return `${tls ? 'mqtts' : 'mqtt'}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  }

  #options(): IClientOptions {
    const { host, port, tls, verify, authority, user, password } = this.parts.broker;
    return {
      ...{ host, port, protocol: tls ? 'mqtts' : 'mqtt', rejectUnauthorized: verify },
      ...(authority !== undefined && { ca: authority }),
      ...(user !== undefined && { username: user }),
      // MQTT.js writes other texts to standard error if DEBUG is set.
      ...(password !== undefined && { password: Buffer.from(password) }),
      // Random: brokers end the connection of another client with the same id.
      clientId: `holdfast-${randomBytes(6).toString('hex')}`,
      will: { ...this.parts.will, ...retained, payload: Buffer.from(this.parts.will.payload) },
      protocolVersion: 4,
      keepalive: keepAliveSeconds,
      connectTimeout: firstAnswerMs,
      reconnectPeriod: 0,
      log: () => {},
    };
  }

  #connected(): void {
    if (this.#tries > 0) this.parts.log.info('the MQTT broker can be used again');
    this.#tries = 0;
    this.#problem = null;
    this.parts.onConnect();
  }

  #lost(client: MqttClient, reason: string): void {
    if (client !== this.#client || this.#isClosed) return;
    this.#client = null;
    client.end(true);
    this.#problem = reason;
    if (this.#tries === 0) this.parts.log.warn('the MQTT broker cannot be used; retrying', { reason });
    const pause = Math.min(longestPauseMs, 1_000 * 2 ** Math.min(this.#tries++, 6));
    this.#timer = setTimeout(() => void this.open(), pause);
  }
}

function reasonOf({ message, code }: Error & { code?: number | string }): string {
  if (typeof code === 'number') return refusals[code] ?? `it refused the connection with code ${code}`;
  return /timeout$/i.test(message) ? silent : message || code || 'it closed the connection';
}
