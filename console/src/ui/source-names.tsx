import { useQuery } from '@tanstack/preact-query';
import { read, type Schemas } from '../api/api.js';
import { useIsLimited } from '../hub/may.js';
import { t } from '../i18n/messages.js';

export type SourceKind = Schemas['SourcesKindsAnswer']['kinds'][number];

/** The kinds of sources, and the title of one. */
export function useSourceKinds() {
  const kinds = useQuery({ ...read('/api/sources/kinds'), enabled: !useIsLimited() }).data?.kinds ?? [];
  const titleOf = (id: string) => t.channels.labelOf(kinds.find((kind) => kind.id === id)?.title ?? id);
  return { kinds, titleOf };
}

interface NamesProps {
  sources: readonly { kind: string; name: string; container?: string | null }[];
}

/** Databases and containers, each with its kind. */
export function SourceNames({ sources }: NamesProps) {
  const { titleOf } = useSourceKinds();
  return (
    <ul>
      {sources.map(({ kind, name, container }) => (
        <li key={`${kind} ${name}`}>
          <bdi>{name}</bdi>{' '}
          <span class="muted small">{[titleOf(kind), container].filter(Boolean).join(', ')}</span>
        </li>
      ))}
    </ul>
  );
}
