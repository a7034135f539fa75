import { useQuery } from '@tanstack/preact-query';
import { outdate, read, readTagged, type Schemas, write } from '../../../api/api.js';
import { bytes, duration, number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { ConfirmButton } from '../../../ui/dialog.js';
import { EditForm, type Tagged, useEditing } from '../../../ui/editing.js';
import { CheckField, SecretField, TextField } from '../../../ui/field.js';
import { Facts, Section } from '../../../ui/layout.js';
import { More } from '../../../ui/more.js';
import { Notice } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';

export function Cache({ canChange }: { canChange: boolean }) {
  const query = useQuery({ ...read('/api/cache/stats'), staleTime: 0 });
  return (
    <Section title={t.system.cache} card actions={canChange && <Clear />}>
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
                [t.hosts.keyType, t.system.backends[stats.backend]],
                [t.system.entries, number(stats.entry_count)],
                [t.browse.size, `${bytes(stats.size_bytes)} / ${bytes(stats.max_size_mb * 1e6)}`],
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
    </Section>
  );
}

const Clear = () => (
  <ConfirmButton
    title={t.system.clearTitle}
    action={t.system.clear}
    onConfirm={async () => {
      const { cleared_count } = await write('POST', '/api/cache/clear');
      announce(t.system.cleared(number(cleared_count)));
      outdate('/api/cache');
    }}
  >
    <p>{t.system.clearMeans}</p>
  </ConfirmButton>
);

type View = Schemas['CacheSettingsView'];
const settingsQuery = () => readTagged('/api/settings/cache');
function CacheSettings() {
  const query = useQuery({ ...settingsQuery(), staleTime: 0 });
  return (
    <QueryView query={query} lines={2}>
      {(tagged) => <EditCache tagged={tagged} />}
    </QueryView>
  );
}

function EditCache({ tagged }: { tagged: Tagged<View> }) {
  const editing = useEditing({
    tagged,
    draftOf: ({ settings }: View) => settings,
    query: settingsQuery(),
    save: async (body, etag) => {
      await write('PUT', '/api/settings/cache', { etag, body });
      outdate('/api/cache', '/api/settings/cache');
    },
  });
  const { field } = editing;
  const { fields, warmHint, urlHint } = t.system;
  return (
    <EditForm editing={editing} labels={fields} secret={['url']}>
      <CheckField label={fields.enabled} {...field.check('enabled')} />
      <CheckField label={fields.warm_after_backup} hint={warmHint} {...field.check('warm_after_backup')} />
      <TextField label={fields.max_size_mb} min={1} {...field.count('max_size_mb')} />
      <TextField label={fields.ttl_seconds} min={1} {...field.count('ttl_seconds')} />
      <SecretField label={fields.url} hint={urlHint} {...field.orNull('url')} />
    </EditForm>
  );
}
