import { outdate, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { Conflict, type Tagged, useEditing } from '../../../ui/editing.js';
import { CheckField, TagsField, TextField } from '../../../ui/field.js';
import { errorAt } from '../../../ui/field-errors.js';
import { Form } from '../../../ui/form.js';
import { More } from '../../../ui/more.js';
import styles from './hosts.module.css';
import { type Connection, JumpField } from './parts.js';
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
  jump_connection_id: connection.jump_connection_id,
});

const drafted = ({ data, etag }: Tagged<Connection>) => ({ data: draftOf(data), etag });

interface EditProps {
  tagged: Tagged<Connection>;
  readAgain: () => Promise<Tagged<Connection>>;
}

/** Where the host is and how it is used. For administrators. */
export function EditHost({ tagged, readAgain }: EditProps) {
  const editing = useEditing(
    drafted(tagged),
    async (changes, etag) => {
      await write('PUT', '/api/ssh-keys/connections/{connection_id}', {
        path: { connection_id: tagged.data.id },
        etag,
        body: changes,
      });
      outdate('/api/ssh-keys', '/api/repositories');
    },
    async () => drafted(await readAgain()),
  );
  const { draft, change } = editing;
  const text = (name: 'default_path' | 'ssh_path_prefix' | 'mount_point', isNullable: boolean) => (
    <TextField
      label={t.hosts.fields[name]}
      hint={t.hosts.hints[name]}
      error={errorAt(editing.error, name)}
      autoCapitalize="none"
      spellcheck={false}
      value={draft[name] ?? ''}
      onValue={(value) => change({ [name]: isNullable && value === '' ? null : value })}
    />
  );
  return (
    <Form
      action={editing}
      onSubmit={editing.save}
      submit={t.settings.saveChanges}
      disabled={!editing.isDirty}
    >
      <NameFields value={draft} onValue={change} error={editing.error} />
      <AddressFields value={draft} onValue={change} error={editing.error} />
      {text('default_path', false)}
      <CheckField
        label={t.hosts.fields.trusted}
        hint={t.hosts.hints.trusted}
        checked={draft.trusted}
        onChecked={(trusted) => change({ trusted })}
      />
      <CheckField
        label={t.hosts.fields.sudo}
        hint={t.hosts.hints.sudo(draft.username)}
        checked={draft.sudo}
        onChecked={(sudo) => change({ sudo })}
      />
      <More label={t.hosts.special}>
        <JumpField
          own={tagged.data.id}
          value={draft.jump_connection_id}
          onValue={(jump_connection_id) => change({ jump_connection_id })}
          error={editing.error}
        />
        <CheckField
          label={t.hosts.fields.use_sftp_mode}
          hint={t.hosts.hints.use_sftp_mode}
          checked={draft.use_sftp_mode}
          onChecked={(checked) => change({ use_sftp_mode: checked })}
        />
        {text('ssh_path_prefix', true)}
        {text('mount_point', true)}
      </More>
      <Conflict editing={editing} labels={t.hosts.fields} />
    </Form>
  );
}

interface NameProps {
  value: Pick<Connection, 'name' | 'tags'>;
  onValue: (part: Partial<Pick<Connection, 'name' | 'tags'>>) => void;
  error: unknown;
}

const NameFields = ({ value, onValue, error }: NameProps) => (
  <>
    <TextField
      label={t.hosts.fields.name}
      maxLength={255}
      value={value.name ?? ''}
      onValue={(name) => onValue({ name: name === '' ? null : name })}
      error={errorAt(error, 'name')}
    />
    <TagsField
      label={t.common.tags}
      hint={t.common.tagsHint}
      value={value.tags}
      onValue={(tags) => onValue({ tags })}
      error={errorAt(error, 'tags')}
    />
  </>
);

interface AddressProps {
  value: Address;
  onValue: (part: Partial<Address>) => void;
  error: unknown;
}

export const AddressFields = ({ value, onValue, error }: AddressProps) => (
  <div class={styles.address}>
    <TextField
      label={t.hosts.fields.host}
      error={errorAt(error, 'host')}
      required
      inputMode="url"
      autoComplete="off"
      autoCapitalize="none"
      spellcheck={false}
      placeholder="nas.example.org"
      value={value.host}
      onValue={(host) => onValue({ host })}
    />
    <TextField
      label={t.hosts.fields.username}
      error={errorAt(error, 'username')}
      required
      autoComplete="off"
      autoCapitalize="none"
      spellcheck={false}
      placeholder="backup"
      value={value.username}
      onValue={(username) => onValue({ username })}
    />
    <TextField
      label={t.hosts.fields.port}
      error={errorAt(error, 'port')}
      type="number"
      min={1}
      max={65_535}
      required
      value={String(value.port || '')}
      onValue={(port) => onValue({ port: Math.trunc(Number(port)) })}
    />
  </div>
);
