import { useQuery } from '@tanstack/preact-query';
import { type Schemas, write } from '../../api/api.js';
import { bytes, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { useStore } from '../../store.js';
import { ErrorNotice, Notice, Sentence } from '../../ui/notice.js';
import { Unreadable } from '../../ui/unreadable.js';
import styles from './add.module.css';
import { type Draft, excludePatterns } from './draft.rules.js';
import { draft as draftStore } from './wizard.js';

type Result = Schemas['PreflightResult'];

/** It may start the backup tool and count for 20 seconds, so it requires an action of the user. */
export function usePreflight(draft: Draft, { path, isAsked }: { path: string | null; isAsked: boolean }) {
  const body = {
    source_directories: draft.sources,
    source_connection_id: draft.sourceConnection,
    exclude_patterns: excludePatterns(draft),
    ...(path !== null && { path, connection_id: draft.connection }),
  };
  return useQuery({
    queryKey: ['preflight', body],
    enabled: isAsked && (draft.sources.length > 0 || path !== null),
    staleTime: 60_000,
    queryFn: ({ signal }) => write('POST', '/api/preflight', { body: body as never, signal }),
  });
}

/** There is nothing to back up. */
export const isHopeless = (result: Result | undefined, sources: readonly string[]): boolean =>
  result !== undefined &&
  sources.length > 0 &&
  ((result.complete && result.files === 0) || result.missing.length === sources.length);

const aboutPlace = new Set(['place_too_small', 'place_on_disk_of_sources', 'tool_not_found']);

interface FindingsProps {
  query: { data: Result | undefined; error: unknown; isFetching: boolean };
  /** The sources, or the place. */
  about: 'sources' | 'place';
}

export function Findings({ query: { data, error, isFetching }, about }: FindingsProps) {
  const { sources } = useStore(draftStore);
  if (isFetching) return <p role="status">{about === 'sources' ? t.add.counting : t.add.looking}</p>;
  if (error) return <ErrorNotice error={error} />;
  if (!data) return null;
  const warnings = data.warnings.filter(({ code }) => aboutPlace.has(code) === (about === 'place'));
  return (
    <>
      <div role="status" class={styles.tight}>
        {about === 'sources' && sources.length > 0 && <Figures result={data} />}
        {about === 'place' && data.free_bytes !== null && <p>{t.add.free(bytes(data.free_bytes))}</p>}
        {warnings.map((warning) => (
          <Notice key={warning.code} kind="warning">
            <Sentence {...warning} />
            {warning.code === 'sources_unreadable' && <Unreadable {...data.unreadable} />}
          </Notice>
        ))}
      </div>
      {about === 'sources' && isHopeless(data, sources) && (
        <Notice kind="error" live>
          {t.add.nothingReadable}
        </Notice>
      )}
    </>
  );
}

function Figures({ result: { files, bytes: size, complete } }: { result: Result }) {
  if (files === null) return <p>{t.add.notCounted}</p>;
  const shown = t.common.files(files, number(files));
  const text = size === null ? shown : `${shown}, ${bytes(size)}`;
  return <p>{complete ? text : t.add.atLeast(text)}</p>;
}
