import type { Schemas } from '../../../api/client.js';

export type Service = Schemas['NotificationServiceView'];
type Form = Pick<Service, 'schemes' | 'template'>;
export type Values = Readonly<Record<string, string>>;

/** Whether the form accepts a web URL as copied. */
export const takesWebAddress = ({ template }: Pick<Form, 'template'>) => template.includes('{+host}/{+path}');

/** `https://host/path` as the fields of such a form. */
export function fromWebAddress({ schemes }: Form, url: string): Values {
  const [, web = '', host = '', path = ''] = /^(\w+:\/\/)?([^/?]*)\/*(.*)$/.exec(url.trim()) ?? [];
  const isPlain = web === 'http://' || web === `${schemes[0]}://`;
  return { web: url, scheme: (isPlain ? schemes[0] : schemes.at(-1)) ?? '', host, path };
}

/** The typed web URL, or that of a saved channel. */
export const webAddressOf = ({ schemes }: Form, { web, scheme, host, path }: Values): string =>
  web ?? (host ? `http${scheme === schemes[0] ? '' : 's'}://${host}${path ? `/${path}` : ''}` : '');

/** Builds the service URL from form values by RFC 6570: `{name}`, `{+name}` and `{?a,b}`. */
export function buildUrl({ schemes, template }: Form, filled: Values): string {
  const values: Values = { ...filled, scheme: filled.scheme || (schemes[0] ?? '') };
  const filledIn = template.replace(variables, (_, operator: string, names: string) => {
    const given = names.split(',').filter((name) => values[name]?.trim());
    const parts = given.map((name) => (operator === '+' ? reserved : encoded)((values[name] ?? '').trim()));
    if (operator !== '?') return parts.join(',');
    return parts.length === 0 ? '' : `?${given.map((name, index) => `${name}=${parts[index]}`).join('&')}`;
  });
  return filledIn.replace('://:@', '://');
}

/** The form values of a service URL; null if this form would build another one. */
export function readUrl(form: Form, url: string): Values | null {
  const hasLogin = /^[^/]*:\/\/[^/?]*@/.test(url);
  const whole = login.test(form.template) && !hasLogin ? url.replace('://', '://:@') : url;
  const names: string[] = [];
  let query: string[] = [];
  const pattern = form.template
    .split(/(\{[+?]?[a-z0-9_,]+\})/)
    .map((piece) => {
      const [, operator, name] = /^\{([+?]?)([a-z0-9_,]+)\}$/.exec(piece) ?? [];
      if (name === undefined) return piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      if (operator === '?') {
        query = name.split(',');
        return '(?:\\?(?<query>.*))?';
      }
      names.push(name);
      return name === 'scheme' ? '([a-z0-9]+)' : operator === '+' ? '([^?]*?)' : '([^/?@:]*)';
    })
    .join('');
  const found = new RegExp(`^${pattern}$`).exec(whole);
  if (!found) return null;
  const values: Record<string, string> = {};
  // The group of the query comes last.
  for (const [index, name] of names.entries()) values[name] = decoded(found[index + 1] ?? '');
  for (const pair of (found.groups?.query ?? '').split('&').filter(Boolean)) {
    const [name = '', value = ''] = pair.split('=');
    if (!query.includes(name)) return null;
    values[name] = decoded(value);
  }
  if (values.scheme && !form.schemes.includes(values.scheme)) return null;
  return decoded(buildUrl(form, values)) === decoded(url) ? values : null;
}

/** Fields shown at first: all up to the last required one. The others are folded. */
export function splitFields({ fields }: Pick<Service, 'fields'>) {
  const last = fields.findLastIndex(({ required }) => required);
  return { first: fields.slice(0, last + 1), more: fields.slice(last + 1) };
}

/** A user and a password, of which there may be none. */
const login = /\{[a-z]+\}:\{[a-z]+\}@/;
const variables = /\{([+?]?)([a-z0-9_,]+)\}/g;

/** Keeps reserved characters of URLs, and existing percent-encoding. */
const reserved = (value: string) =>
  encodeURI(value)
    .replace(/%25([0-9a-f]{2})/gi, '%$1')
    .replace(/%5[BD]/g, decodeURIComponent);

const encoded = (value: string) =>
  encodeURIComponent(value).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
