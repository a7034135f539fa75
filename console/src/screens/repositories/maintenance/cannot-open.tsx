import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { outdate, type Schemas, write } from '../../../api/api.js';
import { useMay } from '../../../hub/may.js';
import { t } from '../../../i18n/messages.js';
import { ActionButton } from '../../../ui/action-button.js';
import { announce } from '../../../ui/announce.js';
import { Button, ButtonLink } from '../../../ui/button.js';
import { ConfirmButton, ConfirmDialog } from '../../../ui/dialog.js';
import { SecretField } from '../../../ui/field.js';
import { Notice, reasonOf } from '../../../ui/notice.js';
import { Time } from '../../../ui/time.js';
import { OpenError } from '../open-error.js';
import type { Repository } from '../repository-page.js';

type Tested = Schemas['RepositoryTested'];

/** It can be read, but nothing can be written. */
const fullKinds = new Set(['no_space', 'quota', 'repository_quota']);

/** Why it does not open, a test, and the step that this reason asks for. */
export function CannotOpen({ repository, isAdmin }: { repository: Repository; isAdmin: boolean }) {
  const { id, open_error_at, open_error_kind } = repository;
  const may = useMay();
  const isFull = fullKinds.has(open_error_kind ?? '');
  const [tested, setTested] = useState<Tested | null>(null);
  return (
    <Notice
      kind={tested?.opens && !isFull ? 'good' : 'error'}
      live
      title={
        isFull
          ? t.maintenance.open.full
          : tested?.opens
            ? t.maintenance.open.opens
            : t.repository.cannotOpenTitle
      }
      action={
        <>
          {may('operate', id) && <TestButton id={id} onTested={setTested} />}
          {isAdmin && <NextStep repository={repository} code={tested ? tested.code : open_error_kind} />}
        </>
      }
    >
      {tested?.opens && !isFull ? null : (
        <>
          <p>{(tested && reasonOf(tested)) || <OpenError {...repository} />}</p>
          {open_error_at && (
            <p class="small">
              {t.maintenance.open.since} <Time at={open_error_at} />
            </p>
          )}
        </>
      )}
    </Notice>
  );
}

function TestButton({ id, onTested }: { id: number; onTested: (tested: Tested) => void }) {
  return (
    <ActionButton
      onAct={async () => {
        const tested = await write('POST', '/api/repositories/{repo_id}/test', { path: { repo_id: id } });
        onTested(tested);
        // The notice may be gone by then.
        if (tested.opens) announce(t.maintenance.open.opens);
        outdate('/api/repositories', '/api/overview');
      }}
    >
      {t.maintenance.open.test}
    </ActionButton>
  );
}

function NextStep({ repository, code }: { repository: Repository; code: string | null }) {
  const [isAccepting, setAccepting] = useState(false);
  if (code === 'passphrase_wrong' || code === 'key_missing')
    return (
      <ButtonLink href={`/repositories/${repository.id}/settings#secret`}>
        {code === 'key_missing' ? t.maintenance.open.giveKey : t.maintenance.open.givePassphrase}
      </ButtonLink>
    );
  if (code === 'host_key_changed' && repository.connection_id !== null)
    return (
      <ButtonLink href={`/settings/hosts/${repository.connection_id}`}>
        {t.maintenance.open.openHost}
      </ButtonLink>
    );
  if (code === 'archive_unsigned') return <Sign repository={repository} />;
  if (code !== 'other_repository' && code !== 'older_state') return null;
  return (
    <>
      <Button look="danger" onClick={() => setAccepting(true)}>
        {code === 'older_state' ? t.maintenance.identity.olderButton : t.maintenance.identity.button}
      </Button>
      {isAccepting && (
        <AcceptIdentity
          repository={repository}
          isOlder={code === 'older_state'}
          onClose={() => setAccepting(false)}
        />
      )}
    </>
  );
}

/** The installed borg still reads them. */
export const Unsigned = ({ repository, isAdmin }: { repository: Repository; isAdmin: boolean }) => (
  <Notice
    kind="warning"
    title={t.maintenance.sign.title(repository.unsigned_archives)}
    action={isAdmin && <Sign repository={repository} />}
  >
    <p>{t.maintenance.sign.refused}</p>
  </Notice>
);

/** Borg before 1.2.5 left archives without a valid signature: a job signs them. */
function Sign({ repository: { id, name } }: { repository: Repository }) {
  const [, navigate] = useLocation();
  return (
    <ConfirmButton
      title={t.maintenance.sign.button}
      action={t.maintenance.sign.button}
      typed={name}
      onConfirm={async () => {
        const path = { repo_id: id };
        const { job_id } = await write('POST', '/api/repositories/{repo_id}/sign-archives', { path });
        navigate(`/activity/${job_id}`);
      }}
    >
      <p>{t.maintenance.sign.means}</p>
    </ConfirmButton>
  );
}

/**
 * Another repository or an older state is at its location. It is used only after an administrator confirms
 * it.
 */
function AcceptIdentity({
  repository: { id, name, path },
  isOlder,
  onClose,
}: {
  repository: Repository;
  isOlder: boolean;
  onClose: () => void;
}) {
  const [passphrase, setPassphrase] = useState('');
  return (
    <ConfirmDialog
      title={t.maintenance.identity.title}
      action={t.maintenance.identity.accept}
      danger
      typed={name}
      onClose={onClose}
      onConfirm={async () => {
        const body = { confirm_name: name, ...(passphrase && { passphrase }) };
        await write('POST', '/api/repositories/{repo_id}/accept-identity', { path: { repo_id: id }, body });
        outdate('/api/repositories', '/api/overview', '/api/archives', '/api/system/protection');
      }}
    >
      <p>{isOlder ? t.maintenance.identity.olderMeans : t.maintenance.identity.means(path)}</p>
      <SecretField
        label={t.maintenance.identity.passphrase}
        hint={t.maintenance.identity.passphraseHint}
        value={passphrase}
        onValue={setPassphrase}
      />
    </ConfirmDialog>
  );
}
