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
