import { Matcher } from './matcher.js';
import type { Secret, SecretBook } from './secret-book.js';
import { unpacked } from './unpack.js';

export const channels = [
  'service log',
  'command line',
  'job logs',
  'events',
  'answers',
  'metrics',
  'database',
  'timer store',
  'cache',
  'files',
  'temporary files',
  'arguments',
  'environments',
] as const;
export type Channel = (typeof channels)[number];

/** Something that came out of the service. */
export interface Material {
  channel: Channel;
  /** For people: which answer, which file, which process. */
  place: string;
  content: Buffer | string;
  /** True for what is there on purpose. */
  mayHold?: (secret: Secret) => boolean;
}

export interface Leak {
  channel: Channel;
  place: string;
  secret: string;
  form: string;
}

/** Every secret in any of its forms in any of the materials, where it may not be. */
export function leaksIn(materials: Iterable<Material>, book: SecretBook): Leak[] {
  const matcher = new Matcher();
  for (const { name, parts } of book.all) for (const part of parts) matcher.add(name, part);
  const leaks: Leak[] = [];
  for (const { channel, place, content, mayHold } of materials) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    for (const { of: name, form } of hitsIn(bytes, matcher)) {
      const secret = book.named(name);
      if (secret && mayHold?.(secret)) continue;
      leaks.push({ channel, place, secret: name, form });
    }
  }
  return different(leaks);
}

function* hitsIn(content: Buffer, matcher: Matcher): Generator<{ of: string; form: string }> {
  yield* matcher.hitsIn(content);
  for (const { how, bytes } of unpacked(content)) {
    for (const hit of matcher.hitsIn(bytes)) yield { ...hit, form: `${hit.form} in ${how}` };
  }
}

const different = (leaks: Leak[]): Leak[] => [
  ...new Map(leaks.map((leak) => [JSON.stringify(leak), leak])).values(),
];
