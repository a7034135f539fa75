import { definePlugin, type NotificationService } from '@holdfast/plugin-api';
import { z } from 'zod';
import { appriseServer } from './apprise-server.js';
import { problemOfServiceUrl } from './service-url.js';

const service: NotificationService = {
  id: 'apprise',
  name: 'Another service, by the Apprise server',
  fields: [
    {
      name: 'url',
      label: 'Service URL',
      kind: 'secret',
      required: true,
      example: 'matrixs://user:password@matrix.example.org/%23backups',
      help: 'In the format that the Apprise documentation shows for the service.',
    },
  ],
  template: '{+url}',
};

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
  create: ({ configuration: { url, timeoutSeconds } }) => {
    const server = appriseServer(url, { timeout: timeoutSeconds * 1000 });
    return {
      schemes: ['*'],
      service,
      check: problemOfServiceUrl,
      send: (serviceUrl, message, { signal }) => server.notify(serviceUrl, message, signal),
      health: () => server.health(),
    };
  },
});
