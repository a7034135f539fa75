import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { outdate, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import { Form, useAction, useDraft } from '../../../ui/form.js';
import { Section } from '../../../ui/layout.js';
import { ChannelForm, noChannel } from './channel-form.js';
import { draftOf, Preferences } from './preferences.js';

export default function NewChannel() {
  const [, navigate] = useLocation();
  const [channel, setChannel] = useState(noChannel);
  const [draft, change] = useDraft(draftOf());
  const action = useAction();
  const save = () =>
    action.run(async () => {
      const made = await write('POST', '/api/notifications', {
        body: { ...draft, name: channel.name, service_url: channel.url },
      });
      outdate('/api/notifications');
      navigate(`/settings/notifications/${made.id}`);
    });
  return (
    <Page title={t.notifications.add} up={[t.frame.page.notifications, '/settings/notifications']} narrow>
      <Section title={t.notifications.setup} quiet card>
        <Form
          action={action}
          onSubmit={save}
          submit={t.notifications.add}
          disabled={channel.url === '' || channel.name.trim() === ''}
          onCancel={() => navigate('/settings/notifications')}
        >
          <ChannelForm channel={channel} onChannel={setChannel} error={action.error} />
          {channel.service && <Preferences draft={draft} onDraft={change} error={action.error} />}
        </Form>
      </Section>
    </Page>
  );
}
