import { randomUUID } from 'node:crypto';
import type { CacheStore, CacheUsage, Log } from '@holdfast/plugin-api';
import KeyvRedis from '@keyv/redis';
import { makeClient, type RedisClient } from './client.js';
import { describeAddress, type RedisAddress } from './connection-url.js';

type Value = string | Buffer;

const scanned = 1_000;
const firstAnswerMs = 2_500;

/**
 * A Keyv store in Redis that uses the given keys unchanged. Every failure rejects, at once if the server is known to
 * be unreachable. Callers set their own timeouts: a command to a hanging server ends only when the connection is
 * dropped.
 */
export class RedisCache extends KeyvRedis<Value> implements CacheStore {
  readonly #client: RedisClient;
  /** The same connection, with keys as text. */
  readonly #texts: RedisClient;
  readonly #description: string;
  #connecting: Promise<unknown> | undefined;
  #problem: string | null = null;

  constructor(address: RedisAddress, log: Pick<Log, 'debug'>) {
    const client = makeClient(address);
    super(client, { throwOnErrors: true });
    this.#client = client;
    this.#texts = client.withTypeMapping({}) as unknown as RedisClient;
    this.#description = describeAddress(address);
    client.on('ready', () => {
      this.#problem = null;
    });
    this.on('error', (error: unknown) => {
      this.#problem = reasonOf(error);
      log.debug('error of the Redis client', { error });
    });
  }

  /** Resolves at once. Connection problems show up later. */
  async start(): Promise<void> {
    this.#connecting = this.#client.connect().catch((error: unknown) => {
      this.#problem = reasonOf(error);
    });
  }

  async stop(): Promise<void> {
    if (this.#client.isOpen) this.#client.destroy();
    await this.#connecting;
  }

  override async disconnect(): Promise<void> {
    await this.stop();
  }

  /** Null if the server stores and returns values, otherwise one sentence. Waits for the first connection. */
  async health(): Promise<string | null> {
    const until = performance.now() + firstAnswerMs;
    while (!this.#client.isReady && this.#problem === null && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (!this.#client.isReady) {
      return `Redis at ${this.#description} can't be used: ${this.#problem ?? 'it does not respond'}.`;
    }
    try {
      const lacking = await this.#lackingRights();
      if (lacking.length === 0) return null;
      const rights = lacking.join(', ');
      return `Redis at ${this.#description} can't be used: its user lacks the right to ${rights} keys that begin with archive:.`;
    } catch (error) {
      return `Redis at ${this.#description} can't be used: ${reasonOf(error)}.`;
    }
  }

  /** The commands that the server refuses to this user, of all that the cache uses. */
  async #lackingRights(): Promise<string[]> {
    const [client, key] = [this.#client, `archive:0:rights:${randomUUID()}`];
    const commands: [string, () => Promise<unknown>][] = [
      ['PING', () => client.ping()],
      ['SET', () => client.set(key, '', { PX: 1_000 })],
      ['GET', () => client.get(key)],
      ['STRLEN', () => client.strLen(key)],
      ['SCAN', () => this.#texts.scan('0', { MATCH: key, COUNT: 1, TYPE: 'string' })],
      ['UNLINK', () => client.unlink(key)],
    ];
    const lacking: string[] = [];
    for (const [name, run] of commands) {
      await run().catch((error: unknown) => {
        if (!/^NOPERM/.test(reasonOf(error))) throw error;
        lacking.push(name);
      });
    }
    return lacking;
  }

  /** A key that holds another Redis type counts as absent; `set` and `delete` replace it. */
  override async get<U = Value>(key: string): Promise<U | undefined> {
    try {
      return ((await this.#open().get(key)) ?? undefined) as U | undefined;
    } catch (error) {
      if (isWrongType(error)) return undefined;
      throw error;
    }
  }

  override async set(key: string, value: unknown, ttl?: number): Promise<void> {
    if (typeof value !== 'string' && !Buffer.isBuffer(value)) {
      throw new TypeError('This cache takes strings and Buffers only.');
    }
    await this.#open().set(key, value, ttl ? { PX: Math.ceil(ttl) } : {});
  }

  async setIfAbsent(key: string, value: Value, ttl: number): Promise<boolean> {
    return (await this.#open().set(key, value, { PX: Math.ceil(ttl), NX: true })) !== null;
  }

  override async deleteMany(keys: string[]): Promise<boolean> {
    return keys.length > 0 && (await this.#open().unlink(keys)) > 0;
  }

  async *keysWith(prefix: string): AsyncGenerator<string[]> {
    const pattern = { MATCH: `${literally(prefix)}*`, COUNT: scanned, TYPE: 'string' };
    let cursor = '0';
    do {
      this.#open();
      const found = await this.#texts.scan(cursor, pattern);
      cursor = String(found.cursor);
      if (found.keys.length > 0) yield found.keys;
    } while (cursor !== '0');
  }

  /** `bytes` counts the values only. */
  async usage(prefix: string): Promise<CacheUsage> {
    const seen = new Set<string>();
    let bytes = 0;
    for await (const batch of this.keysWith(prefix)) {
      const keys = batch.filter((key) => !seen.has(key));
      for (const key of keys) seen.add(key);
      const lengths = await Promise.all(keys.map((key) => this.#open().strLen(key)));
      bytes += lengths.reduce((sum, length) => sum + length, 0);
    }
    return { entries: seen.size, bytes };
  }

  override async *iterator<T>(namespace?: string): AsyncGenerator<[string, T | undefined], void> {
    for await (const keys of this.keysWith(namespace ? `${namespace}:` : '')) {
      for (const key of keys) {
        const value = await this.get<T>(key);
        if (value !== undefined) yield [key, value];
      }
    }
  }

  /** Removes only the service's keys: the database may hold others. */
  override async clear(): Promise<void> {
    for await (const keys of this.keysWith('archive:')) await this.deleteMany(keys);
  }

  /** The library would otherwise connect by itself, and wait for that forever. */
  #open(): RedisClient {
    if (!this.#client.isReady) throw new Error(this.#problem ?? 'the server is not connected');
    return this.#client;
  }
}

const literally = (text: string): string => text.replace(/[*?[\]\\^-]/g, '\\$&');

const isWrongType = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('WRONGTYPE');

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const text = error instanceof Error ? error.message : String(error);
  return (text || 'no reason was given').replace(/\.$/, '');
}
