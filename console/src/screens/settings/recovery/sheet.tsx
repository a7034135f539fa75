import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api, outdate, read, type Schemas } from '../../../api/api.js';
import { moment } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { CheckField, RadioGroup, SecretField } from '../../../ui/field.js';
import { Form, useAction } from '../../../ui/form.js';
import { Section } from '../../../ui/layout.js';
import { Notice, Sentence } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import { saveFile } from '../../../ui/save-file.js';

const shortest = 8;

/** Its state in one sentence, and a new one. */
export function RecoverySheet() {
  const query = useQuery({ ...read('/api/recovery-sheet/state'), staleTime: 0 });
  return (
    <Section title={t.recovery.sheet} card>
      <QueryView query={query} lines={1}>
        {(state) => <State state={state} />}
      </QueryView>
      <p>{t.recovery.sheetLead}</p>
      <NewSheet />
    </Section>
  );
}

const State = ({ state: { reason, made_at } }: { state: Schemas['SheetState'] }) =>
  reason ? (
    <Notice kind="warning">
      <Sentence {...reason} />
    </Notice>
  ) : (
    <Notice kind={made_at ? 'good' : 'info'}>
      {made_at ? t.recovery.current(moment(made_at)) : t.recovery.nothingYet}
    </Notice>
  );

function NewSheet() {
  const [format, setFormat] = useState<'pdf' | 'text'>('pdf');
  const [secrets, setSecrets] = useState(true);
  const [isSealed, setSealed] = useState(false);
  const [seal, setSeal] = useState({ first: '', again: '' });
  const [isTried, setTried] = useState(false);
  const isShort = seal.first.length < shortest;
  const differs = seal.first !== seal.again;
  const action = useAction(async () => {
    await download({ format, secrets, ...(isSealed && { seal_passphrase: seal.first }) });
    setSeal({ first: '', again: '' });
    setTried(false);
    announce(t.recovery.saved);
    outdate('/api/recovery-sheet/state', '/api/overview');
  });
  return (
    <Form
      action={action}
      submit={t.recovery.download}
      onSubmit={() => {
        setTried(true);
        return (!isSealed || (!isShort && !differs)) && action.run();
      }}
    >
      <RadioGroup
        legend={t.recovery.form}
        value={format}
        onValue={setFormat}
        options={[
          { value: 'pdf', label: t.recovery.pdf },
          { value: 'text', label: t.recovery.text },
        ]}
      />
      <CheckField
        label={t.recovery.withSecrets}
        hint={t.recovery.withSecretsHint}
        checked={secrets}
        onChecked={setSecrets}
      />
      <CheckField
        label={t.recovery.seal}
        hint={t.recovery.sealHint}
        checked={isSealed}
        onChecked={setSealed}
      />
      {isSealed && (
        <>
          <SecretField
            label={t.recovery.passphrase}
            autoComplete="new-password"
            value={seal.first}
            onValue={(first) => setSeal({ ...seal, first })}
            error={isTried && isShort ? t.recovery.tooShort : undefined}
          />
          <SecretField
            label={t.recovery.again}
            autoComplete="new-password"
            value={seal.again}
            onValue={(again) => setSeal({ ...seal, again })}
            error={isTried && differs ? t.recovery.differs : undefined}
          />
        </>
      )}
    </Form>
  );
}

async function download(body: { format: 'pdf' | 'text'; secrets: boolean; seal_passphrase?: string }) {
  const content = await answer<Blob>(api.POST('/api/recovery-sheet', { body, parseAs: 'blob' }) as never);
  const name = `holdfast-recovery-${new Date().toISOString().slice(0, 10)}`;
  const ending = `${body.format === 'pdf' ? 'pdf' : 'txt'}${body.seal_passphrase ? '.age' : ''}`;
  saveFile(`${name}.${ending}`, content);
}
