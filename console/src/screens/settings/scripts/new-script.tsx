import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { outdate, type Schemas, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import { announce } from '../../../ui/announce.js';
import { Button } from '../../../ui/button.js';
import { SelectField } from '../../../ui/field.js';
import { Form, useAction } from '../../../ui/form.js';
import { Section } from '../../../ui/layout.js';
import { ErrorNotice } from '../../../ui/notice.js';
import { type ReadyMade, readyMade, readyMadeNames } from './ready-made.js';
import { RunResult } from './run-result.js';
import { type Draft, ScriptFields } from './script-fields.js';

const nothing: Draft = {
  name: '',
  description: null,
  content: '#!/usr/bin/env bash\nset -eu\n\n',
  timeout: 300,
  run_on: 'always',
  parameters: [],
};

/** A script of one's own, or one that is ready made to begin with. */
export default function NewScript() {
  const [, navigate] = useLocation();
  const [base, setBase] = useState<ReadyMade | ''>('');
  const [draft, setDraft] = useState(nothing);
  const [result, setResult] = useState<Schemas['ScriptResult'] | null>(null);
  const action = useAction();
  const test = useAction();
  const begin = (name: ReadyMade | '') => {
    setBase(name);
    setResult(null);
    const { name: title, for: description } =
      name === '' ? { name: '', for: null } : t.scripts.readyMade[name];
    setDraft({
      ...nothing,
      name: title,
      description,
      content: name === '' ? nothing.content : readyMade[name],
    });
  };
  const create = () =>
    action.run(async () => {
      const { parameters: _, ...body } = draft;
      const made = await write('POST', '/api/scripts', { body });
      announce(t.common.saved);
      outdate('/api/scripts');
      navigate(`/settings/scripts/${made.id}`);
    });
  const tryIt = () =>
    test.run(async () => {
      setResult(null);
      setResult(await write('POST', '/api/scripts/test', { body: { script: draft.content } }));
    });
  return (
    <Page title={t.scripts.add} up={[t.frame.page.scripts, '/settings/scripts']}>
      <SelectField
        label={t.scripts.beginWith}
        value={base}
        onValue={begin}
        options={[
          ['', t.scripts.blank],
          ...readyMadeNames.map((name) => [name, t.scripts.readyMade[name].name] as const),
        ]}
      />
      <Section title={t.scripts.add} quiet card>
        <Form
          action={action}
          onSubmit={create}
          submit={t.common.save}
          disabled={draft.name.trim() === '' || draft.content.trim() === ''}
          onCancel={() => navigate('/settings/scripts')}
          buttons={
            <Button busy={test.isBusy} onClick={() => void tryIt()}>
              {t.scripts.tryOnce}
            </Button>
          }
        >
          <ScriptFields
            draft={draft}
            onDraft={(part) => setDraft({ ...draft, ...part })}
            error={action.error}
          />
          <p class="muted small">{t.scripts.afterSaving}</p>
          {test.error ? <ErrorNotice error={test.error} /> : null}
          {result && <RunResult result={result} />}
        </Form>
      </Section>
    </Page>
  );
}
