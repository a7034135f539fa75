import { useState } from 'preact/hooks';
import { answer, api, outdate, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { ActionButton } from '../../../ui/action-button.js';
import { announce } from '../../../ui/announce.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { Field, SecretField } from '../../../ui/field.js';
import { Row, Section } from '../../../ui/layout.js';
import { saveFile } from '../../../ui/save-file.js';
import type { Repository } from '../repository-page.js';
import { ChangePassphrase } from './change-passphrase.js';

/** The passphrase and the key, which are required to read the archives. */
export function Secret({ repository }: { repository: Repository }) {
  const { id, name, encryption, has_keyfile, mode } = repository;
  const [open, setOpen] = useState<'change' | 'passphrase' | 'key' | null>(null);
  const close = () => setOpen(null);
  const { secret } = t.configuration;
  return (
    <Section title={secret.title} card>
      <div id="secret">
        {encryption === 'none' ? (
          <p>{secret.none}</p>
        ) : (
          <Row>
            {mode === 'full' && <Button onClick={() => setOpen('change')}>{secret.change}</Button>}
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
      {open === 'change' && <ChangePassphrase id={id} onClose={close} />}
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
        const path = { repo_id: id };
        await write('PUT', '/api/repositories/{repo_id}/passphrase', { path, body: { passphrase } });
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
        const path = { repo_id: id };
        await write('POST', '/api/repositories/{repo_id}/keyfile', { path, body: form as never });
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
  const params = { path: { repo_id: id } };
  const text = await answer<string>(
    api.GET('/api/repositories/{repo_id}/keyfile', { params, parseAs: 'text' }) as never,
  );
  saveFile(`${name.replaceAll(/[^\w.-]+/g, '-')}.key`, text);
}
