import { readFileSync } from 'node:fs';
import { createClient, type RedisClientOptions } from '@keyv/redis';
import type { RedisAddress } from './connection-url.js';

const connectTimeoutMs = 2_000;
/** A server that says nothing for so long is gone; the pings keep a quiet one from looking so. */
const silenceMs = 3_000;
const pingMs = 1_000;
const longestPauseMs = 2_000;
/** RESP's code of a string: values come as the bytes that they are. */
const blobString = 36;

/**
 * A client that never waits for a server that is away: commands fail at once until it is connected again, which it
 * tries without end.
 */
export const makeClient = (address: RedisAddress) => createClient(optionsOf(address));
export type RedisClient = ReturnType<typeof makeClient>;

function optionsOf(address: RedisAddress): RedisClientOptions {
  const { username, password, database } = address;
  return {
    socket: socketOf(address) as RedisClientOptions['socket'],
    ...(username && { username }),
    ...(password && { password }),
    database,
    disableOfflineQueue: true,
    pingInterval: pingMs,
    commandOptions: { typeMapping: { [blobString]: Buffer } },
  };
}

function socketOf({ place, tls, verify, authority }: RedisAddress) {
  const common = {
    connectTimeout: connectTimeoutMs,
    socketTimeout: silenceMs,
    reconnectStrategy: (tries: number) => Math.min(longestPauseMs, 50 * 2 ** Math.min(tries, 6)),
  };
  if ('path' in place) return { ...common, path: place.path, tls: false };
  if (!tls) return { ...common, ...place };
  const ca = authority === undefined ? {} : { ca: readAuthority(authority) };
  return { ...common, ...place, tls: true, rejectUnauthorized: verify, ...ca };
}

function readAuthority(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch {
    // The same words: the error must not tell which files there are.
  }
  throw new Error('ssl_ca_certs in the URL of the cache is not a readable certificate file.');
}
