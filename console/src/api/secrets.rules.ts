const secret = /pass(word|phrase)|secret|private_key$|^service_url$|^(token|code|challenge)$/;
/** An address with a password, such as that of a Redis server. */
const withPassword = /:\/\/[^/\s]*:[^/\s@]*@/;

/** Placeholder of a secret: the name of a shell variable between characters that users cannot type. */
const placeholder = (name: string) => `\0${name.toUpperCase().replace(/\W/g, '_')}\0`;
/** The same as JSON writes it. */
export const placeholders = /\\u0000(\w+)\\u0000/g;

/** The body without secrets. Values for scripts may be secrets, too. */
export function hideSecrets(body: unknown, isSecret = false): unknown {
  if (Array.isArray(body)) return body.map((item) => hideSecrets(item));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) =>
      typeof value === 'string' && value !== '' && (isSecret || secret.test(name) || withPassword.test(value))
        ? [name, placeholder(name)]
        : [name, hideSecrets(value, name.endsWith('parameters'))],
    ),
  );
}
