import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { outdate, read, readNow, readTagged, type Schemas, write } from '../../../api/api.js';
import { bytes, duration, number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { Conflict, type Tagged, useEditing } from '../../../ui/editing.js';
import { CheckField, SecretField, TextField } from '../../../ui/field.js';
import { errorAt } from '../../../ui/field-errors.js';
import { Form } from '../../../ui/form.js';
import { Facts, Section } from '../../../ui/layout.js';
import { More } from '../../../ui/more.js';
import { Notice } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';

/** The cache of archive and file lists. */
export function Cache({ canChange }: { canChange: boolean }) {
  const query = useQuery({ ...read('/api/cache/stats'), staleTime: 0 });
  const [isAsking, setAsking] = useState(false);
  return (
    <Section
      title={t.system.cache}
      card
      actions={canChange && <Button onClick={() => setAsking(true)}>{t.system.clear}</Button>}
    >
      <QueryView query={query} lines={1}>
        {(stats) => (
          <>
            {stats.problem && (
              <Notice kind="warning">
                <bdi lang="en">{stats.problem}</bdi>
              </Notice>
            )}
            <Facts
              facts={[
                [t.system.cacheKind, t.system.backends[stats.backend]],
                [t.system.entries, number(stats.entry_count)],
                [t.system.size, `${bytes(stats.size_bytes)} / ${bytes(stats.max_size_mb * 1e6)}`],
                [t.system.hits, t.system.hitsOf(number(stats.hits), number(stats.hits + stats.misses))],
                [t.system.keeps, duration(stats.ttl_seconds)],
              ]}
            />
          </>
        )}
      </QueryView>
      {canChange && (
        <More label={t.system.cacheSettings}>
          <CacheSettings />
        </More>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t.system.clearTitle}
          action={t.system.clear}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            const { cleared_count } = await write('POST', '/api/cache/clear');
            announce(t.system.cleared(number(cleared_count)));
            outdate('/api/cache');
          }}
        >
          <p>{t.system.clearMeans}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

type View = Schemas['CacheSettingsView'];
const settingsQuery = () => readTagged('/api/settings/cache');
const drafted = ({ data, etag }: Tagged<View>) => ({ data: data.settings, etag });

function CacheSettings() {
  const query = useQuery({ ...settingsQuery(), staleTime: 0 });
  return (
    <QueryView query={query} lines={2}>
      {(tagged) => <EditCache tagged={tagged} />}
    </QueryView>
  );
}

function EditCache({ tagged }: { tagged: Tagged<View> }) {
  const editing = useEditing(
    drafted(tagged),
    async (changes, etag) => {
      await write('PUT', '/api/settings/cache', { etag, body: changes });
      outdate('/api/cache', '/api/settings/cache');
    },
    async () => drafted(await readNow(settingsQuery())),
  );
  const { draft, change } = editing;
  const count = (name: 'ttl_seconds' | 'max_size_mb') => (
    <TextField
      label={t.system.fields[name]}
      error={errorAt(editing.error, name)}
      type="number"
      min={1}
      value={String(draft[name] || '')}
      onValue={(text) => change({ [name]: Math.trunc(Number(text)) })}
    />
  );
  return (
    <Form
      action={editing}
      onSubmit={editing.save}
      submit={t.settings.saveChanges}
      disabled={!editing.isDirty}
    >
      <CheckField
        label={t.system.fields.enabled}
        checked={draft.enabled}
        onChecked={(enabled) => change({ enabled })}
      />
      <CheckField
        label={t.system.fields.warm_after_backup}
        hint={t.system.warmHint}
        checked={draft.warm_after_backup}
        onChecked={(warm_after_backup) => change({ warm_after_backup })}
      />
      {count('max_size_mb')}
      {count('ttl_seconds')}
      <SecretField
        label={t.system.fields.url}
        hint={t.system.urlHint}
        error={errorAt(editing.error, 'url')}
        autoComplete="off"
        value={draft.url ?? ''}
        onValue={(url) => change({ url: url === '' ? null : url })}
      />
      <Conflict editing={editing} labels={t.system.fields} secret={['url']} />
    </Form>
  );
}
