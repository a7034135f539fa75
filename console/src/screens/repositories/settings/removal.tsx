import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { outdate, useRead, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { Row, Section } from '../../../ui/layout.js';
import type { Repository } from '../repository-page.js';

/** Holdfast forgets the repository; its data stays. */
export function Removal({ repository }: { repository: Repository }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={t.configuration.removal.title} card>
      <p class="muted">{t.configuration.removal.lead}</p>
      <Row>
        <Button look="danger" onClick={() => setOpen(true)}>
          {t.configuration.removal.button}
        </Button>
      </Row>
      {isOpen && <RemovalDialog repository={repository} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function RemovalDialog({
  repository: { id, name },
  onClose,
}: {
  repository: Repository;
  onClose: () => void;
}) {
  const [, navigate] = useLocation();
  const schedules = useRead('/api/schedule/');
  const plan = useRead('/api/repositories/{repo_id}/check-schedule', { path: { repo_id: id } });
  const mine = (schedules.data?.jobs ?? []).filter(({ repository_ids }) => repository_ids.includes(id));
  const { removal } = t.configuration;
  const switchedOff = [
    ...mine.map((schedule) =>
      schedule.repository_ids.length === 1 ? removal.disables(schedule.name) : removal.leaves(schedule.name),
    ),
    ...(plan.data?.enabled ? [removal.checks] : []),
    removal.notifications,
  ];
  return (
    <ConfirmDialog
      title={removal.button}
      action={removal.button}
      danger
      typed={name}
      onClose={onClose}
      onConfirm={async () => {
        await write('DELETE', '/api/repositories/{repo_id}', { path: { repo_id: id } });
        announce(removal.done(name));
        navigate('/repositories');
        outdate('/api/repositories', '/api/overview', '/api/schedule', '/api/system/protection');
      }}
    >
      <p>{removal.means}</p>
      <ul>
        {switchedOff.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
