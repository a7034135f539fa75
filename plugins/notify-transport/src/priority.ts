import { type ServiceUrl, ServiceUrlError } from './service-url.js';

export interface Priorities {
  lowest: number;
  highest: number;
  /** From the lowest up; none if the service has only numbers. */
  names?: readonly string[];
}

/**
 * The `priority` of a service URL, as a number or a name; undefined if it has none.
 * @throws ServiceUrlError
 */
export function priorityIn(
  { query }: ServiceUrl,
  { lowest, highest, names = [] }: Priorities,
): number | undefined {
  const text = query.priority?.toLowerCase() ?? '';
  if (text === '') return undefined;
  const named = names.indexOf(text);
  const value = named < 0 ? Number(text) : lowest + named;
  if (Number.isInteger(value) && value >= lowest && value <= highest) return value;
  const words = names.length === 0 ? '' : `, or one of ${names.join(', ')}`;
  throw new ServiceUrlError(
    `The priority in the URL must be a whole number from ${lowest} to ${highest}${words}.`,
  );
}
