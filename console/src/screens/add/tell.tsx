import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { type Schemas, useRead, write } from '../../api/api.js';
import { list } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { messageIn } from '../../i18n/sentences.js';
import type { Sentence as Words } from '../../i18n/translate.js';
import { useStore } from '../../store.js';
import { announce } from '../../ui/announce.js';
import { Button } from '../../ui/button.js';
import { CheckField, Group } from '../../ui/field.js';
import { ErrorNotice, Notice, Sentence } from '../../ui/notice.js';
import { QueryView } from '../../ui/query-view.js';
import { useAction } from '../../ui/use-action.js';
import { type Channel, ChannelForm, noChannel } from '../settings/notifications/channel-form.js';
import { flags } from './draft.rules.js';
import { addressOf, Step } from './step.js';
import { changeDraft, changeSecrets, draft as draftStore, secrets as secretStore } from './wizard.js';

/** One channel for messages. Next sends a test to it, unless that one has worked already. */
export function Tell() {
  const query = useRead('/api/notifications');
  return <QueryView query={query}>{(settings) => <TellForm known={heardBy(settings)} />}</QueryView>;
}

/** Names of the channels that get the messages of a new repository too. */
export const heardBy = (channels: readonly Schemas['NotificationSettingView'][]): string[] =>
  channels
    .filter(({ enabled, monitor_all_repositories }) => enabled && monitor_all_repositories)
    .map(({ name }) => name);

function TellForm({ known }: { known: readonly string[] }) {
  const [, navigate] = useLocation();
  const { channelUrl, channelName } = useStore(secretStore);
  const [channel, setChannel] = useState<Channel>(
    channelUrl === '' ? noChannel : { name: channelName, url: channelUrl },
  );
  const [isMissing, setMissing] = useState(false);
  const [refusal, setRefusal] = useState<Words | null>(null);
  const action = useAction();
  const isEmpty = channel.url === '' && !channel.service;
  const settle = (channelUrl: string, channelName: string) => {
    changeDraft({ isQuiet: channelUrl === '' });
    changeSecrets({ channelUrl, channelName });
  };
  const next = async () => {
    if (isEmpty && known.length > 0) {
      settle('', '');
      return true;
    }
    setMissing(channel.url === '' || channel.name.trim() === '');
    if (channel.url === '' || channel.name.trim() === '') return false;
    if (channel.url === channelUrl) return true;
    let isSent = false;
    await action.run(async () => {
      const test = await write('POST', '/api/notifications/test', { body: { service_url: channel.url } });
      isSent = test.success;
      setRefusal(isSent ? null : messageIn(test));
    });
    if (!isSent) return false;
    announce(t.add.testSent);
    settle(channel.url, channel.name);
    return true;
  };
  return (
    <Step
      step="tell"
      title={t.add.tellTitle}
      lead={t.add.tellLead}
      onNext={next}
      isBusy={action.isBusy}
      next={isEmpty || channel.url === channelUrl ? undefined : t.add.testAndGoOn}
      buttons={
        known.length === 0 && (
          <Button
            onClick={() => {
              settle('', '');
              navigate(addressOf('review'));
            }}
          >
            {t.add.skip}
          </Button>
        )
      }
    >
      {known.length > 0 && <Notice kind="good">{t.add.toldBy(list(known))}</Notice>}
      <ChannelForm channel={channel} onChannel={setChannel} error={action.error} withTest={false} />
      {isMissing && (
        <Notice kind="error" live>
          {t.add.channelMissing}
        </Notice>
      )}
      {action.error ? <ErrorNotice error={action.error} /> : null}
      {refusal !== null && (
        <Notice kind="error" live title={t.add.testFailed}>
          <Sentence {...refusal} />
        </Notice>
      )}
      {!isEmpty && <TellWhen />}
    </Step>
  );
}

function TellWhen() {
  const { flags: chosen } = useStore(draftStore);
  return (
    <Group legend={t.add.tellWhen}>
      {flags.map((flag) => (
        <CheckField
          key={flag}
          label={t.add.flags[flag]}
          checked={chosen.includes(flag)}
          onChecked={(isOn) =>
            changeDraft({ flags: isOn ? [...chosen, flag] : chosen.filter((other) => other !== flag) })
          }
        />
      ))}
    </Group>
  );
}
