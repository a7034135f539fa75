/** What notification transports share: service URLs, guarded connections, and messages over HTTP. */

export { failureOf, forbiddenAddress } from './failure.js';
export { forbiddenNetworks } from './forbidden-networks.js';
export { ForbiddenAddressError, type Forbidding, forbiddenLiteral, guardedLookup } from './guarded-lookup.js';
export { allowedNetworks, apiUrl, type HttpService, httpTransport } from './http-transport.js';
export { retryAfterMs } from './post.js';
export { priorityIn } from './priority.js';
export {
  basic,
  decoded,
  httpTarget,
  isOn,
  readServiceUrl,
  type ServiceUrl,
  ServiceUrlError,
  splitOnce,
} from './service-url.js';
export { bytes, cut, shown } from './text.js';
