import { Link } from 'wouter-preact';
import { useRead } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { withTags } from '../../../ui/columns.js';
import { Facts, Section } from '../../../ui/layout.js';
import { failureOf } from '../../../ui/sentence.js';
import { SettingsList } from '../settings-page.js';
import { addressOf, nameOf, Room, stateOf } from './parts.js';

export default function Hosts() {
  const key = useRead('/api/ssh-keys/system-key').data;
  const query = useRead('/api/ssh-keys/connections');
  return (
    <SettingsList
      page="hosts"
      query={query}
      rowsOf={({ connections }) => connections}
      address="/settings/hosts"
      add={t.hosts.add}
      empty={t.hosts.empty}
      labelOf={(one) => `${nameOf(one)}, ${stateOf(one.status).word}`}
      columns={(of) => [
        of.name(nameOf, t.hosts.fields.host, withTags),
        of.text('address', t.audit.address, addressOf),
        of.state(({ status }) => stateOf(status), '11rem'),
        {
          key: 'storage',
          head: t.hosts.storage,
          width: '14rem',
          sort: ({ storage }) => storage?.percent_used ?? null,
          cell: ({ storage }) => storage && <Room storage={storage} />,
        },
      ]}
      below={(one) => one.status !== 'connected' && failureOf(one)}
    >
      <Section title={t.hosts.key} card>
        <Facts
          facts={[
            [
              t.hosts.fingerprint,
              <Link key="key" href="/settings/hosts/key">
                {key?.ssh_key ? <code>{key.ssh_key.fingerprint}</code> : t.hosts.noKey}
              </Link>,
            ],
          ]}
        />
      </Section>
    </SettingsList>
  );
}
