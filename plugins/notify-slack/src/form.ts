import type { NotificationService } from '@holdfast/plugin-api';

const address = 'At api.slack.com/apps, your app, Incoming Webhooks. It is the';

export const form: NotificationService = {
  id: 'slack',
  name: 'Slack',
  fields: [
    {
      name: 'workspace',
      label: 'Workspace',
      kind: 'text',
      required: true,
      example: 'T00000000',
      help: `${address} part of the webhook's address that begins with T.`,
    },
    {
      name: 'webhook',
      label: 'Webhook',
      kind: 'text',
      required: true,
      example: 'B00000000',
      help: `${address} part of the webhook's address that begins with B.`,
    },
    {
      name: 'token',
      label: 'Token',
      kind: 'secret',
      required: true,
      example: 'ExampleOfAWebhookToken00',
      help: `${address} last part of the webhook's address.`,
    },
  ],
  template: '{scheme}://{workspace}/{webhook}/{token}',
};
