import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { appriseServer } from './apprise-server.js';
import { faultOfServiceUrl } from './service-url.js';

/** Every service that an Apprise API server knows, through its stateless call. */
export default definePlugin({
  kind: 'notify',
  configuration: z.object({
    url: z
      .string()
      .url()
      .regex(/^https?:\/\//, 'must begin with http:// or https://'),
    /** For one message: the server answers when the service behind it has. */
    timeoutSeconds: z.number().positive().max(300).default(45),
  }),
  create: ({ configuration: { url, timeoutSeconds }, fetch }) => {
    const server = appriseServer(url, { fetch, timeout: timeoutSeconds * 1000 });
    return {
      schemes: ['*'],
      check: faultOfServiceUrl,
      send: (serviceUrl, message, { signal }) => server.notify(serviceUrl, message, signal),
      health: () => server.health(),
    };
  },
});
