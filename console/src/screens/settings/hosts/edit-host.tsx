import { outdate, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { fieldsOf } from '../../../ui/draft.js';
import { EditForm, type Tagged, useEditing } from '../../../ui/editing.js';
import { CheckField, TagsField, TextField } from '../../../ui/field.js';
import { More } from '../../../ui/more.js';
import { BandwidthFields, bandwidthInWords } from './bandwidth-fields.js';
import styles from './hosts.module.css';
import { type Connection, connectionQuery, JumpField } from './parts.js';
import type { Address } from './recipes.js';

const draftOf = (connection: Connection) => ({
  name: connection.name,
  tags: connection.tags,
  host: connection.host,
  username: connection.username,
  port: connection.port,
  default_path: connection.default_path,
  ssh_path_prefix: connection.ssh_path_prefix,
  mount_point: connection.mount_point,
  use_sftp_mode: connection.use_sftp_mode,
  trusted: connection.trusted,
  sudo: connection.sudo,
  bandwidth: connection.bandwidth,
  jump_connection_id: connection.jump_connection_id,
});

export function EditHost({ tagged }: { tagged: Tagged<{ connection: Connection }> }) {
  const { id } = tagged.data.connection;
  const editing = useEditing({
    tagged,
    draftOf: ({ connection }) => draftOf(connection),
    query: connectionQuery(id),
    save: async (body, etag) => {
      const path = { connection_id: id };
      await write('PUT', '/api/ssh-keys/connections/{connection_id}', { path, etag, body });
      outdate('/api/ssh-keys', '/api/repositories');
    },
  });
  const { draft, change, field, error } = editing;
  const { fields, hints } = t.hosts;
  const words = (name: 'default_path' | 'trusted' | 'use_sftp_mode' | 'ssh_path_prefix' | 'mount_point') => ({
    label: fields[name],
    hint: hints[name],
  });
  return (
    <EditForm
      editing={editing}
      labels={fields}
      words={{ bandwidth: (value) => bandwidthInWords(value as Connection['bandwidth']) }}
    >
      <TextField label={fields.name} maxLength={255} {...field.orNull('name')} />
      <TagsField label={t.common.tags} hint={t.common.tagsHint} {...field.value('tags')} />
      <AddressFields value={draft} onValue={change} error={error} />
      <TextField {...words('default_path')} exact {...field.value('default_path')} />
      <CheckField {...words('trusted')} {...field.check('trusted')} />
      <CheckField label={fields.sudo} hint={hints.sudo(draft.username)} {...field.check('sudo')} />
      <BandwidthFields {...field.value('bandwidth')} />
      <More label={t.configuration.rarely}>
        <JumpField own={id} {...field.value('jump_connection_id')} />
        <CheckField {...words('use_sftp_mode')} {...field.check('use_sftp_mode')} />
        <TextField {...words('ssh_path_prefix')} exact {...field.orNull('ssh_path_prefix')} />
        <TextField {...words('mount_point')} exact {...field.orNull('mount_point')} />
      </More>
    </EditForm>
  );
}

interface AddressProps {
  value: Address;
  onValue: (part: Partial<Address>) => void;
  error: unknown;
}

export const AddressFields = ({ value, onValue, error }: AddressProps) => {
  const field = fieldsOf(value, onValue, error);
  return (
    <div class={styles.address}>
      <TextField
        label={t.hosts.fields.host}
        required
        inputMode="url"
        exact
        placeholder="nas.example.org"
        {...field.value('host')}
      />
      <TextField
        label={t.hosts.fields.username}
        required
        exact
        placeholder="backup"
        {...field.value('username')}
      />
      <TextField label={t.hosts.fields.port} min={1} max={65_535} required {...field.count('port')} />
    </div>
  );
};
