import { useState } from 'preact/hooks';
import { type Schemas, write } from '../api/api.js';
import { bytes, number } from '../i18n/format.js';
import { t } from '../i18n/messages.js';
import { Button } from './button.js';
import { Row } from './layout.js';
import { ErrorNotice, Notice, Sentence } from './notice.js';
import { Unreadable } from './unreadable.js';
import { useAction } from './use-action.js';

type Sources = Pick<
  Schemas['PreflightInput'],
  'source_directories' | 'source_connection_id' | 'exclude_patterns' | 'custom_flags' | 'repository_id'
>;

interface PreflightProps {
  sources: Sources;
  onExclude(patterns: readonly string[]): void;
}

/** Counts what a backup of these sources would read. By a click only: it takes up to twenty seconds. */
export function Preflight({ sources, onExclude }: PreflightProps) {
  const [found, setFound] = useState<{ of: string; result: Schemas['PreflightResult'] } | null>(null);
  const { run, isBusy, error } = useAction(async () => {
    const of = JSON.stringify(sources);
    setFound({ of, result: await write('POST', '/api/preflight', { body: sources }) });
  });
  // Hides a result for other sources.
  const result = found?.of === JSON.stringify(sources) ? found.result : null;
  return (
    <>
      <Row>
        <Button busy={isBusy} disabled={sources.source_directories.length === 0} onClick={() => void run()}>
          {t.configuration.preflight.button}
        </Button>
        {isBusy && <span class="muted">{t.configuration.preflight.counting}</span>}
      </Row>
      {error ? <ErrorNotice error={error} /> : null}
      {result && (
        <Notice kind={result.warnings.length > 0 ? 'warning' : 'good'} live>
          {result.files !== null && (
            <p>
              {t.common.files(result.files, number(result.files))}
              {result.bytes !== null && `, ${bytes(result.bytes)}`}.{' '}
              {!result.complete && t.configuration.preflight.partial}
            </p>
          )}
          <ul>
            {result.warnings.map((warning) => (
              <li key={warning.code}>
                <Sentence {...warning} />
                {warning.code === 'sources_unreadable' && <Unreadable {...result.unreadable} />}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {result && result.presets.length > 0 && (
        <Row>
          {result.presets.map(({ id, patterns, bytes: size }) => (
            <Button key={id} onClick={() => onExclude(patterns)}>
              {t.sources.exclude(t.sources.presets[id], bytes(size))}
            </Button>
          ))}
        </Row>
      )}
    </>
  );
}
