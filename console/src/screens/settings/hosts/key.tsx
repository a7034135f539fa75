import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { outdate, outdateRemoved, read, readNow, readTagged, type Schemas, write } from '../../../api/api.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import { announce } from '../../../ui/announce.js';
import { Button } from '../../../ui/button.js';
import { Copyable } from '../../../ui/copy.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { Conflict, type Tagged, useEditing } from '../../../ui/editing.js';
import { CheckField, TextField } from '../../../ui/field.js';
import { errorAt } from '../../../ui/field-errors.js';
import { Form } from '../../../ui/form.js';
import { Facts, Section } from '../../../ui/layout.js';
import { QueryView } from '../../../ui/query-view.js';
import { NewKey } from './new-key.js';

type Key = Schemas['SshKeysGetAnswer']['ssh_key'];

/** The one key that all hosts know this service by. */
export default function KeyScreen() {
  const isAdmin = useIsAdmin();
  const query = useQuery(read('/api/ssh-keys/system-key'));
  return (
    <Page title={t.hosts.key} up={[t.settings.pages.hosts, '/settings/hosts']} lead={t.hosts.keyLead} narrow>
      <QueryView query={query}>
        {({ ssh_key }) => {
          if (ssh_key) return <TheKey id={ssh_key.id} canChange={isAdmin} />;
          return isAdmin ? <NewKey /> : <p>{t.hosts.noKey}</p>;
        }}
      </QueryView>
    </Page>
  );
}

const keyQuery = (id: number) => readTagged('/api/ssh-keys/{key_id}', { path: { key_id: id } });

function TheKey({ id, canChange }: { id: number; canChange: boolean }) {
  const query = useQuery(keyQuery(id));
  return (
    <QueryView query={query} gone={t.settings.gone}>
      {({ data: { ssh_key: key }, etag }) => (
        <>
          <Section title={t.hosts.publicKey}>
            <Copyable text={key.public_key.trim()} label={t.hosts.publicKey} />
            <Facts
              facts={[
                [t.hosts.fingerprint, <code key="fingerprint">{key.fingerprint}</code>],
                [t.hosts.keyType, key.key_type],
                [t.settings.usedBy, t.hosts.connections(key.connection_count, number(key.connection_count))],
              ]}
            />
          </Section>
          {canChange && (
            <Section title={t.common.edit} card>
              <EditKey tagged={{ data: key, etag }} />
            </Section>
          )}
          {canChange && <RemoveKey tagged={{ data: key, etag }} />}
        </>
      )}
    </QueryView>
  );
}

const draftOf = ({ name, description, is_active }: Pick<Key, 'name' | 'description' | 'is_active'>) => ({
  name,
  description,
  is_active,
});

function EditKey({ tagged: { data, etag: seen } }: { tagged: Tagged<Key> }) {
  const editing = useEditing(
    { data: draftOf(data), etag: seen },
    async (changes, etag) => {
      await write('PUT', '/api/ssh-keys/{key_id}', { path: { key_id: data.id }, etag, body: changes });
      outdate('/api/ssh-keys');
    },
    async () => {
      const again = await readNow(keyQuery(data.id));
      return { data: draftOf(again.data.ssh_key), etag: again.etag };
    },
  );
  const { draft, change } = editing;
  return (
    <Form
      action={editing}
      onSubmit={editing.save}
      submit={t.settings.saveChanges}
      disabled={!editing.isDirty}
    >
      <TextField
        label={t.common.name}
        error={errorAt(editing.error, 'name')}
        required
        value={draft.name}
        onValue={(name) => change({ name })}
      />
      <TextField
        label={t.scripts.description}
        error={errorAt(editing.error, 'description')}
        value={draft.description ?? ''}
        onValue={(text) => change({ description: text === '' ? null : text })}
      />
      <CheckField
        label={t.hosts.active}
        hint={t.hosts.activeHint}
        checked={draft.is_active}
        onChecked={(is_active) => change({ is_active })}
      />
      <Conflict
        editing={editing}
        labels={{ name: t.common.name, description: t.scripts.description, is_active: t.hosts.active }}
      />
    </Form>
  );
}

function RemoveKey({ tagged: { data, etag } }: { tagged: Tagged<Key> }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t.hosts.removeKey}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t.hosts.removeKeyTitle}
          action={t.hosts.removeKey}
          danger
          typed={data.fingerprint.slice(-6)}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await write('DELETE', '/api/ssh-keys/{key_id}', { path: { key_id: data.id }, etag });
            announce(t.hosts.keyRemoved);
            outdateRemoved('/api/ssh-keys/{key_id}', '/api/ssh-keys');
          }}
        >
          <p>{t.hosts.removeKeyMeans}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
