import { api, outdate, readNow, readTagged } from '../../../api/api.js';
import { answer, ifMatch } from '../../../api/client.js';
import { list } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { Conflicts } from '../../../ui/conflicts.js';
import { CheckField, SelectField, TagsField, TextArea, TextField } from '../../../ui/field.js';
import { errorAt } from '../../../ui/field-errors.js';
import { Section, Stack } from '../../../ui/layout.js';
import { More } from '../../../ui/more.js';
import { SaveBar } from '../../../ui/save-bar.js';
import { type Edit, useEdit } from '../../../ui/use-edit.js';
import type { Repository } from '../repository-page.js';
import { CompressionField } from './compression-field.js';
import { PromiseFields } from './promise-fields.js';
import { bodyOf, type Settings, settingsOf } from './settings.rules.js';
import { SourceFields } from './source-fields.js';

export const taggedRepository = (id: number) => ({
  ...readTagged('/api/repositories/{repo_id}', { path: { repo_id: id } }),
  staleTime: 0,
});

interface Tagged {
  data: { repository: Repository };
  etag: string | undefined;
}

const view = ({ data, etag }: Tagged) => ({ values: settingsOf(data.repository), etag });

/** One form for all that is saved together; only what was changed is sent. */
export function SettingsForm({ id, tagged }: { id: number; tagged: Tagged }) {
  const edit: Edit<Settings> = useEdit<Settings>({
    loaded: view(tagged),
    reload: async () => view(await readNow(taggedRepository(id))),
    save: async (changes, etag) => {
      const params = { path: { repo_id: id }, header: ifMatch(etag) };
      const body = bodyOf(changes, edit.draft.source_set_id);
      await answer(api.PUT('/api/repositories/{repo_id}', { params, body }));
      outdate('/api/repositories', '/api/system/protection', '/api/overview');
    },
  });
  const { draft, set, error } = edit;
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        if (await edit.save()) announce(t.common.saved);
      }}
    >
      <Stack>
        <General edit={edit} />
        {draft.mode === 'full' && <SourceFields id={id} edit={edit} />}
        {draft.mode === 'full' && (
          <Section title={t.configuration.backup} card>
            <Stack>
              <CompressionField
                value={draft.compression}
                onValue={(value) => set('compression', value)}
                error={errorAt(error, 'compression')}
              />
              <TextField
                label={t.configuration.shrink}
                hint={t.configuration.shrinkHint}
                type="number"
                inputMode="numeric"
                min={0}
                max={100}
                required
                value={String(draft.shrink_warning_percent)}
                onValue={(value) => set('shrink_warning_percent', Number(value))}
                error={errorAt(error, 'shrink_warning_percent')}
              />
            </Stack>
          </Section>
        )}
        <Rarely edit={edit} />
        <Conflicts
          conflicts={edit.conflicts}
          draft={draft}
          label={(field) => t.configuration.fields[field as keyof Settings]}
          onTake={(field, value) => set(field as keyof Settings, value as never)}
        />
        {(edit.isDirty || error) && <SaveBar edit={edit} sticky />}
      </Stack>
    </form>
  );
}

const General = ({ edit: { draft, set, error } }: { edit: Edit<Settings> }) => (
  <Section title={t.configuration.general} card>
    <Stack>
      <TextField
        label={t.configuration.fields.name}
        required
        maxLength={255}
        value={draft.name}
        onValue={(value) => set('name', value)}
        error={errorAt(error, 'name')}
      />
      <TagsField
        label={t.common.tags}
        hint={t.common.tagsHint}
        value={draft.tags}
        onValue={(value) => set('tags', value)}
        error={errorAt(error, 'tags')}
      />
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
        value={draft.mode}
        onValue={(value) => set('mode', value)}
        options={[
          ['full', t.configuration.full],
          ['observe', t.configuration.observe],
        ]}
      />
    </Stack>
  </Section>
);

/** Settings that most users never change. */
function Rarely({ edit: { draft, set, error } }: { edit: Edit<Settings> }) {
  const { fields } = t.configuration;
  const text = (field: 'remote_path' | 'custom_flags', hint: string) => (
    <TextField
      label={fields[field]}
      hint={hint}
      value={draft[field]}
      onValue={(value) => set(field, value)}
      error={errorAt(error, field)}
      exact
    />
  );
  const script = (field: 'pre_backup_script' | 'post_backup_script') => (
    <TextArea
      label={fields[field]}
      code
      rows={4}
      value={draft[field]}
      onValue={(value) => set(field, value)}
      error={errorAt(error, field)}
    />
  );
  const seconds = (field: 'pre_hook_timeout' | 'post_hook_timeout') => (
    <TextField
      label={fields[field]}
      type="number"
      inputMode="numeric"
      min={1}
      max={86_400}
      required
      value={String(draft[field])}
      onValue={(value) => set(field, Number(value))}
      error={errorAt(error, field)}
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
        <CheckField
          label={fields.continue_on_hook_failure}
          checked={draft.continue_on_hook_failure}
          onChecked={(value) => set('continue_on_hook_failure', value)}
        />
        {text('remote_path', t.configuration.remotePathHint)}
        {text('custom_flags', t.configuration.customFlagsHint)}
        <CheckField
          label={fields.bypass_lock}
          hint={t.configuration.bypassLockHint}
          checked={draft.bypass_lock}
          onChecked={(value) => set('bypass_lock', value)}
        />
      </More>
    </Section>
  );
}
