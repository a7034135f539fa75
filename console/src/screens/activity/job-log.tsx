import { useEffect, useRef, useState } from 'preact/hooks';
import { api, downloadAddress, read, type Schemas } from '../../api/api.js';
import { number, ownZone } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { CheckField } from '../../ui/field.js';
import { Row, Section } from '../../ui/layout.js';
import { ErrorNotice } from '../../ui/notice.js';
import styles from './activity.module.css';
import { inLocalTime, type Line, pagesAfter } from './log.rules.js';

const pageLines = 500;
/** More are not drawn: the whole log is a download. */
const mostLines = 5_000;

export function JobLog({ job }: { job: Schemas['JobView'] }) {
  const { lines, total, error, loadEarlier } = useLog(job);
  const [follows, setFollows] = useState(true);
  const [onlyWarnings, setOnlyWarnings] = useState(false);
  const box = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (follows && job.status === 'running' && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines, follows, job.status]);
  const shown = onlyWarnings ? lines.filter(({ content }) => /warning|error|failed/i.test(content)) : lines;
  const text = shown.map(({ content }) => inLocalTime(content)).join('\n');
  return (
    <Section
      title={t.activity.log}
      actions={
        total > 0 && (
          <>
            <CopyButton text={text} label={t.activity.log} />
            <Button onClick={() => void download(job.id)}>{t.activity.download}</Button>
          </>
        )
      }
    >
      {error ? <ErrorNotice error={error} /> : null}
      {total === 0 ? (
        <p class="muted">{t.activity.noLog}</p>
      ) : (
        <>
          <Row>
            {job.status === 'running' && (
              <CheckField label={t.activity.follow} checked={follows} onChecked={setFollows} />
            )}
            <CheckField label={t.activity.onlyWarnings} checked={onlyWarnings} onChecked={setOnlyWarnings} />
            <span class="muted small">
              {t.activity.logLines(total, number(total))} · {t.activity.logZone(ownZone)}
            </span>
          </Row>
          {lines[0] && lines[0].line_number > 1 && lines.length < mostLines && (
            <Button onClick={loadEarlier}>{t.activity.loadLog}</Button>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys. */}
          <pre ref={box} class={styles.log} tabIndex={0} role="group" aria-label={t.activity.log} lang="en">
            {text}
          </pre>
        </>
      )}
    </Section>
  );
}

async function download(jobId: number): Promise<void> {
  location.assign(await downloadAddress(api, '/api/jobs/{job_id}/log/download', { path: { job_id: jobId } }));
}

/** The last lines first; while it runs, new ones each second while the page is visible. */
function useLog({ id, status, has_logs }: Schemas['JobView']) {
  const [lines, setLines] = useState<Line[]>([]);
  const [total, setTotal] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const last = useRef<number | null>(null);
  const get = (offset: number, limit = pageLines) =>
    read('/api/jobs/{job_id}/log', { path: { job_id: id }, query: { offset, limit } }).queryFn({});
  useEffect(() => {
    if (!has_logs && status !== 'running') return;
    let isOver = false;
    let isReading = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      if (document.visibilityState !== 'visible' || isReading) return;
      isReading = true;
      clearTimeout(timer);
      try {
        last.current ??= Math.max(0, (await get(0, 1)).total_lines - pageLines);
        for await (const page of pagesAfter(last.current, get)) {
          if (isOver) return;
          last.current = page.lines.at(-1)?.line_number ?? last.current;
          setLines((known) => [...known, ...page.lines].slice(-mostLines));
          setTotal(page.total_lines);
        }
        setError(null);
      } catch (reason) {
        if (!isOver) setError(reason);
      }
      isReading = false;
      if (!isOver && status === 'running') timer = setTimeout(look, 1_000);
    };
    void look();
    // A hidden page reads nothing; new lines and the end are read when it is visible again.
    document.addEventListener('visibilitychange', look);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [id, status, has_logs]);
  const loadEarlier = async () => {
    const first = lines[0]?.line_number ?? 1;
    const from = Math.max(0, first - 1 - pageLines);
    const page = await get(from, first - 1 - from);
    setLines((known) => [...page.lines, ...known]);
  };
  return { lines, total, error, loadEarlier: () => void loadEarlier().catch(setError) };
}
