import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { errorAt, TextField } from '../../../ui/field.js';
import { PickFolder } from '../../../ui/folder-picker.js';
import { Form, useAction } from '../../../ui/form.js';
import { Section } from '../../../ui/layout.js';
import { Machine } from '../../add/what.js';

export function Look() {
  const [, navigate] = useLocation();
  const [connection, setConnection] = useState<number | null>(null);
  const [path, setPath] = useState('');
  const action = useAction(async () => {
    const body = { path: path.trim() || null, connection_id: connection, depth: 8 };
    const { job_id } = await write('POST', '/api/repositories/discover', { body });
    navigate(`/settings/moving-in?look=${job_id}`);
  });
  return (
    <Section title={t.common.search} card>
      <Form
        action={action}
        onSubmit={action.run}
        submit={t.movingIn.find}
        disabled={connection === null && path.trim() === ''}
        buttons={
          <PickFolder
            icon={null}
            title={t.movingIn.folder}
            connectionId={connection}
            start={path}
            onPick={setPath}
          >
            {t.add.chooseFolderHere}
          </PickFolder>
        }
      >
        <Machine value={connection} onValue={setConnection} />
        <TextField
          label={t.movingIn.folder}
          hint={t.movingIn.folderHint}
          value={path}
          onValue={setPath}
          error={errorAt(action.error, 'path')}
          exact
        />
      </Form>
    </Section>
  );
}
