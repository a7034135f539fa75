/** Shorter parts of a URL may be ordinary words. */
const shortest = 8;

const base64 = (text: string) => Buffer.from(text).toString('base64');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const partsOf = /^[^:]+:\/\/(?:([^/?#]*)@)?[^/?#]*(.*)$/s;

/** What must not be revealed of a service URL: everything but its scheme, user and host, as a whole and in parts. */
export function secretsOfUrl(url: string): string[] {
  const [, , path = ''] = partsOf.exec(url) ?? [];
  const parts = path.split(/[/?#&]/).map((part) => part.replace(/^[^=]*=/, ''));
  const revealing = parts.filter((part) => part.length >= shortest);
  const own = path.length > 1 ? [path, ...revealing] : [];
  return [...passwordOf(url), ...own.flatMap((secret) => [secret, decoded(secret)])];
}

/** As written, decoded, and as sent. */
function passwordOf(url: string): string[] {
  const [, login = ''] = partsOf.exec(url) ?? [];
  const [, password = ''] = login.split(/:(.*)/s);
  return password === '' ? [] : [password, decoded(password), base64(decoded(login))];
}

/** As words, so that `authorizePath` is none. */
const secretName = /(^|_)(pass|password|passwd|passphrase|pwd|secret|token|key|credentials?|auth)(_|$)/i;
const wordsOf = (key: string) => key.replace(/([a-z\d])(?=[A-Z])/g, '$1_');
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Values of keys that are named or described as secrets, and passwords in URLs. */
export function secretsOfConfiguration(value: unknown, schema: unknown, key = ''): string[] {
  if (typeof value === 'string') {
    const isSecret = secretName.test(wordsOf(key)) || /^secret\b/i.test(descriptionOf(schema));
    if (isSecret) return value === '' ? [] : [value];
    return passwordOf(value);
  }
  if (!isObject(value)) return [];
  const shape = isObject(schema) && isObject(schema.shape) ? schema.shape : {};
  return Object.entries(value).flatMap(([name, each]) =>
    secretsOfConfiguration(each, shape[name], Array.isArray(value) ? key : name),
  );
}

const descriptionOf = (schema: unknown): string =>
  isObject(schema) && typeof schema.description === 'string' ? schema.description : '';
