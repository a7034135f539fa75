import type { NotificationService } from '@holdfast/plugin-api';

export const form: NotificationService = {
  id: 'mail',
  name: 'Mail (SMTP)',
  fields: [
    {
      ...{ name: 'host', label: 'Server', kind: 'host', required: true, example: 'smtp.example.org' },
      help: 'The SMTP server of your provider for outgoing mail, with a port if it is not 587 (STARTTLS) or 465 (TLS).',
    },
    {
      ...{ name: 'user', label: 'User', kind: 'text', required: false, example: 'ann@example.org' },
      help: 'What you log in with; often the mail address.',
    },
    {
      ...{ name: 'password', label: 'Password', kind: 'secret', required: false, example: 'a-password' },
      help: 'Many providers want an app password, which you create in the settings of your account.',
    },
    {
      ...{ name: 'from', label: 'Sender', kind: 'text', required: true, example: 'ann@example.org' },
      help: 'The address that mail comes from; often that of the user.',
    },
    {
      ...{ name: 'to', label: 'Recipients', kind: 'text', required: true, example: 'ops@example.org' },
      help: 'Mail addresses, separated by commas.',
    },
    {
      ...{ name: 'mode', label: 'Encryption', kind: 'text', required: false, example: 'starttls' },
      help: 'starttls, ssl (TLS from the start) or insecure (none). Without it, the scheme and the port decide.',
    },
    {
      ...{ name: 'verify', label: 'Check the certificate', kind: 'boolean', required: false, example: 'yes' },
      help: 'no accepts any certificate.',
    },
  ],
  template: '{scheme}://{user}:{password}@{+host}{?from,to,mode,verify}',
};
