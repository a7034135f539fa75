import { useState } from 'preact/hooks';
import { useRead, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { Button } from '../../../ui/button.js';
import { ConfirmButton, ConfirmDialog } from '../../../ui/dialog.js';
import { CheckField } from '../../../ui/field.js';
import { Row, Section } from '../../../ui/layout.js';
import { Notice } from '../../../ui/notice.js';
import type { Repository } from '../repository-page.js';
import { useStart } from '../use-start.js';

/** Dangerous actions, each confirmed by the name of the repository. */
export function LocksAndRepair({ repository }: { repository: Repository }) {
  const [isRepairing, setRepairing] = useState(false);
  const [broken, setBroken] = useState<{ holder: string | null } | null>(null);
  return (
    <>
      <Section title={t.maintenance.lock.title}>
        <p class="muted">{t.maintenance.lock.lead}</p>
        {broken && (
          <Notice kind="good" live>
            {t.maintenance.lock.removed}
            {broken.holder && (
              <>
                {' '}
                {t.maintenance.lock.holder} <bdi>{broken.holder}</bdi>
              </>
            )}
          </Notice>
        )}
        <Row>
          <ConfirmButton
            title={t.maintenance.lock.button}
            action={t.maintenance.lock.button}
            danger
            typed={repository.name}
            onConfirm={async () => {
              const path = { repo_id: repository.id };
              setBroken(await write('POST', '/api/repositories/{repo_id}/break-lock', { path }));
            }}
          >
            <p>{t.maintenance.lock.means}</p>
          </ConfirmButton>
        </Row>
      </Section>
      <Section title={t.maintenance.repair.title}>
        <p class="muted">{t.maintenance.repair.lead}</p>
        <Row>
          <Button look="danger" onClick={() => setRepairing(true)}>
            {t.maintenance.repair.button}
          </Button>
        </Row>
      </Section>
      {isRepairing && <Repair repository={repository} onClose={() => setRepairing(false)} />}
    </>
  );
}

function Repair({ repository: { id, name }, onClose }: { repository: Repository; onClose: () => void }) {
  const start = useStart();
  const [isCopied, setCopied] = useState(false);
  const [mayDelete, setMayDelete] = useState(false);
  const jobs = useRead('/api/repositories/{repo_id}/check-jobs', {
    path: { repo_id: id },
    query: { limit: 1 },
  }).data?.jobs;
  const wouldDelete = jobs?.[0]?.would_delete ?? [];
  return (
    <ConfirmDialog
      title={t.maintenance.repair.button}
      action={t.maintenance.repair.button}
      danger
      typed={name}
      disabled={!isCopied}
      onClose={onClose}
      onConfirm={() => {
        const path = { repo_id: id };
        const body = { confirm_name: name, delete_archives: mayDelete ? wouldDelete : [] };
        const job = write('POST', '/api/repositories/{repo_id}/repair', { path, body });
        return start(job, t.maintenance.repair.started);
      }}
    >
      <p>{t.maintenance.repair.means}</p>
      {wouldDelete.length > 0 && (
        <>
          <p>{t.maintenance.repair.deletes}</p>
          <ul>
            {wouldDelete.map((archive) => (
              <li key={archive}>
                <bdi>{archive}</bdi>
              </li>
            ))}
          </ul>
          <CheckField label={t.maintenance.repair.mayDelete} checked={mayDelete} onChecked={setMayDelete} />
        </>
      )}
      <CheckField label={t.maintenance.repair.copied} checked={isCopied} onChecked={setCopied} />
    </ConfirmDialog>
  );
}
