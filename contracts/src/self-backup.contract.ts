import { initContract } from '@ts-rest/core';
import { cacheable, conditional, failures, outdated, type RouteMetadata } from './common.js';
import { selfBackupChange, selfBackupView } from './schemas/self-backup.js';

const c = initContract();
const tag = 'System';
const path = '/api/system/self-backup';

export const selfBackupContract = c.router({
  get: {
    method: 'GET',
    path,
    summary: 'Show the backup of Holdfast itself',
    description:
      'Shows where the database, the secret key and the data of plugins are backed up, when that last ' +
      'happened and when the next backup is due. `holdfast recover` restores them.',
    responses: { 200: selfBackupView, 304: c.noBody(), ...failures },
    headers: cacheable,
    metadata: { access: { who: 'admin' }, version: 'self_backup', tag } satisfies RouteMetadata,
  },
  put: {
    method: 'PUT',
    path,
    summary: 'Turn the backup of Holdfast itself on or off',
    description:
      'The first time, this creates an encrypted repository with a generated passphrase, and a daily ' +
      'schedule that keeps 7 daily, 4 weekly and 6 monthly archives. Both can be changed like any other. ' +
      'Save the passphrase, for example with the recovery sheet: if you lose this server, the backup is ' +
      'useless without it. Repeating the call changes nothing.',
    body: selfBackupChange,
    responses: { 200: selfBackupView, ...failures, ...outdated },
    headers: conditional,
    metadata: {
      access: { who: 'admin', confirm: 'always' },
      version: 'self_backup',
      cost: 'high',
      tag,
    } satisfies RouteMetadata,
  },
});
