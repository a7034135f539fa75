import { databasesField, passwordFromField, type SourceField } from '@holdfast/plugin-api/source';

export const fields: SourceField[] = [
  {
    name: 'host',
    label: 'Server',
    kind: 'text',
    required: false,
    example: '127.0.0.1',
    help: 'A name, an address, or the folder of a socket. Without it: the socket of this machine.',
  },
  {
    name: 'port',
    label: 'Port',
    kind: 'number',
    required: false,
    example: '5432',
    help: 'Usually 5432.',
  },
  {
    name: 'user',
    label: 'User',
    kind: 'text',
    required: false,
    example: 'postgres',
    help: 'A user of PostgreSQL that may read everything. Without it: postgres.',
  },
  {
    name: 'password',
    label: 'Password',
    kind: 'secret',
    required: false,
    example: 'secret',
    help: 'Not needed where the server trusts the system user.',
  },
  passwordFromField('POSTGRES_PASSWORD'),
  {
    name: 'run_as',
    label: 'Run as system user',
    kind: 'text',
    required: false,
    example: 'postgres',
    help: 'For servers that accept the system user instead of a password. Holdfast must run as root.',
  },
  databasesField,
];
