import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../i18n/messages.js';
import { useParameters } from '../../shell/navigation.js';
import { Page } from '../../shell/page.js';
import type { ScreenProps } from '../../shell/router.js';
import { repositoryQuery } from '../repositories/repository-page.js';
import { Folder, forgetWay } from './folder-view.js';
import { Found } from './found.js';
import { Gate } from './gate.js';
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
      <Gate repositoryId={repositoryId} archive={archive} byLink>
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
