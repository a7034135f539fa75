import { z } from 'zod';

const line = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((text) => !/\p{Cc}/u.test(text), 'contains control characters');

const field = z.object({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must have a-z, 0-9 and _'),
  label: line(100),
  kind: z.enum(['text', 'secret', 'number', 'boolean', 'host']),
  required: z.boolean(),
  help: line(500),
  example: line(500),
});

const described = z.object({
  id: z.string(),
  name: line(100),
  fields: z.array(field).max(50),
  template: line(1_000),
});

/** What is wrong with the description of a service, or null. */
export function problemOfService(plugin: { id: string }, service: unknown): string | null {
  if (service === undefined) return null;
  const { success, data, error } = described.safeParse(service);
  if (!success) {
    return error.issues
      .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
      .join('; ');
  }
  if (data.id !== plugin.id) return `its id is "${data.id}", not "${plugin.id}"`;
  const known = ['scheme', ...data.fields.map(({ name }) => name)];
  const used = [...data.template.matchAll(/\{[+?]?([^}]*)\}/g)].flatMap(([, names = '']) => names.split(','));
  const unknown = used.filter((name) => !known.includes(name));
  const unused = known.filter((name) => name !== 'scheme' && !used.includes(name));
  if (unknown.length > 0) return `its template names ${unknown.join(', ')}, which is not a field`;
  return unused.length > 0 ? `its template lacks ${unused.join(', ')}` : null;
}
