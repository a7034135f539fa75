import { useState } from 'preact/hooks';
import { outdate, type Schemas, useRead, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { CheckField, RadioGroup, SecretField, SelectField, TextField } from '../../../ui/field.js';
import { Empty } from '../../../ui/layout.js';
import { QueryView } from '../../../ui/query-view.js';

type Hook = 'pre-backup' | 'post-backup';
const conditions = ['always', 'success', 'failure', 'warning'] as const;

/** Which script, when, and with which values. */
export function AttachDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useRead('/api/scripts');
  const [chosen, setChosen] = useState('');
  const [hook, setHook] = useState<Hook>('pre-backup');
  const [condition, setCondition] = useState<(typeof conditions)[number]>('always');
  const [mayFail, setMayFail] = useState(false);
  const [values, setValues] = useState<Record<string, string>>({});
  const script = query.data?.find((one) => String(one.id) === (chosen || String(query.data?.[0]?.id)));
  const { scripts } = t.configuration;
  return (
    <ConfirmDialog
      title={scripts.attach}
      action={scripts.attach}
      disabled={!script}
      onClose={onClose}
      onConfirm={async () => {
        if (!script) return;
        const body = {
          script_id: script.id,
          hook_type: hook,
          continue_on_error: mayFail,
          ...(hook === 'post-backup' && { custom_run_on: condition }),
          parameter_values: values,
        };
        const path = { repo_id: id };
        await write('POST', '/api/repositories/{repo_id}/scripts', { path, body: body as never });
        outdate('/api/repositories', '/api/scripts');
      }}
    >
      <QueryView query={query}>
        {(all) =>
          all.length === 0 ? (
            <Empty>{scripts.emptyLibrary}</Empty>
          ) : (
            <>
              <SelectField
                label={scripts.which}
                value={String(script?.id ?? '')}
                onValue={(value) => {
                  setChosen(value);
                  setValues({});
                }}
                options={all.map((one) => [String(one.id), one.name] as const)}
              />
              <RadioGroup<Hook>
                legend={scripts.when}
                value={hook}
                onValue={setHook}
                options={[
                  { value: 'pre-backup', label: scripts.before },
                  { value: 'post-backup', label: scripts.after },
                ]}
              />
              {hook === 'post-backup' && (
                <SelectField
                  label={scripts.afterWhich}
                  value={condition}
                  onValue={setCondition}
                  options={conditions.map((key) => [key, scripts.conditions[key]] as const)}
                />
              )}
              {script && <Parameters script={script} values={values} onValues={setValues} />}
              <CheckField label={scripts.mayFail} checked={mayFail} onChecked={setMayFail} />
            </>
          )
        }
      </QueryView>
    </ConfirmDialog>
  );
}

interface ParametersProps {
  script: Schemas['ScriptView'];
  values: Record<string, string>;
  onValues: (values: Record<string, string>) => void;
}

const Parameters = ({ script, values, onValues }: ParametersProps) => (
  <>
    {script.parameters.map((parameter) => {
      const Input = parameter.type === 'password' ? SecretField : TextField;
      return (
        <Input
          key={parameter.name}
          label={parameter.name}
          hint={parameter.description}
          required={parameter.required && !parameter.default}
          placeholder={parameter.type === 'text' ? (parameter.default ?? '') : ''}
          value={values[parameter.name] ?? ''}
          onValue={(value: string) => onValues({ ...values, [parameter.name]: value })}
          autoComplete="off"
        />
      );
    })}
  </>
);
