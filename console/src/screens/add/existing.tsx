import { FolderOpen } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { api } from '../../api/api.js';
import { answer, type Schemas } from '../../api/client.js';
import { outdate } from '../../api/query-client.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { announce } from '../../ui/announce.js';
import { Button } from '../../ui/button.js';
import { RadioGroup, SecretField, TextArea, TextField } from '../../ui/field.js';
import { errorAt } from '../../ui/field-errors.js';
import { FolderPicker } from '../../ui/folder-picker.js';
import { FoldersField } from '../../ui/folders-field.js';
import { Form } from '../../ui/form.js';
import { More } from '../../ui/more.js';
import { useAction } from '../../ui/use-action.js';
import styles from './add.module.css';
import { nameFor } from './draft.rules.js';
import { Machine } from './what.js';

/** Registers a repository that exists; nothing in it is changed. */
export function ExistingRepository() {
  const [, navigate] = useLocation();
  const [connection, setConnection] = useState<number | null>(null);
  const [path, setPath] = useState('');
  const [name, setName] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [key, setKey] = useState('');
  const [mode, setMode] = useState<'observe' | 'full'>('observe');
  const [sources, setSources] = useState<string[]>([]);
  const [isPicking, setPicking] = useState(false);
  const action = useAction();
  const { error } = action;
  const register = () =>
    action.run(async () => {
      const body = {
        name: name.trim() || nameFor(path, []),
        path: path.trim(),
        connection_id: connection,
        passphrase: passphrase || null,
        keyfile_content: key.trim() ? key : null,
        mode,
        source_directories: mode === 'full' ? sources : [],
      };
      const { repository } = await answer<Schemas['RepositoryWritten']>(
        api.POST('/api/repositories/import', { body } as never) as never,
      );
      outdate('/api/repositories', '/api/overview');
      announce(t.add.registered(repository.name));
      navigate(`/repositories/${repository.id}`);
    });
  return (
    <Page
      title={t.add.existingTitle}
      up={[t.add.title, '/add']}
      lead={
        <>
          {t.add.existingLead} <Link href="/settings/moving-in">{t.add.many}</Link>
        </>
      }
      narrow
    >
      <Form action={action} onSubmit={register} submit={t.add.register} disabled={path.trim() === ''}>
        <Machine value={connection} onValue={setConnection} />
        <div class={styles.withButton}>
          <TextField
            label={t.add.repositoryFolder}
            required
            value={path}
            onValue={setPath}
            error={errorAt(error, 'path')}
            autoCapitalize="none"
            autoComplete="off"
            spellcheck={false}
          />
          <Button icon={<FolderOpen aria-hidden="true" />} onClick={() => setPicking(true)}>
            {t.add.chooseFolderHere}
          </Button>
        </div>
        <SecretField
          label={t.add.itsPassphrase}
          hint={t.add.itsPassphraseHint}
          value={passphrase}
          onValue={setPassphrase}
          error={errorAt(error, 'passphrase')}
          autoComplete="off"
        />
        <More label={t.add.hasKeyFile}>
          <TextArea
            label={t.add.keyFile}
            hint={t.add.keyFileHint}
            code
            value={key}
            onValue={setKey}
            error={errorAt(error, 'keyfile_content')}
            autoComplete="off"
            spellcheck={false}
          />
        </More>
        <TextField
          label={t.add.name}
          value={name}
          placeholder={path ? nameFor(path, []) : ''}
          onValue={setName}
          maxLength={255}
          error={errorAt(error, 'name')}
        />
        <RadioGroup
          legend={t.add.mode}
          value={mode}
          onValue={setMode}
          options={[
            { value: 'observe', label: t.add.observe, hint: t.add.observeHint },
            { value: 'full', label: t.add.takeOver, hint: t.add.takeOverHint },
          ]}
        />
        {mode === 'full' && (
          <FoldersField
            legend={t.add.folders}
            value={sources}
            onValue={setSources}
            error={errorAt(error, 'source_directories')}
          />
        )}
      </Form>
      {isPicking && (
        <FolderPicker
          title={t.add.repositoryFolder}
          connectionId={connection}
          start={path.startsWith('/') ? path : '/'}
          onPick={setPath}
          onClose={() => setPicking(false)}
        />
      )}
    </Page>
  );
}
