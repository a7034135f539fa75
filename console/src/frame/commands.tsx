import { lastSent, type Sent } from '../api/sent.js';
import { t } from '../i18n/messages.js';
import { Copyable } from '../ui/copy.js';
import { Dialog } from '../ui/dialog.js';
import { Section, Stack } from '../ui/layout.js';
import { curlOf } from './curl.rules.js';

/** The last requests of this tab as commands to copy, with changes first. */
export default function Commands({ onClose }: { onClose: () => void }) {
  const all = lastSent();
  return (
    <Dialog title={t.frame.commands} onClose={onClose} wide>
      <Stack>
        <p>{t.frame.commandsLead}</p>
        <Requests title={t.frame.changesSent} requests={all.filter(({ method }) => method !== 'GET')} />
        <Requests title={t.frame.readsSent} requests={all.filter(({ method }) => method === 'GET')} />
      </Stack>
    </Dialog>
  );
}

const Requests = ({ title, requests }: { title: string; requests: readonly Sent[] }) =>
  requests.length === 0 ? null : (
    <Section title={title}>
      <Stack tight>
        {requests.map((request) => {
          const text = curlOf(request);
          return (
            <Copyable key={text} text={text} label={`${request.method} ${new URL(request.url).pathname}`} />
          );
        })}
      </Stack>
    </Section>
  );
