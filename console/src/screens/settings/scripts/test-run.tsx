import { useState } from 'preact/hooks';
import { type Schemas, useRead, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { errorAt, SecretField, SelectField, TextField } from '../../../ui/field.js';
import { Form, useAction } from '../../../ui/form.js';
import { Section } from '../../../ui/layout.js';
import { RunResult } from './run-result.js';

/** Runs the saved text once, with values for its parameters. */
export function TestRun({ script }: { script: Schemas['ScriptDetails'] }) {
  const [values, setValues] = useState<Record<string, string>>({});
  const [repository, setRepository] = useState('');
  const [result, setResult] = useState<Schemas['ScriptResult'] | null>(null);
  const action = useAction();
  const repositories = useRead('/api/repositories/').data?.repositories ?? [];
  const run = () =>
    action.run(async () => {
      setResult(null);
      const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
      setResult(
        await write('POST', '/api/scripts/{script_id}/test', {
          path: { script_id: script.id },
          body: { parameter_values: given, ...(repository && { repository_id: Number(repository) }) },
        }),
      );
    });
  return (
    <Section title={t.scripts.test} card>
      <Form action={action} onSubmit={run} submit={t.schedules.runNow}>
        <p class="muted">{t.scripts.testHint}</p>
        {script.parameters.map(({ name, type, description, default: usual }) => {
          const rest = {
            label: name,
            hint: description,
            error: errorAt(action.error, name),
            autoComplete: 'off',
            value: values[name] ?? '',
            onValue: (value: string) => setValues({ ...values, [name]: value }),
          };
          return type === 'password' ? (
            <SecretField key={name} {...rest} />
          ) : (
            <TextField key={name} {...rest} placeholder={usual} exact />
          );
        })}
        <SelectField
          label={t.scripts.asFor}
          hint={t.scripts.asForHint}
          value={repository}
          onValue={setRepository}
          options={[
            ['', t.scripts.noRepository],
            ...repositories.map(({ id, name }) => [String(id), name] as const),
          ]}
        />
        {result && <RunResult result={result} />}
      </Form>
    </Section>
  );
}
