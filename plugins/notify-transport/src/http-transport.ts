import {
  DeliveryError,
  type NotificationMessage,
  type NotificationService,
  type NotificationTransport,
} from '@holdfast/plugin-api';
import { z } from 'zod';
import { forbiddenAddress } from './failure.js';
import { forbiddenNetworks } from './forbidden-networks.js';
import { forbiddenLiteral } from './guarded-lookup.js';
import { type Answer, isSuccess, isTemporary, post, refusal } from './post.js';
import { readServiceUrl, type ServiceUrl, ServiceUrlError } from './service-url.js';
import { shown } from './text.js';

export interface HttpService<Target extends { url: string }> {
  schemes: string[];
  service: NotificationService;
  /**
   * What the URL says; `url` is where messages are posted.
   * @throws ServiceUrlError
   */
  read(url: ServiceUrl): Target;
  requestOf(target: Target, message: NotificationMessage): { headers?: Record<string, string>; body: object };
  /** What to do when the service refuses a message, in sentences; null shows only what it answered. */
  advise(status: number, reason: string): string | null;
  /** Statuses that a proxy in front of the service answers while that is down. */
  temporary?: readonly number[];
}

/** Networks that may receive messages although they contain link-local or metadata addresses. */
export const allowedNetworks = z.array(z.string()).default([]);

/** The address of a service, for those who reach it by a proxy. It has no slash at its end. */
export const apiUrl = (usual: string) =>
  z
    .string()
    .regex(/^https?:\/\/[^@\s]+$/, 'must begin with http:// or https:// and contain no password')
    .transform((url) => url.replace(/\/+$/, ''))
    .default(usual);

/** A transport for a service that takes messages by a POST request: of JSON, or of a form if that is the body. */
export function httpTransport<Target extends { url: string }>(
  service: HttpService<Target>,
  settings: { allowedNetworks: readonly string[] },
): NotificationTransport {
  const isForbidden = forbiddenNetworks(settings.allowedNetworks);
  const read = (text: string) => {
    const url = readServiceUrl(text);
    return { url, target: service.read(url) };
  };
  return {
    schemes: service.schemes,
    service: service.service,
    yields: true,
    check(text) {
      try {
        const { hostname } = new URL(read(text).target.url);
        const literal = forbiddenLiteral(hostname, isForbidden);
        return literal === null ? null : forbiddenAddress(literal, literal);
      } catch (error) {
        if (error instanceof ServiceUrlError) return error.message;
        throw error;
      }
    },
    async send(text, message, { signal }) {
      const { url, target } = atOnce(() => read(text));
      const { headers, body } = service.requestOf(target, message);
      const isForm = body instanceof URLSearchParams;
      const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
      const answer = await post(
        {
          url: target.url,
          headers: { 'content-type': type, ...headers },
          body: isForm ? body.toString() : JSON.stringify(body),
          verifyCertificate: url.verifyCertificate,
        },
        { isForbidden, signal },
      );
      if (!isSuccess(answer.status)) throw refusalOf(answer, url.secrets, service);
    },
  };
}

/** A URL that was stored before it became invalid: no attempt would help. */
function atOnce<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ServiceUrlError) throw new DeliveryError(error.message, { retryable: false });
    throw error;
  }
}

function refusalOf(
  answer: Answer,
  secrets: readonly string[],
  {
    service: { name },
    advise,
    temporary = [],
  }: Pick<HttpService<{ url: string }>, 'service' | 'advise' | 'temporary'>,
): DeliveryError {
  const { status, text } = answer;
  const reason = shown(reasonIn(text), secrets);
  const isRetryable = isTemporary(status) || temporary.includes(status) || (status >= 300 && status < 400);
  if (status >= 300 && status < 400) {
    return refusal(
      `${name} redirects to another address (${status}): put that address into the URL.`,
      answer,
      true,
    );
  }
  const said = `${name} answered ${status}${reason === '' ? '.' : `: ${reason}`}`;
  return refusal(advise(status, reason) ?? said, answer, isRetryable);
}

/** The explanation in the JSON of an error, whatever the service calls it; other answers as they are. */
function reasonIn(text: string): string {
  try {
    const { description, errorDescription, errors, error, message } = JSON.parse(text) as Record<
      string,
      unknown
    >;
    const listed = Array.isArray(errors) ? errors.join(', ') : undefined;
    const found = [description, errorDescription, listed, error, message].find(
      (each) => typeof each === 'string',
    );
    return found === undefined ? text : String(found);
  } catch {
    return text;
  }
}
