import type { Schemas } from '../../../api/client.js';
import { t } from '../../../i18n/messages.js';
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/field.js';
import { errorAt } from '../../../ui/field-errors.js';
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

/** Name, text, and when and how long it runs. */
export function ScriptFields({ draft, onDraft, error, disabled = false }: FieldsProps) {
  return (
    <>
      <TextField
        label={t.common.name}
        error={errorAt(error, 'name')}
        required
        disabled={disabled}
        value={draft.name}
        onValue={(name) => onDraft({ name })}
      />
      <TextField
        label={t.scripts.description}
        error={errorAt(error, 'description')}
        disabled={disabled}
        value={draft.description ?? ''}
        onValue={(text) => onDraft({ description: text === '' ? null : text })}
      />
      <TextArea
        label={t.scripts.content}
        hint={t.scripts.contentHint}
        error={errorAt(error, 'content')}
        code
        required
        disabled={disabled}
        rows={Math.max(10, Math.min(28, draft.content.split('\n').length + 2))}
        autoCapitalize="none"
        spellcheck={false}
        dir="ltr"
        value={draft.content}
        onValue={(content) => onDraft({ content })}
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
          value={draft.run_on}
          onValue={(run_on) => onDraft({ run_on })}
          options={(['always', 'success', 'warning', 'failure'] as const).map(
            (key) => [key, t.scripts.runOns[key]] as const,
          )}
        />
        <TextField
          label={t.scripts.timeout}
          hint={t.scripts.timeoutHint}
          error={errorAt(error, 'timeout')}
          type="number"
          min={1}
          max={86_400}
          disabled={disabled}
          value={String(draft.timeout || '')}
          onValue={(text) => onDraft({ timeout: Math.trunc(Number(text)) })}
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
              label={t.scripts.parameterFor}
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
