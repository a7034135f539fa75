import type { NotificationService } from '@holdfast/plugin-api';

export const form: NotificationService = {
  id: 'telegram',
  name: 'Telegram',
  fields: [
    {
      name: 'token',
      label: 'Bot token',
      kind: 'secret',
      required: true,
      example: '123456789:AAExampleOfABotToken',
      help: 'Send /newbot to @BotFather in Telegram: the reply has the token.',
    },
    {
      name: 'chat',
      label: 'Chat',
      kind: 'text',
      required: true,
      example: '-1001234567890',
      help: 'The number of the chat, or the @name of a public channel. Send the bot a message first.',
    },
    {
      name: 'topic',
      label: 'Topic',
      kind: 'number',
      required: false,
      example: '42',
      help: 'The number of a topic in a group with topics.',
    },
    {
      name: 'silent',
      label: 'Without sound',
      kind: 'boolean',
      required: false,
      example: 'no',
      help: 'Messages then make no sound.',
    },
  ],
  template: '{scheme}://{token}/{chat}{?topic,silent}',
};
