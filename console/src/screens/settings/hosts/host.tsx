import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { outdate, outdateRemoved, read, write } from '../../../api/api.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { t } from '../../../i18n/messages.js';
import { messageIn, spoken } from '../../../i18n/sentences.js';
import type { Sentence as Words } from '../../../i18n/translate.js';
import { Page } from '../../../shell/page.js';
import type { ScreenProps } from '../../../shell/router.js';
import { ActionButton } from '../../../ui/action-button.js';
import { announce } from '../../../ui/announce.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { Facts, Section } from '../../../ui/layout.js';
import { Menu } from '../../../ui/menu.js';
import { failureOf, Notice, Sentence } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import { State } from '../../../ui/state.js';
import { Time } from '../../../ui/time.js';
import { Why } from '../../../ui/why.js';
import { UsedBy } from '../used-by.js';
import { bandwidthInWords } from './bandwidth-fields.js';
import { EditHost } from './edit-host.js';
import { HostKeyChanged } from './host-key-changed.js';
import { addressOf, type Connection, connectionQuery, nameOf, Room, stateOf } from './parts.js';
import { Redeploy } from './redeploy.js';

/** One account on one host: its state, free space, and the repositories that use it. */
export default function HostScreen({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  const query = useQuery(connectionQuery(id));
  const connection = query.data?.data.connection;
  const isAdmin = useIsAdmin();
  return (
    <Page
      title={connection ? nameOf(connection) : t.frame.page.hosts}
      up={[t.frame.page.hosts, '/settings/hosts']}
      lead={connection && <State {...stateOf(connection.status)} />}
      actions={query.data && <Actions connection={query.data.data.connection} etag={query.data.etag} />}
    >
      <QueryView query={query} gone={t.settings.gone}>
        {(tagged) =>
          tagged.data.connection.status === 'host_key_changed' ? (
            <HostKeyChanged connection={tagged.data.connection} />
          ) : (
            <>
              <Why kind="connection" id={id} ways={{ host_key_changed: null }} />
              <Status connection={tagged.data.connection} />
              <Uses id={id} />
              {isAdmin && (
                <Section title={t.hosts.settings} card>
                  <EditHost tagged={tagged} />
                </Section>
              )}
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

function Status({ connection }: { connection: Connection }) {
  const { id, error_message, storage, host_key_fingerprint: pinned } = connection;
  const [note, setNote] = useState<Words | null>(null);
  const look = async () => {
    const read = await write('POST', '/api/ssh-keys/connections/{connection_id}/refresh-storage', {
      path: { connection_id: id },
    });
    setNote(read.success ? null : messageIn(read));
    outdate('/api/ssh-keys');
  };
  return (
    <>
      {error_message && connection.status !== 'connected' && (
        <Notice kind="warning" title={t.hosts.failed}>
          {failureOf(connection)}
        </Notice>
      )}
      <Section title={t.common.details} card>
        <Facts
          facts={[
            [
              t.hosts.lastSuccess,
              connection.last_success ? <Time key="at" at={connection.last_success} /> : t.common.never,
            ],
            [t.hosts.pinned, pinned ? <code>{pinned}</code> : t.hosts.noPin],
            connection.jump_connection_id === null
              ? null
              : [t.hosts.through, <Through key="through" id={connection.jump_connection_id} />],
            connection.allows === null ? null : [t.hosts.mayRun, t.hosts.allows[connection.allows]],
            connection.sudo ? [t.hosts.readsAs, 'root (sudo)'] : null,
            connection.bandwidth && [t.hosts.fields.bandwidth, bandwidthInWords(connection.bandwidth)],
            [t.hosts.key, connection.ssh_key_name ?? t.hosts.noKey],
            [
              t.hosts.storage,
              <span key="storage">
                {storage ? (
                  <>
                    <Room storage={storage} />
                    <span class="muted small">
                      <Time at={storage.last_check} capital />
                    </span>
                  </>
                ) : (
                  t.common.unknown
                )}
                <div>
                  <ActionButton onAct={look}>{t.hosts.refresh}</ActionButton>
                </div>
              </span>,
            ],
          ]}
        />
        {note && (
          <Notice kind="warning" live>
            <Sentence {...note} />
          </Notice>
        )}
      </Section>
    </>
  );
}

function Through({ id }: { id: number }) {
  const { data } = useQuery(connectionQuery(id));
  return <Link href={`/settings/hosts/${id}`}>{data && <bdi>{nameOf(data.data.connection)}</bdi>}</Link>;
}

function Uses({ id }: { id: number }) {
  const query = useQuery(read('/api/repositories/'));
  return (
    <QueryView query={query}>
      {({ repositories }) => (
        <UsedBy
          uses={repositories
            .filter((each) => each.connection_id === id || each.source_ssh_connection_id === id)
            .map((each) => ({
              href: `/repositories/${each.id}`,
              name: each.name,
              note: each.connection_id === id ? t.hosts.keepsIt : t.hosts.isSource,
            }))}
        />
      )}
    </QueryView>
  );
}

function Actions({ connection, etag }: { connection: Connection; etag: string | undefined }) {
  const [asking, setAsking] = useState<'redeploy' | 'remove' | null>(null);
  const isAdmin = useIsAdmin();
  const [, navigate] = useLocation();
  const path = { connection_id: connection.id };
  const connect = async () => {
    const tested = await write('POST', '/api/ssh-keys/connections/{connection_id}/test', { path });
    announce(spoken(tested));
    outdate('/api/ssh-keys');
  };
  return (
    <>
      <ActionButton onAct={connect}>{t.hosts.test}</ActionButton>
      <Menu
        label={t.hosts.more}
        items={[
          { label: t.hosts.redeploy, onSelect: () => setAsking('redeploy') },
          ...(isAdmin ? [{ label: t.hosts.remove, danger: true, onSelect: () => setAsking('remove') }] : []),
        ]}
      />
      {asking === 'redeploy' && <Redeploy connection={connection} onClose={() => setAsking(null)} />}
      {asking === 'remove' && (
        <ConfirmDialog
          title={t.hosts.removeTitle(addressOf(connection))}
          action={t.hosts.remove}
          danger
          typed={addressOf(connection)}
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            const confirm = `${connection.username}@${connection.host}`;
            await write('DELETE', '/api/ssh-keys/connections/{connection_id}', {
              path,
              query: { confirm },
              etag,
            });
            announce(t.hosts.removed);
            outdateRemoved(
              '/api/ssh-keys/connections/{connection_id}',
              '/api/ssh-keys',
              '/api/repositories',
              '/api/overview',
            );
            navigate('/settings/hosts');
          }}
        >
          <p>{t.hosts.removeMeans}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
