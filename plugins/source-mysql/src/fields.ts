import { databasesField, passwordFromField, type SourceField } from '@holdfast/plugin-api/source';

export const fields: SourceField[] = [
  {
    name: 'host',
    label: 'Server',
    kind: 'text',
    required: false,
    example: '127.0.0.1',
    help: 'A name or an address. Without it: the socket of this machine.',
  },
  {
    name: 'port',
    label: 'Port',
    kind: 'number',
    required: false,
    example: '3306',
    help: 'Usually 3306.',
  },
  {
    name: 'socket',
    label: 'Socket',
    kind: 'text',
    required: false,
    example: '/run/mysqld/mysqld.sock',
    help: 'The path of the socket, if it is not the usual one.',
  },
  {
    name: 'user',
    label: 'User',
    kind: 'text',
    required: false,
    example: 'backup',
    help: 'A user of the server that may read everything. Without it: root.',
  },
  {
    name: 'password',
    label: 'Password',
    kind: 'secret',
    required: false,
    example: 'secret',
    help: 'Not needed where the server trusts the system user.',
  },
  passwordFromField('MARIADB_ROOT_PASSWORD'),
  databasesField,
];
