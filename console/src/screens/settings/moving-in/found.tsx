import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { read, type Schemas, write } from '../../../api/api.js';
import { number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Button } from '../../../ui/button.js';
import { Empty, Section, Stack } from '../../../ui/layout.js';
import { failureOf, Notice } from '../../../ui/notice.js';
import { Progress } from '../../../ui/progress.js';
import { QueryView } from '../../../ui/query-view.js';
import { useAction } from '../../../ui/use-action.js';
import { FoundRows } from './found-rows.js';
import { openMany, type Result, register, type Secret } from './model.js';
import { OpenMany, Register } from './open-and-register.js';

type Discovery = Schemas['DiscoveryView'];

export function Found({ id }: { id: number }) {
  const query = useQuery({
    ...read('/api/repositories/discover/{job_id}', { path: { job_id: id }, query: { limit: 1000 } }),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : 1000),
  });
  return (
    <Section title={t.movingIn.found}>
      <QueryView query={query}>{(view) => <View view={view} again={() => query.refetch()} />}</QueryView>
    </Section>
  );
}

const isOver = (view?: Discovery) => view !== undefined && !['pending', 'running'].includes(view.status);

function View({ view, again }: { view: Discovery; again: () => Promise<unknown> }) {
  const [secrets, setSecrets] = useState<ReadonlyMap<string, Secret>>(new Map());
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const action = useAction();
  const { found, total, folders, unreadable } = view;
  const chosen = found.filter(
    ({ path, opened, already_registered }) => opened && !already_registered && !left.has(path),
  );
  const open = (passphrase: string) =>
    action.run(async () => {
      const opened = await openMany(view.job_id, passphrase);
      const known = opened.map((path): [string, Secret] => [path, { passphrase }]);
      setSecrets((before) => new Map([...before, ...known]));
      await again();
    });
  const openOne = async (path: string, secret: Secret) => {
    const body = { passphrases: [{ path, ...secret }] };
    await write('POST', '/api/repositories/discover/{job_id}/open', { path: { job_id: view.job_id }, body });
    setSecrets((known) => new Map([...known, [path, secret]]));
    await again();
  };
  const run = () =>
    action.run(async () => {
      await register(chosen, secrets, (done) => setResults((known) => new Map([...known, ...done])));
      await again();
    });
  const stop = () =>
    action.run(() => write('POST', '/api/jobs/{job_id}/cancel', { path: { job_id: view.job_id } }));
  return (
    <Stack>
      {!isOver(view) && (
        <>
          <Progress
            percent={null}
            label={t.movingIn.looking}
            note={t.movingIn.soFar(total, number(folders))}
          />
          <Button onClick={stop}>{t.common.cancel}</Button>
        </>
      )}
      {view.error_message && <Notice kind="warning">{failureOf(view)}</Notice>}
      {unreadable > 0 && <p class="muted small">{t.movingIn.unreadable(number(unreadable))}</p>}
      {total > found.length && <p class="muted small">{t.movingIn.first(number(found.length))}</p>}
      {isOver(view) && total === 0 && <Empty>{t.movingIn.nothing}</Empty>}
      {found.length > 0 && <OpenMany action={action} onOpen={open} />}
      <FoundRows
        found={found}
        left={left}
        results={results}
        onLeft={(path, isLeft) => {
          const next = new Set(left);
          if (isLeft) next.add(path);
          else next.delete(path);
          setLeft(next);
        }}
        onOpen={openOne}
      />
      {chosen.length > 0 && <Register action={action} count={chosen.length} onRegister={run} />}
    </Stack>
  );
}
