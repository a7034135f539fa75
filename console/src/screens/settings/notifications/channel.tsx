import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { outdate, outdateRemoved, readTagged, write } from '../../../api/api.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import type { ScreenProps } from '../../../shell/router.js';
import { announce } from '../../../ui/announce.js';
import { ConfirmButton } from '../../../ui/dialog.js';
import { EditForm, type Tagged, useEditing } from '../../../ui/editing.js';
import { Facts, Section } from '../../../ui/layout.js';
import { QueryView } from '../../../ui/query-view.js';
import { Time } from '../../../ui/time.js';
import { Why } from '../../../ui/why.js';
import { type Channel, ChannelForm } from './channel-form.js';
import { Deliveries } from './deliveries.js';
import type { Setting } from './events.js';
import { draftLabels, draftOf, Preferences } from './preferences.js';

export default function ChannelScreen({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  const isAdmin = useIsAdmin();
  const query = useQuery(channelQuery(id));
  const setting = query.data?.data;
  return (
    <Page
      title={setting?.name ?? t.frame.page.notifications}
      up={[t.frame.page.notifications, '/settings/notifications']}
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

const channelQuery = (id: number) =>
  readTagged('/api/notifications/{setting_id}', { path: { setting_id: id } });

const Shown = ({ setting }: { setting: Setting }) => (
  <Facts
    facts={[
      [t.audit.address, setting.service_url],
      [t.notifications.enabled, setting.enabled ? t.common.yes : t.common.no],
      setting.last_used_at
        ? [t.notifications.lastDelivered, <Time key="used" at={setting.last_used_at} />]
        : null,
    ]}
  />
);

function Edit({ tagged }: { tagged: Tagged<Setting> }) {
  const editing = useEditing({
    tagged,
    draftOf,
    query: channelQuery(tagged.data.id),
    save: async (body, etag) => {
      const path = { setting_id: tagged.data.id };
      await write('PUT', '/api/notifications/{setting_id}', { path, etag, body });
      outdate('/api/notifications');
    },
  });
  const { draft, change, error } = editing;
  const [channel, setChannel] = useState<Channel>({ name: draft.name, url: draft.service_url });
  return (
    <EditForm
      editing={editing}
      labels={draftLabels()}
      secret={['service_url']}
      disabled={draft.service_url === ''}
    >
      <ChannelForm
        channel={{ ...channel, name: draft.name, ...(channel.service ? {} : { url: draft.service_url }) }}
        error={error}
        onChannel={(next) => {
          setChannel(next);
          change({ name: next.name, service_url: next.url });
        }}
      />
      <Preferences draft={draft} onDraft={change} error={error} />
    </EditForm>
  );
}

function Remove({ tagged: { data, etag } }: { tagged: Tagged<Setting> }) {
  const [, navigate] = useLocation();
  return (
    <ConfirmButton
      title={t.notifications.removeTitle(data.name)}
      action={t.notifications.remove}
      danger
      onConfirm={async () => {
        await write('DELETE', '/api/notifications/{setting_id}', { path: { setting_id: data.id }, etag });
        announce(t.notifications.removed(data.name));
        outdateRemoved('/api/notifications/{setting_id}', '/api/notifications', '/api/overview');
        navigate('/settings/notifications');
      }}
    >
      <p>{t.notifications.removeMeans}</p>
    </ConfirmButton>
  );
}
