import { useState } from 'preact/hooks';
import { t } from '../../../i18n/messages.js';
import { Button } from '../../../ui/button.js';
import { Row, Section } from '../../../ui/layout.js';
import type { Repository } from '../repository-page.js';
import { PruneDialog } from './prune-dialog.js';

/** Removes old archives by rules, after showing which. */
export function Prune({ repository }: { repository: Repository }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={t.maintenance.prune.title}>
      <p class="muted">{t.maintenance.prune.lead}</p>
      <Row>
        <Button disabled={repository.mode === 'observe'} onClick={() => setOpen(true)}>
          {t.maintenance.prune.whatWouldGo}
        </Button>
      </Row>
      {isOpen && <PruneDialog id={repository.id} onClose={() => setOpen(false)} />}
    </Section>
  );
}
