import type { Schemas } from '../../../api/client.js';
import { t } from '../../../i18n/messages.js';
import { fieldsOf } from '../../../ui/draft.js';
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/field.js';
import { More } from '../../../ui/more.js';
import styles from './scripts.module.css';

type Parameter = Schemas['ScriptParameter'];
export type Draft = Pick<
  Schemas['ScriptDetails'],
  'name' | 'description' | 'content' | 'timeout' | 'run_on' | 'parameters'
>;

interface FieldsProps {
  draft: Draft;
  onDraft: (part: Partial<Draft>) => void;
  error: unknown;
  disabled?: boolean;
}

export function ScriptFields({ draft, onDraft, error, disabled = false }: FieldsProps) {
  const field = fieldsOf(draft, onDraft, error);
  return (
    <>
      <TextField label={t.common.name} required disabled={disabled} {...field.value('name')} />
      <TextField label={t.schedules.description} disabled={disabled} {...field.orNull('description')} />
      <TextArea
        label={t.scripts.content}
        hint={t.scripts.contentHint}
        code
        required
        disabled={disabled}
        rows={Math.max(10, Math.min(28, draft.content.split('\n').length + 2))}
        dir="ltr"
        {...field.value('content')}
      />
      <Parameters
        parameters={draft.parameters}
        disabled={disabled}
        onParameters={(parameters) => onDraft({ parameters })}
      />
      <div class={styles.pair}>
        <SelectField
          label={t.scripts.runOn}
          hint={t.scripts.runOnHint}
          disabled={disabled}
          options={(['always', 'success', 'warning', 'failure'] as const).map(
            (key) => [key, t.scripts.runOns[key]] as const,
          )}
          {...field.value('run_on')}
        />
        <TextField
          label={t.scripts.timeout}
          hint={t.scripts.timeoutHint}
          min={1}
          max={86_400}
          disabled={disabled}
          {...field.count('timeout')}
        />
      </div>
    </>
  );
}

interface ParametersProps {
  parameters: readonly Parameter[];
  onParameters: (parameters: Parameter[]) => void;
  disabled: boolean;
}

/** Parameters found in the text. Their values are set where the script is used. */
function Parameters({ parameters, onParameters, disabled }: ParametersProps) {
  if (parameters.length === 0) return null;
  const change = (index: number, part: Partial<Parameter>) =>
    onParameters(parameters.map((each, at) => (at === index ? { ...each, ...part } : each)));
  return (
    <More label={t.scripts.parameters(parameters.length)}>
      {parameters.map((parameter, index) => (
        <fieldset key={parameter.name} class={styles.parameter}>
          <legend>
            <code>{parameter.name}</code>
          </legend>
          <div class={styles.pair}>
            <TextField
              label={t.scripts.parameterDefault}
              disabled={disabled}
              type={parameter.type === 'password' ? 'password' : 'text'}
              autoComplete="off"
              value={parameter.default}
              onValue={(value) => change(index, { default: value })}
            />
            <TextField
              label={t.schedules.description}
              disabled={disabled}
              value={parameter.description}
              onValue={(description) => change(index, { description })}
            />
          </div>
          <div class={styles.pair}>
            <CheckField
              label={t.scripts.required}
              disabled={disabled}
              checked={parameter.required}
              onChecked={(required) => change(index, { required })}
            />
            <CheckField
              label={t.scripts.isSecret}
              disabled={disabled}
              checked={parameter.type === 'password'}
              onChecked={(isSecret) => change(index, { type: isSecret ? 'password' : 'text' })}
            />
          </div>
        </fieldset>
      ))}
    </More>
  );
}
