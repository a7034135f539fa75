import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { HoldfastError, read, type Schemas } from '../../api/api.js';
import { useAllowedFolders } from '../../hub/may.js';
import { t } from '../../i18n/messages.js';
import { ButtonLink } from '../../ui/button.js';
import { RadioGroup, SelectField } from '../../ui/field.js';
import { Form } from '../../ui/form.js';
import { hostOption, useHosts } from '../../ui/host-field.js';
import { Stack } from '../../ui/layout.js';
import { Notice } from '../../ui/notice.js';
import { QueryView } from '../../ui/query-view.js';
import { commonFolder } from '../browse/paths.rules.js';
import type { Choice } from './choice.rules.js';
import { DestinationField } from './destination-field.js';
import { DownloadForm } from './download-target.js';
import { exampleOf, newFolder, type Order, usualParent } from './restore.rules.js';

type Kind = Order['kind'] | 'download';

interface TargetProps {
  choice: Choice;
  repository: Schemas['RepositoryView'];
  /** Of the attempt before. */
  order: Order | null;
  error: unknown;
  onOrder: (order: Order) => void;
}

/** The destination: a new folder by default; the original location is last, with its consequences. */
export function Target(props: TargetProps) {
  const { order } = props;
  // Always refetched: the form begins with the response, and a cached one may lack the last restore.
  const jobs = useQuery({ ...read('/api/restore/jobs', { query: { limit: 20 } }), gcTime: 0 });
  const parent = useAllowedFolders()?.[0] ?? usualParent(jobs.data?.jobs ?? []);
  return (
    <QueryView query={jobs}>
      {() => <TargetForm {...props} parent={parent} key={order ? 'again' : 'new'} />}
    </QueryView>
  );
}

function TargetForm({ choice, repository, order, error, onOrder, parent }: TargetProps & { parent: string }) {
  const hosts = useHosts();
  const [kind, setKind] = useState<Kind>(order?.kind ?? 'folder');
  const [folder, setFolder] = useState(
    order && order.kind !== 'back' ? order.destination : newFolder(parent, repository.name, new Date()),
  );
  const [connectionId, setConnectionId] = useState(order?.connectionId ?? null);
  const [layout, setLayout] = useState(order?.layout ?? 'selection');
  const host = hosts.find(({ id }) => id === connectionId) ?? hosts[0];
  const sourceHost = repository.source_ssh_connection_id;
  const isAll = choice.paths.includes('');
  const fieldError = error instanceof HoldfastError ? error.errors[0]?.message : undefined;
  const submit = () =>
    onOrder({
      kind: kind as Order['kind'],
      destination: kind === 'back' ? '/' : folder.trim(),
      connectionId: kind === 'host' ? (host?.id ?? null) : kind === 'back' ? sourceHost : null,
      layout: isAll ? 'whole_path' : layout,
      existing: 'stop',
      owners: 'numbers',
      acceptLowSpace: false,
    });
  return (
    <Stack>
      <KindField value={kind} onValue={setKind} hasHosts={hosts.length > 0} isHere={sourceHost === null} />
      {kind === 'download' ? (
        <DownloadForm choice={choice} />
      ) : (
        <Form
          action={{ isBusy: false, error }}
          onSubmit={submit}
          submit={t.restore.showPlan}
          buttons={
            <ButtonLink href="/restore" look="quiet">
              {t.restore.chooseOther}
            </ButtonLink>
          }
        >
          {kind === 'host' && (
            <SelectField
              label={t.home.host}
              value={String(host?.id)}
              onValue={(id) => setConnectionId(Number(id))}
              options={hosts.map(hostOption)}
            />
          )}
          {kind !== 'back' && (
            <DestinationField
              value={folder}
              onValue={setFolder}
              connectionId={kind === 'host' ? (host?.id ?? null) : null}
              error={fieldError}
            />
          )}
          {kind !== 'back' && !isAll && (
            <Layout choice={choice} destination={folder} value={layout} onValue={setLayout} />
          )}
          {kind === 'back' && <Notice kind="warning">{t.restore.originMeans}</Notice>}
        </Form>
      )}
    </Stack>
  );
}

interface KindProps {
  value: Kind;
  onValue: (kind: Kind) => void;
  hasHosts: boolean;
  /** It was backed up from this machine. */
  isHere: boolean;
}

/** Limited users restore into their folders on this machine only. */
function KindField({ value, onValue, hasHosts, isHere }: KindProps) {
  const isAnywhere = useAllowedFolders() === null;
  const options = [
    { value: 'download', label: t.restore.toDownload, hint: t.restore.toDownloadHint },
    { value: 'folder', label: t.restore.toFolder, hint: t.restore.toFolderHint },
    {
      value: 'host',
      label: t.restore.toHost,
      hint: hasHosts ? t.restore.toHostHint : t.restore.noHosts,
      disabled: !hasHosts,
    },
    {
      value: 'back',
      label: t.restore.toOrigin,
      hint: isHere ? t.restore.toOriginHint : t.restore.toOriginOnHostHint,
    },
  ] as const;
  return (
    <RadioGroup
      legend={t.restore.where}
      value={value}
      onValue={onValue}
      options={isAnywhere ? options : options.slice(0, 2)}
    />
  );
}

interface LayoutProps {
  choice: Choice;
  destination: string;
  value: Order['layout'];
  onValue: (value: Order['layout']) => void;
}

function Layout({ choice: { paths }, destination, value, onValue }: LayoutProps) {
  const common = commonFolder(paths);
  if (common === '') return null;
  const example = (layout: Order['layout']) => (
    <bdi>{exampleOf({ destination, layout }, paths[0] ?? '', common)}</bdi>
  );
  return (
    <RadioGroup
      legend={t.restore.layout}
      value={value}
      onValue={onValue}
      options={[
        { value: 'selection', label: t.restore.layouts.selection, hint: example('selection') },
        { value: 'whole_path', label: t.restore.layouts.whole_path, hint: example('whole_path') },
      ]}
    />
  );
}
