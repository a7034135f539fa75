import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { outdate, outdateRemoved, readNow, readTagged, write } from '../../../api/api.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import type { ScreenProps } from '../../../shell/router.js';
import { announce } from '../../../ui/announce.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { Conflict, type Tagged, useEditing } from '../../../ui/editing.js';
import { Form } from '../../../ui/form.js';
import { Facts, Section } from '../../../ui/layout.js';
import { QueryView } from '../../../ui/query-view.js';
import { Time } from '../../../ui/time.js';
import { Why } from '../../../ui/why.js';
import { type Channel, ChannelForm } from './channel-form.js';
import { Deliveries } from './deliveries.js';
import type { Setting } from './events.js';
import { draftLabels, draftOf, Preferences } from './preferences.js';

/** One channel: recent messages and its settings. */
export default function ChannelScreen({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  const isAdmin = useIsAdmin();
  const query = useQuery(readTagged('/api/notifications/{setting_id}', { path: { setting_id: id } }));
  const setting = query.data?.data;
  return (
    <Page
      title={setting?.name ?? t.settings.pages.notifications}
      heading={setting && <bdi>{setting.name}</bdi>}
      up={[t.settings.pages.notifications, '/settings/notifications']}
      actions={isAdmin && query.data && <Remove tagged={query.data} />}
    >
      <QueryView query={query} gone={t.settings.gone}>
        {(tagged) => (
          <>
            <Why kind="notification_setting" id={id} />
            <Deliveries setting={tagged.data} canResend={isAdmin} />
            <Section title={t.notifications.setup} card>
              {isAdmin ? <Edit tagged={tagged} /> : <Shown setting={tagged.data} />}
            </Section>
          </>
        )}
      </QueryView>
    </Page>
  );
}

const Shown = ({ setting }: { setting: Setting }) => (
  <Facts
    facts={[
      [t.channels.address, setting.service_url],
      [t.notifications.enabled, setting.enabled ? t.common.yes : t.common.no],
      setting.last_used_at ? [t.notifications.lastUsed, <Time key="used" at={setting.last_used_at} />] : null,
    ]}
  />
);

function Edit({ tagged }: { tagged: Tagged<Setting> }) {
  const path = { setting_id: tagged.data.id };
  const editing = useEditing(
    { data: draftOf(tagged.data), etag: tagged.etag },
    async (changes, etag) => {
      await write('PUT', '/api/notifications/{setting_id}', { path, etag, body: changes });
      outdate('/api/notifications');
    },
    async () => {
      const again = await readNow(readTagged('/api/notifications/{setting_id}', { path }));
      return { data: draftOf(again.data), etag: again.etag };
    },
  );
  const { draft, change } = editing;
  const [channel, setChannel] = useState<Channel>({ name: draft.name, url: draft.service_url });
  return (
    <Form
      action={editing}
      onSubmit={editing.save}
      submit={t.settings.saveChanges}
      disabled={!editing.isDirty || draft.service_url === ''}
    >
      <ChannelForm
        channel={{ ...channel, name: draft.name, ...(channel.service ? {} : { url: draft.service_url }) }}
        error={editing.error}
        onChannel={(next) => {
          setChannel(next);
          change({ name: next.name, service_url: next.url });
        }}
      />
      <Preferences draft={draft} onDraft={change} error={editing.error} />
      <Conflict editing={editing} labels={draftLabels()} secret={['service_url']} />
    </Form>
  );
}

function Remove({ tagged: { data, etag } }: { tagged: Tagged<Setting> }) {
  const [isAsking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t.notifications.remove}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t.notifications.removeTitle(data.name)}
          action={t.notifications.remove}
          danger
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await write('DELETE', '/api/notifications/{setting_id}', { path: { setting_id: data.id }, etag });
            announce(t.notifications.removed(data.name));
            outdateRemoved('/api/notifications/{setting_id}', '/api/notifications', '/api/overview');
            navigate('/settings/notifications');
          }}
        >
          <p>{t.notifications.removeMeans}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
