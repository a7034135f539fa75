import { useState } from 'preact/hooks';
import { api, outdate } from '../../../api/api.js';
import { answer } from '../../../api/client.js';
import { t } from '../../../i18n/messages.js';
import { ActionButton } from '../../../ui/action-button.js';
import { announce } from '../../../ui/announce.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { Field, SecretField } from '../../../ui/field.js';
import { Row, Section } from '../../../ui/layout.js';
import { saveFile } from '../../../ui/save-file.js';
import type { Repository } from '../repository-page.js';

const byPath = (id: number) => ({ params: { path: { repo_id: id } } });

/** The passphrase and the key, which are required to read the archives. */
export function Secret({ repository: { id, name, encryption, has_keyfile } }: { repository: Repository }) {
  const [open, setOpen] = useState<'passphrase' | 'key' | null>(null);
  const close = () => setOpen(null);
  const { secret } = t.configuration;
  return (
    <Section title={secret.title} card>
      <div id="secret">
        {encryption === 'none' ? (
          <p>{secret.none}</p>
        ) : (
          <Row>
            <Button onClick={() => setOpen('passphrase')}>{secret.replace}</Button>
            {encryption.startsWith('keyfile') && (
              <Button onClick={() => setOpen('key')}>
                {has_keyfile ? secret.replaceKey : secret.uploadKey}
              </Button>
            )}
            <ActionButton onAct={() => downloadKey(id, name)}>{secret.downloadKey}</ActionButton>
          </Row>
        )}
      </div>
      <p class="muted small">{secret.keep}</p>
      {open === 'passphrase' && <NewPassphrase id={id} onClose={close} />}
      {open === 'key' && <NewKey id={id} onClose={close} />}
    </Section>
  );
}

function NewPassphrase({ id, onClose }: { id: number; onClose: () => void }) {
  const [passphrase, setPassphrase] = useState('');
  const { secret } = t.configuration;
  return (
    <ConfirmDialog
      title={secret.replace}
      action={secret.test}
      disabled={passphrase === ''}
      onClose={onClose}
      onConfirm={async () => {
        const body = { passphrase };
        await answer(api.PUT('/api/repositories/{repo_id}/passphrase', { ...byPath(id), body }));
        outdate('/api/repositories', '/api/overview');
        announce(t.common.saved);
      }}
    >
      <p>{secret.replaceMeans}</p>
      <SecretField label={secret.passphrase} value={passphrase} onValue={setPassphrase} required />
    </ConfirmDialog>
  );
}

function NewKey({ id, onClose }: { id: number; onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const { secret } = t.configuration;
  return (
    <ConfirmDialog
      title={secret.uploadKey}
      action={secret.test}
      disabled={file === null}
      onClose={onClose}
      onConfirm={async () => {
        const form = new FormData();
        if (file) form.append('keyfile', file);
        const body = form as never;
        await answer(
          api.POST('/api/repositories/{repo_id}/keyfile', {
            ...byPath(id),
            body,
          }),
        );
        outdate('/api/repositories', '/api/overview');
        announce(t.common.saved);
      }}
    >
      <Field label={secret.keyFile}>
        {(ids) => (
          <input {...ids} type="file" onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)} />
        )}
      </Field>
    </ConfirmDialog>
  );
}

/** The key needs the token, so it is read here and then given to the browser as a file. */
async function downloadKey(id: number, name: string): Promise<void> {
  const text = await answer(
    api.GET('/api/repositories/{repo_id}/keyfile', { ...byPath(id), parseAs: 'text' }) as Promise<{
      data?: string;
      error?: unknown;
      response: Response;
    }>,
  );
  saveFile(`${name.replaceAll(/[^\w.-]+/g, '-')}.key`, text);
}
