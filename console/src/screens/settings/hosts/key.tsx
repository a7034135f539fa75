import { useQuery } from '@tanstack/preact-query';
import { outdate, outdateRemoved, read, readTagged, type Schemas, write } from '../../../api/api.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import { announce } from '../../../ui/announce.js';
import { Copyable } from '../../../ui/copy.js';
import { ConfirmButton } from '../../../ui/dialog.js';
import { EditForm, type Tagged, useEditing } from '../../../ui/editing.js';
import { CheckField, TextField } from '../../../ui/field.js';
import { Facts, Section } from '../../../ui/layout.js';
import { QueryView } from '../../../ui/query-view.js';
import { NewKey } from './new-key.js';

type Key = Schemas['SshKeysGetAnswer']['ssh_key'];

/** The one key that all hosts know this service by. */
export default function KeyScreen() {
  const isAdmin = useIsAdmin();
  const query = useQuery(read('/api/ssh-keys/system-key'));
  return (
    <Page title={t.hosts.key} up={[t.frame.page.hosts, '/settings/hosts']} lead={t.hosts.keyLead} narrow>
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
      {(tagged) => {
        const {
          data: { ssh_key: key },
          etag,
        } = tagged;
        return (
          <>
            <Section title={t.hosts.publicKey}>
              <Copyable text={key.public_key.trim()} label={t.hosts.publicKey} />
              <Facts
                facts={[
                  [t.hosts.fingerprint, <code key="fingerprint">{key.fingerprint}</code>],
                  [t.hosts.keyType, key.key_type],
                  [
                    t.settings.usedBy,
                    t.hosts.connections(key.connection_count, number(key.connection_count)),
                  ],
                ]}
              />
            </Section>
            {canChange && (
              <>
                <Section title={t.common.edit} card>
                  <EditKey tagged={tagged} />
                </Section>
                <RemoveKey id={id} fingerprint={key.fingerprint} etag={etag} />
              </>
            )}
          </>
        );
      }}
    </QueryView>
  );
}

const draftOf = ({ ssh_key: { name, description, is_active } }: { ssh_key: Key }) => ({
  name,
  description,
  is_active,
});

function EditKey({ tagged }: { tagged: Tagged<{ ssh_key: Key }> }) {
  const { id } = tagged.data.ssh_key;
  const editing = useEditing({
    tagged,
    draftOf,
    query: keyQuery(id),
    save: async (body, etag) => {
      await write('PUT', '/api/ssh-keys/{key_id}', { path: { key_id: id }, etag, body });
      outdate('/api/ssh-keys');
    },
  });
  const { field } = editing;
  const labels = { name: t.common.name, description: t.schedules.description, is_active: t.hosts.active };
  return (
    <EditForm editing={editing} labels={labels}>
      <TextField label={labels.name} required {...field.value('name')} />
      <TextField label={labels.description} {...field.orNull('description')} />
      <CheckField label={labels.is_active} hint={t.hosts.activeHint} {...field.check('is_active')} />
    </EditForm>
  );
}

interface RemoveProps {
  id: number;
  fingerprint: string;
  etag: string | undefined;
}

const RemoveKey = ({ id, fingerprint, etag }: RemoveProps) => (
  <div>
    <ConfirmButton
      title={t.hosts.removeKeyTitle}
      action={t.hosts.removeKey}
      danger
      typed={fingerprint.slice(-6)}
      onConfirm={async () => {
        await write('DELETE', '/api/ssh-keys/{key_id}', { path: { key_id: id }, etag });
        announce(t.hosts.keyRemoved);
        outdateRemoved('/api/ssh-keys/{key_id}', '/api/ssh-keys');
      }}
    >
      <p>{t.hosts.removeKeyMeans}</p>
    </ConfirmButton>
  </div>
);
