import { useState } from 'preact/hooks';
import { outdate, read, type Schemas, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { CheckField, errorAt, SecretField } from '../../../ui/field.js';
import { Form, useAction } from '../../../ui/form.js';
import { Section } from '../../../ui/layout.js';
import { Notice } from '../../../ui/notice.js';
import { saveFile } from '../../../ui/save-file.js';
import { coded, Sentence } from '../../../ui/sentence.js';
import { FilesField } from './files-field.js';
import { asksToReplace, ImportedObjects, ReplacesField, sumOf } from './imported-objects.js';
import { MovingInPage } from './page.js';
import { useLook } from './use-look.js';

/** All settings out, and in again. */
export default function SettingsFile() {
  return (
    <MovingInPage>
      <Export />
      <Import />
    </MovingInPage>
  );
}

function Export() {
  const action = useAction();
  const [withSecrets, setWithSecrets] = useState(false);
  const [seal_passphrase, setSeal] = useState('');
  const save = () =>
    action.run(async () => {
      const { document } = await (withSecrets
        ? write('POST', '/api/settings/export', { body: { seal_passphrase } })
        : read('/api/settings/export').queryFn({}));
      saveFile('holdfast-settings.json', `${JSON.stringify(document, null, 2)}\n`, 'application/json');
      setSeal('');
      announce(t.exchange.saved);
    });
  return (
    <Section title={t.exchange.settings} card>
      <Form
        action={action}
        onSubmit={save}
        submit={t.exchange.save}
        disabled={withSecrets && seal_passphrase === ''}
      >
        <p class="muted">{t.exchange.settingsLead}</p>
        <CheckField label={t.exchange.withSecrets} checked={withSecrets} onChecked={setWithSecrets} />
        {withSecrets && (
          <SecretField
            label={t.exchange.seal}
            hint={t.exchange.sealHint}
            error={errorAt(action.error, 'seal_passphrase')}
            autoComplete="new-password"
            value={seal_passphrase}
            onValue={setSeal}
          />
        )}
      </Form>
    </Section>
  );
}

type Planned = Schemas['SettingsImported'];

function Import() {
  const action = useAction();
  const [document, setDocument] = useState<{ sealed?: unknown } | null>(null);
  const [isOdd, setOdd] = useState(false);
  const [seal, setSeal] = useState('');
  const look = useLook<Planned>();
  const planned = look.told;
  const [replaces, setReplaces] = useState<boolean | null>(null);
  const isReady = planned?.dry_run === true;
  const send = () =>
    action.run(async () => {
      const choices = { dry_run: !isReady, replace_sources: replaces === true };
      const body = { document, ...(seal && { seal_passphrase: seal }), ...choices };
      const told = await look.ask(() => write('POST', '/api/settings/import', { body }));
      if (asksToReplace(told)) setReplaces(false);
      announce(sumOf(told));
      if (!told.dry_run) outdate('/api');
    });
  const take = (text: string | undefined) => {
    look.change();
    try {
      const read: unknown = text === undefined ? null : JSON.parse(text);
      setDocument(read as { sealed?: unknown });
      setOdd(false);
    } catch {
      setDocument(null);
      setOdd(true);
    }
  };
  return (
    <Section title={t.exchange.bring} card>
      <Form
        action={action}
        onSubmit={send}
        submit={isReady ? t.exchange.import : t.exchange.plan}
        disabled={document === null}
      >
        <FilesField label={t.exchange.file} accept=".json" onFiles={([file]) => take(file?.content)} />
        {isOdd && <Notice kind="error">{t.exchange.notJson}</Notice>}
        {document?.sealed !== undefined && (
          <SecretField
            label={t.exchange.sealed}
            value={seal}
            onValue={(text) => {
              setSeal(text);
              look.change();
            }}
          />
        )}
        <ReplacesField
          value={replaces}
          onValue={(value) => {
            setReplaces(value);
            look.change();
          }}
        />
      </Form>
      {planned && <Told planned={planned} />}
    </Section>
  );
}

const Told = ({ planned }: { planned: Planned }) => (
  <>
    <Notice kind={planned.counts.cannot > 0 ? 'warning' : planned.dry_run ? 'info' : 'good'}>
      {sumOf(planned)}
    </Notice>
    {planned.remarks.map((text, at) => (
      <Notice key={text} kind="warning">
        <Sentence {...coded(text, planned.remark_codes[at])} />
      </Notice>
    ))}
    <ImportedObjects objects={planned.objects} />
  </>
);
