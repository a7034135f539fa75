import { useQuery } from '@tanstack/preact-query';
import { read } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import { ButtonLink } from '../../../ui/button.js';
import { Empty, Section } from '../../../ui/layout.js';
import { List, ListItem } from '../../../ui/list.js';
import { QueryView } from '../../../ui/query-view.js';
import { Sentence } from '../../../ui/sentence.js';
import { State } from '../../../ui/state.js';
import { addressOf, type Connection, Room, stateOf } from './parts.js';

/** Other machines, and the key that opens them. */
export default function Hosts() {
  const query = useQuery(read('/api/ssh-keys/connections'));
  const key = useQuery(read('/api/ssh-keys/system-key')).data;
  const add = (
    <ButtonLink look="primary" href="/settings/hosts/new">
      {t.hosts.add}
    </ButtonLink>
  );
  const hasSome = (query.data?.connections.length ?? 0) > 0;
  return (
    <Page
      title={t.settings.pages.hosts}
      up={[t.settings.title, '/settings']}
      lead={t.settings.for.hosts}
      actions={hasSome && add}
    >
      <QueryView query={query}>
        {({ connections }) =>
          connections.length === 0 ? (
            <Empty action={add}>{t.hosts.empty}</Empty>
          ) : (
            <List label={t.settings.pages.hosts}>
              {connections.map((connection) => (
                <Host key={connection.id} connection={connection} />
              ))}
            </List>
          )
        }
      </QueryView>
      <Section title={t.hosts.key}>
        <List label={t.hosts.key}>
          <ListItem
            href="/settings/hosts/key"
            title={key?.ssh_key?.name ?? t.hosts.key}
            note={key?.ssh_key ? <code>{key.ssh_key.fingerprint}</code> : key && t.hosts.noKey}
          />
        </List>
      </Section>
    </Page>
  );
}

function Host({ connection }: { connection: Connection }) {
  const { id, error_message, status, storage } = connection;
  const state = stateOf(status);
  return (
    <ListItem
      href={`/settings/hosts/${id}`}
      label={`${addressOf(connection)}, ${state.word}`}
      title={<bdi>{addressOf(connection)}</bdi>}
      note={
        error_message &&
        status !== 'connected' && (
          <Sentence code={connection.error_code} params={connection.error_params} text={error_message} />
        )
      }
    >
      {storage && <Room storage={storage} />}
      <State {...state} />
    </ListItem>
  );
}
