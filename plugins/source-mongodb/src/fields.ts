import { databasesField, passwordFromField, type SourceField } from '@holdfast/plugin-api/source';

export const fields: SourceField[] = [
  {
    name: 'host',
    label: 'Server',
    kind: 'text',
    required: false,
    example: '127.0.0.1',
    help: 'A name or an address, as seen from its host or container. Without it: 127.0.0.1.',
  },
  {
    name: 'port',
    label: 'Port',
    kind: 'number',
    required: false,
    example: '27017',
    help: 'Usually 27017.',
  },
  {
    name: 'user',
    label: 'User',
    kind: 'text',
    required: false,
    example: 'backup',
    help: 'A user with the role backup; restores need restore and dbAdminAnyDatabase. Without it: no sign-in.',
  },
  {
    name: 'password',
    label: 'Password',
    kind: 'secret',
    required: false,
    example: 'secret',
    help: 'The password of this user.',
  },
  passwordFromField('MONGO_INITDB_ROOT_PASSWORD'),
  {
    name: 'auth_database',
    label: 'Database of the user',
    kind: 'text',
    required: false,
    example: 'admin',
    help: 'Where the user was created. Without it: admin.',
  },
  databasesField,
];
