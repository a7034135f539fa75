import type { NotificationService } from '@holdfast/plugin-api';

export const form: NotificationService = {
  id: 'gotify',
  name: 'Gotify',
  fields: [
    {
      name: 'host',
      label: 'Server',
      kind: 'host',
      required: true,
      example: 'gotify.example.org',
      help: 'Your Gotify server. With the scheme gotify instead of gotifys the connection uses no TLS.',
    },
    {
      name: 'token',
      label: 'Application token',
      kind: 'secret',
      required: true,
      example: 'AExampleOfAToken',
      help: 'On the page of your server: Apps, Create Application.',
    },
    {
      name: 'priority',
      label: 'Priority',
      kind: 'number',
      required: false,
      example: '5',
      help: 'From 0 to 10 for all messages. Without it: 8 for failures, 6 for warnings, 4 for the rest.',
    },
    {
      name: 'verify',
      label: 'Check the certificate',
      kind: 'boolean',
      required: false,
      example: 'yes',
      help: '“No” accepts any certificate.',
    },
  ],
  template: '{scheme}://{+host}/{token}{?priority,verify}',
};
