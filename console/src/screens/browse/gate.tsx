import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isError } from '../../api/query-client.js';
import { t } from '../../i18n/messages.js';
import { navigations } from '../../shell/navigation.js';
import { Button } from '../../ui/button.js';
import { Empty } from '../../ui/layout.js';
import { QueryView } from '../../ui/query-view.js';
import { listingQuery } from './first-browse.js';
import type { Place } from './folder.js';

type GateProps = Omit<Place, 'path'> & { byLink?: boolean; children: ComponentChildren };

/** Reading an unknown file list starts the backup tool, so it requires a button, or a link to the page. */
export function Gate({ repositoryId, archive, byLink = false, children }: GateProps) {
  const [isPressed, press] = useState(false);
  const isAllowed = isPressed || (byLink && navigations.count > 0);
  const listing = useQuery({ ...listingQuery(repositoryId, archive), enabled: !isAllowed });
  if (isAllowed || listing.data?.state === 'cached') return <>{children}</>;
  if (isError(listing.error, 404)) return <Empty>{t.browse.archiveGone}</Empty>;
  return (
    <QueryView query={listing} lines={6}>
      {() => (
        <Empty
          action={
            <Button look={byLink ? 'primary' : 'plain'} onClick={() => press(true)}>
              {t.browse.readList}
            </Button>
          }
        >
          {t.browse.notRead}
        </Empty>
      )}
    </QueryView>
  );
}
