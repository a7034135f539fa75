import { outdate, readTagged, write } from '../../../api/api.js';
import { list } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Conflicts } from '../../../ui/conflicts.js';
import { type Editing, type Tagged, useEditing } from '../../../ui/editing.js';
import { CheckField, SelectField, TagsField, TextArea, TextField } from '../../../ui/field.js';
import { Section, Stack } from '../../../ui/layout.js';
import { More } from '../../../ui/more.js';
import { SaveBar } from '../../../ui/save-bar.js';
import type { Repository } from '../repository-page.js';
import { CompressionField } from './compression-field.js';
import { PromiseFields } from './promise-fields.js';
import { bodyOf, type Settings, settingsOf } from './settings.rules.js';
import { SourceFields } from './source-fields.js';

export const taggedRepository = (id: number) => ({
  ...readTagged('/api/repositories/{repo_id}', { path: { repo_id: id } }),
  staleTime: 0,
});

interface SettingsFormProps {
  id: number;
  tagged: Tagged<{ repository: Repository }>;
}

/** One form for all that is saved together; only what was changed is sent. */
export function SettingsForm({ id, tagged }: SettingsFormProps) {
  const edit: Editing<Settings> = useEditing({
    tagged,
    draftOf: ({ repository }) => settingsOf(repository),
    query: taggedRepository(id),
    save: async (changes, etag) => {
      const body = bodyOf(changes, edit.draft.source_set_id);
      await write('PUT', '/api/repositories/{repo_id}', { path: { repo_id: id }, etag, body });
      outdate('/api/repositories', '/api/system/protection', '/api/overview');
    },
  });
  const { draft, set, field, error } = edit;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void edit.save();
      }}
    >
      <Stack>
        <General edit={edit} />
        {draft.mode === 'full' && <SourceFields id={id} edit={edit} />}
        {draft.mode === 'full' && (
          <Section title={t.configuration.backup} card>
            <Stack>
              <CompressionField {...field.value('compression')} />
              <TextField
                label={t.configuration.shrink}
                hint={t.configuration.shrinkHint}
                type="number"
                inputMode="numeric"
                min={0}
                max={100}
                required
                {...field.value('shrink_warning_percent')}
                value={String(draft.shrink_warning_percent)}
                onValue={(value) => set('shrink_warning_percent', Number(value))}
              />
              <MassChangeFields edit={edit} />
            </Stack>
          </Section>
        )}
        <Rarely edit={edit} />
        <Conflicts
          conflicts={edit.conflicts}
          draft={draft}
          label={(name) => t.configuration.fields[name as keyof Settings]}
          onTake={(name, value) => set(name as keyof Settings, value as never)}
        />
        {(edit.isDirty || error) && <SaveBar edit={edit} sticky />}
      </Stack>
    </form>
  );
}

const General = ({ edit: { draft, set, field, error } }: { edit: Editing<Settings> }) => (
  <Section title={t.configuration.general} card>
    <Stack>
      <TextField label={t.configuration.fields.name} required maxLength={255} {...field.value('name')} />
      <TagsField label={t.common.tags} hint={t.common.tagsHint} {...field.value('tags')} />
      <PromiseFields
        hours={draft.freshness_hours}
        onHours={(hours) => set('freshness_hours', hours)}
        error={error}
      />
      {draft.left_out && draft.left_out.length > 0 && (
        <CheckField
          label={t.configuration.leftOutSolved(list(draft.left_out))}
          checked={false}
          onChecked={() => set('left_out', null)}
        />
      )}
      <SelectField
        label={t.configuration.fields.mode}
        hint={t.configuration.modeHint}
        {...field.value('mode')}
        options={[
          ['full', t.configuration.full],
          ['observe', t.configuration.observe],
        ]}
      />
    </Stack>
  </Section>
);

const MassChangeFields = ({ edit: { field } }: { edit: Editing<Settings> }) => (
  <>
    <TextField
      label={t.configuration.massChange}
      hint={t.configuration.massChangeHint}
      inputMode="numeric"
      min={0}
      max={100}
      required
      {...field.count('mass_change_percent')}
    />
    <TextField
      label={t.configuration.massChangeFiles}
      inputMode="numeric"
      min={1}
      required
      {...field.count('mass_change_files')}
    />
  </>
);

/** Settings that most users never change. */
function Rarely({ edit: { field } }: { edit: Editing<Settings> }) {
  const { fields } = t.configuration;
  const text = (name: 'remote_path' | 'custom_flags', hint: string) => (
    <TextField label={fields[name]} hint={hint} exact {...field.value(name)} />
  );
  const script = (name: 'pre_backup_script' | 'post_backup_script') => (
    <TextArea label={fields[name]} code rows={4} {...field.value(name)} />
  );
  const seconds = (name: 'pre_hook_timeout' | 'post_hook_timeout') => (
    <TextField
      label={fields[name]}
      inputMode="numeric"
      min={1}
      max={86_400}
      required
      {...field.count(name)}
    />
  );
  return (
    <Section title={t.configuration.rarely} card>
      <More label={t.configuration.rarelyShow}>
        <p class="muted small">{t.configuration.ownScripts}</p>
        {script('pre_backup_script')}
        {seconds('pre_hook_timeout')}
        {script('post_backup_script')}
        {seconds('post_hook_timeout')}
        <CheckField label={fields.continue_on_hook_failure} {...field.check('continue_on_hook_failure')} />
        {text('remote_path', t.configuration.remotePathHint)}
        {text('custom_flags', t.configuration.customFlagsHint)}
        <CheckField
          label={fields.bypass_lock}
          hint={t.configuration.bypassLockHint}
          {...field.check('bypass_lock')}
        />
      </More>
    </Section>
  );
}
