import {
  ForbiddenAddressError,
  type Forbidding,
  forbiddenLiteral,
  guardedLookup,
} from '@holdfast/notify-transport';
import type { Agent, buildConnector } from 'undici';

export interface AgentOptions {
  isForbidden: Forbidding;
  verifyCertificate: boolean;
  /** Milliseconds. */
  connectTimeout: number;
  answerTimeout: number;
}

/** Refuses to connect to forbidden addresses. */
export function guardedAgent(
  undici: { Agent: typeof Agent; buildConnector: typeof buildConnector },
  { isForbidden, verifyCertificate, connectTimeout, answerTimeout }: AgentOptions,
): Agent {
  const connect = undici.buildConnector({
    lookup: guardedLookup(isForbidden),
    timeout: connectTimeout,
    rejectUnauthorized: verifyCertificate,
  });
  return new undici.Agent({
    headersTimeout: answerTimeout,
    bodyTimeout: answerTimeout,
    connect: (options, callback) => {
      const literal = forbiddenLiteral(options.hostname, isForbidden);
      if (literal !== null) callback(new ForbiddenAddressError(literal), null);
      else connect(options, callback);
    },
  });
}
