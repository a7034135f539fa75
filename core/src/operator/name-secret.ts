import type { SealedPlace } from './sealed-places.js';

type Row = Record<string, unknown>;

/** Kinds of secrets as people call them. */
const kinds: Record<string, string> = {
  'repository.passphrase': 'passphrases of repositories',
  'repository.key_file': 'key files of repositories',
  'ssh_key.private_key': 'the SSH key',
  'notification_setting.service_url': 'service URLs of notifications',
  'repository_script.parameter_values': 'parameters of attached scripts',
  'schedule.pre_backup_script_parameters': 'parameters of scripts before scheduled backups',
  'schedule.post_backup_script_parameters': 'parameters of scripts after scheduled backups',
  'setting.value': 'settings',
  'hook_journal.plan': 'hooks that are owed',
  'job.parameters': 'parameters of jobs',
  'idempotency_key.answer': 'remembered answers',
  'audit_head.state': 'the seal of the audit trail',
};

const names: Record<string, (row: Row, path: string[]) => string> = {
  'repository.passphrase': ({ name }) => `the passphrase of repository ${name}`,
  'repository.key_file': ({ name }) => `the key file of repository ${name}`,
  'ssh_key.private_key': ({ name }) => `the SSH key ${name}`,
  'notification_setting.service_url': ({ name }) => `the service URL of notification ${name}`,
  'repository_script.parameter_values': ({ script_id, repository_id }, path) =>
    `the parameter ${path[0]} of script ${script_id} at repository ${repository_id}`,
  'schedule.pre_backup_script_parameters': ({ name }, path) =>
    `the parameter ${path[0]} of the script before schedule ${name}`,
  'schedule.post_backup_script_parameters': ({ name }, path) =>
    `the parameter ${path[0]} of the script after schedule ${name}`,
  'setting.value': ({ key }) => (key === 'cache' ? 'the address of the cache store' : `the setting ${key}`),
  'hook_journal.plan': ({ job_id }) => `the hooks that job ${job_id} still owes`,
  'job.parameters': ({ id }) => `a parameter of job ${id}`,
  'idempotency_key.answer': () => 'a remembered answer to a call with an Idempotency-Key',
  'audit_head.state': () => 'the seal of the audit trail',
};

const placeName = ({ entity, column }: SealedPlace) => `${entity.name}.${column}`;

export const kindOfSecret = (place: SealedPlace): string => kinds[placeName(place)] ?? placeName(place);

export const nameOfSecret = (place: SealedPlace, row: Row, path: string[]): string =>
  names[placeName(place)]?.(row, path) ?? `${placeName(place)} of row ${row.id}`;
