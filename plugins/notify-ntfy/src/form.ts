import type { NotificationService } from '@holdfast/plugin-api';

export const form: NotificationService = {
  id: 'ntfy',
  name: 'ntfy',
  fields: [
    {
      name: 'host',
      label: 'Server',
      kind: 'host',
      required: true,
      example: 'ntfy.sh',
      help: 'ntfy.sh, or your own server. With the scheme ntfy instead of ntfys the connection uses no TLS.',
    },
    {
      name: 'topic',
      label: 'Topic',
      kind: 'secret',
      required: true,
      example: 'backups-x7Kq2',
      help: 'Up to 64 letters, digits, _ and -. Anyone who knows the name of an unprotected topic can read it.',
    },
    {
      name: 'token',
      label: 'Access token',
      kind: 'secret',
      required: false,
      example: 'tk_exampleofatoken',
      help: 'For a protected topic. In the web app: Account, Access tokens.',
    },
    {
      name: 'priority',
      label: 'Priority',
      kind: 'number',
      required: false,
      example: '3',
      help: 'From 1 to 5 for all messages. Without it: 4 for failures and warnings, 3 for the rest.',
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
  template: '{scheme}://{+host}/{topic}{?token,priority,verify}',
};
