import { useRead, write } from '../../../api/api.js';
import { bytes } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { ActionButton } from '../../../ui/action-button.js';
import { Row, Section } from '../../../ui/layout.js';
import { Time } from '../../../ui/time.js';
import type { Repository } from '../repository-page.js';
import { useStart } from '../use-start.js';

/** Gives back the room of archives that were removed. */
export function Compact({
  repository: { id, last_compact, append_only },
  isAdmin,
}: {
  repository: Repository;
  isAdmin: boolean;
}) {
  const start = useStart();
  const { data } = useRead('/api/repositories/{repo_id}/compact-jobs', {
    path: { repo_id: id },
    query: { limit: 100 },
  });
  const freed = (data?.jobs ?? []).reduce((sum, { freed_bytes }) => sum + (freed_bytes ?? 0), 0);
  return (
    <Section title={t.maintenance.compact.title}>
      <p class="muted">{t.maintenance.compact.lead}</p>
      <p>
        {t.maintenance.compact.last} {last_compact ? <Time at={last_compact} /> : t.common.never}
        {freed > 0 && `. ${t.maintenance.compact.freed(bytes(freed), data?.jobs.length ?? 0)}`}
      </p>
      {append_only && <p>{t.maintenance.compact.appendOnly}</p>}
      {isAdmin && (
        <Row>
          <ActionButton
            onAct={() => {
              const job = write('POST', '/api/repositories/{repo_id}/compact', { path: { repo_id: id } });
              return start(job, t.maintenance.compact.started);
            }}
          >
            {t.maintenance.compact.button}
          </ActionButton>
        </Row>
      )}
    </Section>
  );
}
