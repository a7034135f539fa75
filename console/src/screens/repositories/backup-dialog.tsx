import { number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Dialog } from '../../ui/dialog.js';
import { Empty } from '../../ui/layout.js';
import { List, ListItem } from '../../ui/list.js';
import { Time } from '../../ui/time.js';
import { BackUpNow } from './back-up-now.js';
import type { Row } from './need.rules.js';

/** Which repository to back up now: those that need it most come first. */
export function BackupDialog({ rows, onClose }: { rows: readonly Row[]; onClose: () => void }) {
  const possible = rows.filter(({ about }) => about?.mode === 'full');
  return (
    <Dialog title={t.repository.backUpWhich} onClose={onClose}>
      {possible.length === 0 ? (
        <Empty>{t.repository.nothingToBackUp}</Empty>
      ) : (
        <List label={t.repository.title}>
          {possible.map(({ id, name, newest_archive, archive_count }) => (
            <ListItem
              key={id}
              title={<bdi>{name}</bdi>}
              note={
                newest_archive ? (
                  <Time at={newest_archive} />
                ) : (
                  t.common.archives(archive_count, number(archive_count))
                )
              }
              actions={<BackUpNow id={id} name={name} />}
            />
          ))}
        </List>
      )}
    </Dialog>
  );
}
