import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { api, outdate, type Schemas } from '../../api/api.js';
import { answer } from '../../api/client.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { announce } from '../../ui/announce.js';
import { RadioGroup, SecretField, TextArea, TextField } from '../../ui/field.js';
import { errorAt } from '../../ui/field-errors.js';
import { FoldersField } from '../../ui/folders-field.js';
import { Form } from '../../ui/form.js';
import { More } from '../../ui/more.js';
import { useAction } from '../../ui/use-action.js';
import { nameFor } from './draft.rules.js';
import { PlaceField } from './place-field.js';
import { Machine } from './what.js';

const empty = {
  connection: null as number | null,
  path: '',
  name: '',
  passphrase: '',
  key: '',
  mode: 'observe' as 'observe' | 'full',
  sources: [] as string[],
};
type Draft = typeof empty;

interface FieldsProps {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
  error: unknown;
}

/** Registers a repository that exists; nothing in it is changed. */
export function ExistingRepository() {
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState(empty);
  const action = useAction();
  const register = () =>
    action.run(async () => {
      const { repository } = await answer<Schemas['RepositoryWritten']>(
        api.POST('/api/repositories/import', { body: bodyOf(draft) } as never) as never,
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
      <Form action={action} onSubmit={register} submit={t.add.register} disabled={draft.path.trim() === ''}>
        <Fields
          draft={draft}
          set={(change) => setDraft((now) => ({ ...now, ...change }))}
          error={action.error}
        />
      </Form>
    </Page>
  );
}

const bodyOf = ({ connection, path, name, passphrase, key, mode, sources }: Draft) => ({
  name: name.trim() || nameFor(path, []),
  path: path.trim(),
  connection_id: connection,
  passphrase: passphrase || null,
  keyfile_content: key.trim() ? key : null,
  mode,
  source_directories: mode === 'full' ? sources : [],
});

function Fields({ draft, set, error }: FieldsProps) {
  const { path, mode } = draft;
  return (
    <>
      <PlaceFields {...{ draft, set, error }} />
      <KeyFields {...{ draft, set, error }} />
      <TextField
        label={t.add.name}
        value={draft.name}
        placeholder={path ? nameFor(path, []) : ''}
        onValue={(name) => set({ name })}
        maxLength={255}
        error={errorAt(error, 'name')}
      />
      <RadioGroup
        legend={t.add.mode}
        value={mode}
        onValue={(next) => set({ mode: next })}
        options={[
          { value: 'observe', label: t.add.observe, hint: t.add.observeHint },
          { value: 'full', label: t.add.takeOver, hint: t.add.takeOverHint },
        ]}
      />
      {mode === 'full' && (
        <FoldersField
          legend={t.add.folders}
          value={draft.sources}
          onValue={(sources) => set({ sources })}
          error={errorAt(error, 'source_directories')}
        />
      )}
    </>
  );
}

const PlaceFields = ({ draft: { connection, path }, set, error }: FieldsProps) => (
  <>
    <Machine value={connection} onValue={(next) => set({ connection: next })} />
    <PlaceField
      label={t.add.repositoryFolder}
      required
      connection={connection}
      value={path}
      onValue={(next) => set({ path: next })}
      error={errorAt(error, 'path')}
    />
  </>
);

/** Passphrase and key file. */
const KeyFields = ({ draft, set, error }: FieldsProps) => (
  <>
    <SecretField
      label={t.add.itsPassphrase}
      hint={t.add.itsPassphraseHint}
      value={draft.passphrase}
      onValue={(passphrase) => set({ passphrase })}
      error={errorAt(error, 'passphrase')}
    />
    <More label={t.add.hasKeyFile}>
      <TextArea
        label={t.add.keyFile}
        hint={t.add.keyFileHint}
        code
        value={draft.key}
        onValue={(key) => set({ key })}
        error={errorAt(error, 'keyfile_content')}
      />
    </More>
  </>
);
