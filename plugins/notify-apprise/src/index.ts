import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { appriseServer } from './apprise-server.js';
import { problemOfServiceUrl } from './service-url.js';

/** All services of an Apprise API server, through its stateless endpoint. */
export default definePlugin({
  kind: 'notify',
  configuration: z.object({
    url: z
      .string()
      .url()
      .regex(/^https?:\/\//, 'must begin with http:// or https://'),
    /** Per message: the server answers only after the service behind it has. */
    timeoutSeconds: z.number().positive().max(300).default(45),
  }),
  create: ({ configuration: { url, timeoutSeconds }, fetch }) => {
    const server = appriseServer(url, { fetch, timeout: timeoutSeconds * 1000 });
    return {
      schemes: ['*'],
      check: problemOfServiceUrl,
      send: (serviceUrl, message, { signal }) => server.notify(serviceUrl, message, signal),
      health: () => server.health(),
    };
  },
});
