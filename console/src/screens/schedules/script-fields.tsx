import { useQueries } from '@tanstack/preact-query';
import { read, type Schemas, useRead } from '../../api/api.js';
import { list } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { CheckField, errorAt, SecretField, SelectField, TextField } from '../../ui/field.js';
import { Stack } from '../../ui/layout.js';
import { Notice } from '../../ui/notice.js';
import { QueryView } from '../../ui/query-view.js';
import type { FieldsProps } from './schedule-values.js';
import { useRepositoryNames } from './use-repository-names.js';

type Given = Omit<FieldsProps, 'scheduleId'>;
type Script = Schemas['ScriptView'];

export function ScriptFields(props: Given) {
  const query = useRead('/api/scripts');
  return (
    <QueryView query={query}>
      {(scripts) => (
        <Stack>
          <ScriptField when="pre" scripts={scripts} {...props} />
          <ScriptField when="post" scripts={scripts} {...props} />
          <CheckField
            label={t.schedules.fields.run_repository_scripts}
            hint={t.schedules.repositoryScriptsHint}
            checked={props.values.run_repository_scripts}
            onChecked={(run_repository_scripts) => props.onValues({ run_repository_scripts })}
          />
          {!props.values.run_repository_scripts && <LeftOut ids={props.values.repository_ids} />}
        </Stack>
      )}
    </QueryView>
  );
}

/** Names repositories whose own scripts would not run: a backup may need their dump or snapshot. */
function LeftOut({ ids }: { ids: readonly number[] }) {
  const nameOf = useRepositoryNames();
  const found = useQueries({
    queries: ids.map((repo_id) => read('/api/repositories/{repo_id}/scripts', { path: { repo_id } })),
  });
  const names = ids.filter((_, at) => {
    const { pre_backup = [], post_backup = [] } = found[at]?.data ?? {};
    return pre_backup.length + post_backup.length > 0;
  });
  return (
    names.length > 0 && (
      <Notice kind="warning" live>
        {t.schedules.leavesOut(list(names.map(nameOf)))}
      </Notice>
    )
  );
}

function ScriptField({
  when,
  scripts,
  values,
  onValues,
  error,
}: Given & { when: 'pre' | 'post'; scripts: readonly Script[] }) {
  const idField = `${when}_backup_script_id` as const;
  const parametersField = `${when}_backup_script_parameters` as const;
  const script = scripts.find(({ id }) => id === values[idField]);
  const given = values[parametersField] ?? {};
  return (
    <Stack tight>
      <SelectField
        label={t.schedules.fields[idField]}
        value={values[idField] === null ? '' : String(values[idField])}
        onValue={(id) => onValues({ [idField]: id === '' ? null : Number(id), [parametersField]: null })}
        options={[['', t.common.none], ...scripts.map(({ id, name }) => [String(id), name] as const)]}
        error={errorAt(error, idField)}
      />
      {script?.parameters.map(({ name, type, description, required, default: usual }) => {
        const common = {
          label: name,
          hint: description || undefined,
          required,
          value: given[name] ?? '',
          onValue: (value: string) => onValues({ [parametersField]: { ...given, [name]: value } }),
          error: errorAt(error, `${parametersField}.${name}`),
          autoComplete: 'off',
        };
        return type === 'password' ? (
          <SecretField key={name} {...common} />
        ) : (
          <TextField key={name} {...common} placeholder={usual ?? ''} />
        );
      })}
    </Stack>
  );
}
