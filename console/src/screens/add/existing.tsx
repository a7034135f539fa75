import { Link, useLocation } from 'wouter-preact';
import { outdate, write } from '../../api/api.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { announce } from '../../ui/announce.js';
import { RadioGroup, SecretField, TextArea, TextField } from '../../ui/field.js';
import { FoldersField } from '../../ui/folders-field.js';
import { Form, fieldsOf, useAction, useDraft } from '../../ui/form.js';
import { More } from '../../ui/more.js';
import type { Source } from '../../ui/sources.rules.js';
import { SourcesField } from '../../ui/sources-field.js';
import { nameFor } from './draft.rules.js';
import { PlaceField } from './place-field.js';
import { Machine } from './what.js';

const empty = {
  connection_id: null as number | null,
  path: '',
  name: '',
  passphrase: '',
  keyfile_content: '',
  mode: 'observe' as 'observe' | 'full',
  source_directories: [] as string[],
  sources: [] as Source[],
};
type Draft = typeof empty;

/** Registers a repository that exists; nothing in it is changed. */
export function ExistingRepository() {
  const [, navigate] = useLocation();
  const [draft, change] = useDraft(empty);
  const action = useAction();
  const register = () =>
    action.run(async () => {
      const { repository } = await write('POST', '/api/repositories/import', {
        body: bodyOf(draft) as never,
      });
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
        <Fields draft={draft} field={fieldsOf(draft, change, action.error)} />
      </Form>
    </Page>
  );
}

const bodyOf = (draft: Draft) => ({
  ...draft,
  name: draft.name.trim() || nameFor(draft.path, []),
  path: draft.path.trim(),
  passphrase: draft.passphrase || null,
  keyfile_content: draft.keyfile_content.trim() ? draft.keyfile_content : null,
  ...(draft.mode === 'observe' && { source_directories: [], sources: [] }),
});

interface FieldsProps {
  draft: Draft;
  field: ReturnType<typeof fieldsOf<Draft>>;
}

const Fields = ({ draft: { connection_id, path, mode, source_directories }, field }: FieldsProps) => (
  <>
    <Machine {...field.value('connection_id')} />
    <PlaceField label={t.add.repositoryFolder} required connection={connection_id} {...field.value('path')} />
    <SecretField label={t.add.itsPassphrase} hint={t.add.itsPassphraseHint} {...field.value('passphrase')} />
    <More label={t.add.hasKeyFile}>
      <TextArea label={t.add.keyFile} hint={t.add.keyFileHint} code {...field.value('keyfile_content')} />
    </More>
    <TextField
      label={t.add.name}
      placeholder={path ? nameFor(path, []) : ''}
      maxLength={255}
      {...field.value('name')}
    />
    <RadioGroup
      legend={t.add.mode}
      {...field.value('mode')}
      options={[
        { value: 'observe', label: t.add.observe, hint: t.add.observeHint },
        { value: 'full', label: t.add.takeOver, hint: t.add.takeOverHint },
      ]}
    />
    {mode === 'full' && (
      <>
        <FoldersField legend={t.add.folders} {...field.value('source_directories')} />
        <SourcesField connectionId={null} folders={source_directories} {...field.value('sources')} />
      </>
    )}
  </>
);
