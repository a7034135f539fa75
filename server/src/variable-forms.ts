import { isIP } from 'node:net';
import { z } from 'zod';

export const wholeNumber = (min: number, max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
    .default(String(fallback));

export const listOf = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** An IP address or a network in CIDR notation: `192.0.2.0/24`. */
export const isNetwork = (text: string) => {
  const match = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text);
  const version = isIP(match?.[1] ?? '');
  return version !== 0 && Number(match?.[2] ?? 0) <= (version === 4 ? 32 : 128);
};

/** Not where the service itself has something, or one address would mean two things. */
const ownPlaces = /^\/(api|assets|health|metrics)(\/|$)/i;
export const isBasePath = (text: string) =>
  text.length <= 200 && /^(\/[\w.~-]+)+$/.test(text) && !/\/\.\.?(\/|$)/.test(text) && !ownPlaces.test(text);
export const basePathForm =
  'must be a path such as /holdfast, with a slash in front and none at the end, of letters, digits and . _ ~ -, ' +
  'and not begin with /api, /assets, /health or /metrics';
