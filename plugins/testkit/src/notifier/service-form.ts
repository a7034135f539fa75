import type { NotificationService } from '@holdfast/plugin-api';

/** The part of a form that makes a URL. */
export interface ServiceForm extends Pick<NotificationService, 'template'> {
  schemes: readonly string[];
}

/**
 * The URL that a form builds of the values of its fields, by RFC 6570: `{name}`, `{+name}` and `{?a,b}`. Fields without
 * a value are left out.
 */
export function serviceUrl(
  { schemes, template }: ServiceForm,
  fields: Readonly<Record<string, string>>,
): string {
  const values: Readonly<Record<string, string>> = { scheme: schemes[0] ?? '', ...fields };
  return template.replace(/\{([+?]?)([a-z0-9_,]+)\}/g, (_, operator: string, names: string) => {
    const given = names.split(',').flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [{ name, value }];
    });
    if (operator === '+') return given.map(({ value }) => withReserved(value)).join(',');
    if (operator === '') return given.map(({ value }) => encoded(value)).join(',');
    const pairs = given.map(({ name, value }) => `${name}=${encoded(value)}`);
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  });
}

/** Characters with a meaning in a URL stay, and what is percent-encoded already. */
const withReserved = (value: string) =>
  encodeURI(value)
    .replace(/%25([0-9a-f]{2})/gi, '%$1')
    .replace(/%5[BD]/g, decodeURIComponent);

const encoded = (value: string) =>
  encodeURIComponent(value).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
