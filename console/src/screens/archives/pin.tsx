import { useState } from 'preact/hooks';
import { outdate, write } from '../../api/api.js';
import { dayOf, moment } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { ConfirmDialog, Dialog } from '../../ui/dialog.js';
import { errorAt, TextField } from '../../ui/field.js';
import { Form, useAction } from '../../ui/form.js';
import { localDay } from './archives.rules.js';
import type { Archive } from './archives-query.js';

interface DialogProps {
  repositoryId: number;
  archive: Archive;
  onClose: () => void;
}

const changed = (said: string) => {
  announce(said);
  outdate('/api/archives');
};

export const pinText = ({ reason, until }: NonNullable<Archive['pinned']>): string =>
  until === null ? reason : t.archives.pinnedUntil(reason, dayOf(until));

export function PinArchive({ repositoryId, archive, onClose }: DialogProps) {
  const { pinned } = archive;
  const [reason, setReason] = useState(pinned?.reason ?? '');
  const [until, setUntil] = useState(pinned?.until ? localDay(pinned.until) : '');
  const action = useAction();
  const pin = () =>
    action.run(async () => {
      await write('POST', '/api/archives/{archive_id}/pin', {
        path: { archive_id: archive.id },
        body: {
          repository_id: repositoryId,
          reason,
          until: until === '' ? null : new Date(`${until}T23:59:59`).toISOString(),
        },
      });
      changed(t.archives.isPinned);
      onClose();
    });
  return (
    <Dialog title={t.archives.pinTitle(moment(archive.start))} onClose={onClose}>
      <Form
        action={action}
        onSubmit={pin}
        submit={t.archives.pin}
        onCancel={onClose}
        disabled={reason.trim() === ''}
      >
        <p>{t.archives.pinMeans}</p>
        <TextField
          label={t.common.reason}
          error={errorAt(action.error, 'reason')}
          required
          maxLength={200}
          value={reason}
          onValue={setReason}
        />
        <TextField
          type="date"
          min={localDay(new Date())}
          label={t.archives.pinEnd}
          error={errorAt(action.error, 'until')}
          value={until}
          onValue={setUntil}
        />
      </Form>
    </Dialog>
  );
}

export function UnpinArchive({ repositoryId, archive, onClose }: DialogProps) {
  return (
    <ConfirmDialog
      title={t.archives.unpinTitle(moment(archive.start))}
      action={t.archives.unpin}
      danger
      onClose={onClose}
      onConfirm={async () => {
        await write('DELETE', '/api/archives/{archive_id}/pin', {
          path: { archive_id: archive.id },
          query: { repository_id: repositoryId },
        });
        changed(t.archives.isUnpinned);
      }}
    >
      <p>{t.archives.unpinMeans}</p>
    </ConfirmDialog>
  );
}
