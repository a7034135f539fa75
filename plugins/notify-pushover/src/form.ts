import type { NotificationService } from '@holdfast/plugin-api';

export const form: NotificationService = {
  id: 'pushover',
  name: 'Pushover',
  fields: [
    {
      name: 'user',
      label: 'User key',
      kind: 'secret',
      required: true,
      example: 'uExampleOfAUserKey000000000000',
      help: 'On your page at pushover.net, or the key of a group.',
    },
    {
      name: 'token',
      label: 'Application token',
      kind: 'secret',
      required: true,
      example: 'aExampleOfAToken00000000000000',
      help: 'At pushover.net/apps: Create an Application.',
    },
    {
      name: 'device',
      label: 'Device',
      kind: 'text',
      required: false,
      example: 'phone',
      help: 'The name of one device. Without it, all get the messages.',
    },
    {
      name: 'priority',
      label: 'Priority',
      kind: 'number',
      required: false,
      example: '0',
      help: 'From -2 to 2 for all messages. Without it: 1 for failures, which also sound in quiet hours, and 0 for the rest.',
    },
    {
      name: 'sound',
      label: 'Sound',
      kind: 'text',
      required: false,
      example: 'pushover',
      help: 'The name of a sound in the Pushover app.',
    },
  ],
  template: '{scheme}://{user}@{token}/{device}{?priority,sound}',
};
