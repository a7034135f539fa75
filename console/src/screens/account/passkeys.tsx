import { useState } from 'preact/hooks';
import { outdate, type Schemas, useRead, write } from '../../api/api.js';
import { canUsePasskeys } from '../../api/passkeys.js';
import { renewUser } from '../../hub/link.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { Button } from '../../ui/button.js';
import { DataList } from '../../ui/data-list.js';
import { ConfirmDialog, Dialog } from '../../ui/dialog.js';
import { TextField } from '../../ui/field.js';
import { Form, useAction } from '../../ui/form.js';
import { Section } from '../../ui/layout.js';
import { Menu } from '../../ui/menu.js';
import { Notice } from '../../ui/notice.js';
import { QueryView } from '../../ui/query-view.js';
import { AddPasskey } from './add-passkey.js';

type Passkey = Schemas['PasskeyView'];
type Asking = { dialog: 'add' } | { dialog: 'rename' | 'remove'; passkey: Passkey } | null;

async function changed(): Promise<void> {
  outdate('/api/auth/passkeys');
  await renewUser();
}

export function Passkeys() {
  const query = useRead('/api/auth/passkeys');
  const [asking, setAsking] = useState<Asking>(null);
  const close = () => setAsking(null);
  const isPossible = canUsePasskeys();
  const done = () => changed().then(close);
  return (
    <Section
      title={t.account.passkeys}
      actions={
        isPossible && <Button onClick={() => setAsking({ dialog: 'add' })}>{t.account.addPasskey}</Button>
      }
    >
      <p>{t.account.passkeysFor}</p>
      {!isPossible && <Notice>{t.account.noPasskeysHere}</Notice>}
      <QueryView query={query}>
        {({ passkeys }) => (
          <DataList
            label={t.account.passkeys}
            rows={passkeys}
            empty={<p class="muted">{t.account.noPasskeys}</p>}
            columns={(of) => [
              of.name(({ name }) => name),
              of.time('added', t.account.added, ({ created_at }) => created_at, ''),
              of.time('used', t.people.lastUsed, ({ last_used_at }) => last_used_at, t.common.never),
            ]}
            actions={(passkey) => (
              <Menu
                label={t.account.passkeyMenu(passkey.name)}
                items={[
                  { label: t.account.rename, onSelect: () => setAsking({ dialog: 'rename', passkey }) },
                  {
                    label: t.account.remove,
                    danger: true,
                    onSelect: () => setAsking({ dialog: 'remove', passkey }),
                  },
                ]}
              />
            )}
          />
        )}
      </QueryView>
      {asking?.dialog === 'add' && (
        <Dialog title={t.account.addPasskey} onClose={done}>
          <AddPasskey onDone={done} onCancel={close} />
        </Dialog>
      )}
      {asking?.dialog === 'rename' && <Rename passkey={asking.passkey} onClose={close} />}
      {asking?.dialog === 'remove' && <Remove passkey={asking.passkey} onClose={close} />}
    </Section>
  );
}

interface OneProps {
  passkey: Passkey;
  onClose: () => void;
}

function Rename({ passkey: { id, name: before }, onClose }: OneProps) {
  const [name, setName] = useState(before);
  const action = useAction(async () => {
    await write('POST', '/api/auth/passkeys/{passkey_id}/rename', {
      path: { passkey_id: id },
      body: { name },
    });
    await changed();
    onClose();
  });
  return (
    <Dialog title={t.account.renameTitle(before)} onClose={onClose}>
      <Form
        action={action}
        onSubmit={action.run}
        submit={t.account.rename}
        onCancel={onClose}
        disabled={name.trim() === ''}
      >
        <TextField label={t.account.passkeyName} required autoComplete="off" value={name} onValue={setName} />
      </Form>
    </Dialog>
  );
}

const Remove = ({ passkey: { id, name }, onClose }: OneProps) => (
  <ConfirmDialog
    title={t.account.removeTitle(name)}
    action={t.account.remove}
    danger
    onClose={onClose}
    onConfirm={async () => {
      await write('DELETE', '/api/auth/passkeys/{passkey_id}', { path: { passkey_id: id } });
      announce(t.account.removed(name));
      await changed();
    }}
  >
    <p>{t.account.removeMeans}</p>
  </ConfirmDialog>
);
