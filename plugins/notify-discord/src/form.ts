import type { NotificationService } from '@holdfast/plugin-api';

const address = 'In the settings of the channel: Integrations, Webhooks, Copy Webhook URL. It is the';

export const form: NotificationService = {
  id: 'discord',
  name: 'Discord',
  fields: [
    {
      name: 'webhook_id',
      label: 'Webhook ID',
      kind: 'text',
      required: true,
      example: '123456789012345678',
      help: `${address} last part but one of that address, a number.`,
    },
    {
      name: 'token',
      label: 'Webhook token',
      kind: 'secret',
      required: true,
      example: 'ExampleOfAWebhookToken-0123',
      help: `${address} last part of that address.`,
    },
    {
      name: 'thread',
      label: 'Thread',
      kind: 'number',
      required: false,
      example: '123456789012345679',
      help: 'The ID of a thread of the channel.',
    },
  ],
  template: '{scheme}://{webhook_id}/{token}{?thread}',
};
