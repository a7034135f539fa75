import { readFileSync } from 'node:fs';
import { createClient, type RedisClientOptions } from '@keyv/redis';
import type { RedisAddress } from './connection-url.js';

const connectTimeoutMs = 2_000;
/** The connection is dropped after this much silence. Pings keep an idle server from reaching it. */
const silenceMs = 3_000;
const pingMs = 1_000;
const longestPauseMs = 2_000;
/** RESP's type code of a string: values are returned as raw bytes. */
const blobString = 36;

/**
 * A client that never waits for an unreachable server: commands fail at once until it has reconnected. It retries
 * forever.
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
    // One message for every cause, so that the error does not reveal which files exist.
  }
  throw new Error('ssl_ca_certs in the cache URL is not a readable certificate file.');
}
