import { readFileSync } from 'node:fs';
import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { mqttStates } from './publisher.js';

const urlForm =
  'must be the address of a broker, for example mqtt://broker.lan or mqtts://user@broker.lan:8883';
const name = (form: string, fallback: string) =>
  z
    .string()
    .regex(/^[\w-]{1,64}$/, form)
    .default(fallback);
const credential = z.string().max(1_000).optional();

/** The state of the backups in Home Assistant, by MQTT discovery. */
export default definePlugin({
  kind: 'states',
  configuration: z
    .object({
      url: z.string().refine(isBroker, urlForm),
      user: credential,
      password: credential.describe('secret'),
      passwordFile: z.string().optional(),
      authorityFile: z.string().optional(),
      verify: z.boolean().default(true),
      prefix: name('must be the discovery prefix of Home Assistant', 'homeassistant'),
      node: name('must be a name of letters, digits, _ and -', 'holdfast'),
    })
    .strict(),
  create: ({ configuration: { prefix, node, ...given }, log }) =>
    mqttStates(brokerOf(given), { topics: { prefix, node }, log }),
});

interface Given {
  url: string;
  user?: string | undefined;
  password?: string | undefined;
  passwordFile?: string | undefined;
  authorityFile?: string | undefined;
  verify: boolean;
}

function isBroker(text: string): boolean {
  if (!/^mqtts?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { hostname, pathname, search, hash, username, password } = new URL(text);
  const isDecodable = [username, password].every((part) => !/%(?![\da-f]{2})/i.test(part));
  return hostname !== '' && /^\/?$/.test(pathname) && search + hash === '' && isDecodable;
}

function brokerOf({ url, user, password, passwordFile, authorityFile, verify }: Given) {
  const parts = new URL(url);
  const tls = parts.protocol === 'mqtts:';
  const secret = passwordFile === undefined ? password : readText(passwordFile, 'passwordFile').trimEnd();
  const name = user || decodeURIComponent(parts.username);
  const code = secret || decodeURIComponent(parts.password);
  if (code && !name) throw new Error('A password needs a user: set user.');
  return {
    host: parts.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(parts.port) || (tls ? 8883 : 1883),
    tls,
    verify,
    authority: authorityFile === undefined ? undefined : readText(authorityFile, 'authorityFile'),
    user: name || undefined,
    password: code || undefined,
  };
}

function readText(file: string, setting: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`The file of ${setting} can't be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
