import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isError } from '../../api/query-client.js';
import { t } from '../../i18n/messages.js';
import { navigations, useParameters } from '../../shell/navigation.js';
import { Page } from '../../shell/page.js';
import type { ScreenProps } from '../../shell/router.js';
import { Button } from '../../ui/button.js';
import { Empty } from '../../ui/layout.js';
import { QueryView } from '../../ui/query-view.js';
import { repositoryQuery } from '../repositories/repository-page.js';
import { listingQuery } from './first-browse.js';
import type { Place } from './folder.js';
import { Folder, forgetWay } from './folder-view.js';
import { Found } from './found.js';
import { Scrubber } from './scrubber.js';
import type { Selection } from './selection.rules.js';
import { SelectionBar } from './selection-bar.js';

/** The files of an archive, one folder at a time. The selection is kept across folders and archives. */
export default function Browse({ params }: ScreenProps<'id' | 'archive' | 'rest'>) {
  const [repositoryId, archive, path] = [Number(params.id), params.archive, params.rest ?? ''];
  const place = { repositoryId, archive, path };
  const find = useParameters().get('find') ?? '';
  const repository = useQuery(repositoryQuery(repositoryId)).data?.repository;
  const [selection, setSelection] = useState<Selection>(new Map());
  const [files, setFiles] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => forgetWay, []);
  useEffect(() => {
    // The same files at another date: how large they were then is not known.
    setSelection((chosen) => new Map([...chosen.keys()].map((path) => [path, null])));
  }, [archive]);
  const [sorting, sort] = useState('');
  const [only] = selection.keys();
  const chosen = {
    selection,
    choose: (next: Selection, file?: string) => {
      setSelection(next);
      if (file !== undefined) setFiles(new Set(files).add(file));
    },
  };
  return (
    <Page
      title={t.browse.title(repository?.name ?? '')}
      up={[t.browse.archives, `/repositories/${repositoryId}/archives`]}
    >
      <Scrubber {...place} />
      <Gate repositoryId={repositoryId} archive={archive}>
        {find === '' ? (
          <Folder key={path} place={place} chosen={chosen} sorting={sorting} sort={sort} />
        ) : (
          <Found key={`${archive}/${find}`} place={place} text={find} chosen={chosen} />
        )}
      </Gate>
      {selection.size > 0 && (
        <SelectionBar
          repositoryId={repositoryId}
          archive={archive}
          selection={selection}
          isOneFile={selection.size === 1 && files.has(only ?? '')}
          clear={() => setSelection(new Map())}
        />
      )}
    </Page>
  );
}

type GateProps = Omit<Place, 'path'> & { children: ComponentChildren };

/** Reading an unknown file list starts the backup tool, so it requires a link or button. */
function Gate({ repositoryId, archive, children }: GateProps) {
  const [isPressed, press] = useState(false);
  const isAllowed = isPressed || navigations.count > 0;
  const listing = useQuery({ ...listingQuery(repositoryId, archive), enabled: !isAllowed });
  if (isAllowed || listing.data?.state === 'cached') return <>{children}</>;
  if (isError(listing.error, 404)) return <Empty>{t.browse.archiveGone}</Empty>;
  return (
    <QueryView query={listing} lines={6}>
      {() => (
        <Empty
          action={
            <Button look="primary" onClick={() => press(true)}>
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
