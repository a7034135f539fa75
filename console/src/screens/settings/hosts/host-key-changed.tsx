import { useState } from 'preact/hooks';
import { outdate, write } from '../../../api/api.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { Copyable } from '../../../ui/copy.js';
import { TextField } from '../../../ui/field.js';
import { Form, useAction } from '../../../ui/form.js';
import { Section, Stack } from '../../../ui/layout.js';
import { Notice } from '../../../ui/notice.js';
import { groupsOf, lastSix } from './fingerprint.js';
import styles from './hosts.module.css';
import type { Connection } from './parts.js';

const look = 'for key in /etc/ssh/ssh_host_*_key.pub; do ssh-keygen -lf "$key"; done';

/** A changed host key: possible reasons, how to verify it, and only then a way to accept it. */
export function HostKeyChanged({ connection }: { connection: Connection }) {
  const isAdmin = useIsAdmin();
  const { host, host_key_fingerprint: pinned, offered_host_key_fingerprint: offered } = connection;
  return (
    <>
      <Notice kind="error" title={t.hosts.changed.title(host)}>
        {t.hosts.changed.lead}
      </Notice>
      <div class={styles.fingerprints}>
        {pinned && <Fingerprint title={t.hosts.changed.known} text={pinned} />}
        {offered && <Fingerprint title={t.hosts.changed.offered} text={offered} isOffered />}
      </div>
      <Section title={t.hosts.changed.meaning}>
        <Stack tight>
          <p>{t.hosts.changed.harmless}</p>
          <p>{t.hosts.changed.dangerous}</p>
        </Stack>
      </Section>
      <Section title={t.hosts.changed.how}>
        <p>{t.hosts.changed.howText}</p>
        <Copyable text={look} label={t.hosts.changed.command} />
        <p class="muted">{t.hosts.changed.providers}</p>
      </Section>
      {offered &&
        (isAdmin ? (
          <Accept connection={connection} offered={offered} />
        ) : (
          <p class="muted">{t.hosts.changed.admin}</p>
        ))}
    </>
  );
}

interface FingerprintProps {
  title: string;
  text: string;
  isOffered?: boolean;
}

const Fingerprint = ({ title, text, isOffered = false }: FingerprintProps) => (
  <div class={`${styles.fingerprint} ${isOffered ? styles.offered : ''}`}>
    <h2>{title}</h2>
    <div class={styles.groups}>
      {groupsOf(text).map((group, index) => (
        <span key={index}>{group}</span>
      ))}
    </div>
  </div>
);

function Accept({ connection, offered }: { connection: Connection; offered: string }) {
  const [typed, setTyped] = useState('');
  const action = useAction();
  const accept = () =>
    action.run(async () => {
      await write('POST', '/api/ssh-keys/connections/{connection_id}/accept-host-key', {
        path: { connection_id: connection.id },
        body: { fingerprint: offered },
      });
      announce(t.hosts.changed.accepted);
      outdate('/api/ssh-keys', '/api/overview', '/api/incidents');
    });
  return (
    <Section title={t.hosts.changed.accept} card>
      <Form
        action={action}
        onSubmit={accept}
        submit={t.hosts.changed.accept}
        danger
        disabled={typed.trim() !== lastSix(offered)}
      >
        <p>{t.hosts.changed.acceptText}</p>
        <TextField
          label={t.hosts.changed.typeLast}
          hint={t.hosts.changed.typeHint}
          exact
          maxLength={12}
          value={typed}
          onValue={setTyped}
        />
      </Form>
    </Section>
  );
}
