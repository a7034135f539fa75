import { useState } from 'preact/hooks';
import { useRead, write } from '../../api/api.js';
import { t } from '../../i18n/messages.js';
import { Dialog } from '../../ui/dialog.js';
import { CheckField, TextField } from '../../ui/field.js';
import { Form, useAction } from '../../ui/form.js';
import { hostName, useHosts } from '../../ui/host-field.js';
import { Facts } from '../../ui/layout.js';
import { useSourceKinds } from '../../ui/source-names.js';
import { useStart } from '../repositories/use-start.js';
import { type Dump, isGlobals, namesFor, placesOf } from './dump.rules.js';

export interface RestoreDumpProps {
  repositoryId: number;
  archive: string;
  path: string;
  dump: Dump;
  onClose: () => void;
}

/** Into a new database, or over one whose name is typed again. */
export default function RestoreDump({ repositoryId, archive, path, dump, onClose }: RestoreDumpProps) {
  const { old, fresh } = namesFor(dump);
  const [into, setInto] = useState(isGlobals(dump) ? dump.name : fresh);
  const [typed, setTyped] = useState<string | null>(null);
  const start = useStart();
  const action = useAction(() => {
    const replace = typed === null ? {} : { replace: typed.trim() };
    const body = { repository_id: repositoryId, archive, path, into: into.trim(), ...replace };
    return start(write('POST', '/api/restore/dump', { body }), t.browse.dump.started);
  });
  const turn = (isReplacing: boolean) => {
    setTyped(isReplacing ? '' : null);
    if (into === (isReplacing ? fresh : old)) setInto(isReplacing ? old : fresh);
  };
  return (
    <Dialog title={t.browse.dump.title} onClose={onClose}>
      <Form
        action={action}
        submit={typed === null ? t.browse.dump.start : t.browse.dump.startReplacing}
        danger={typed !== null}
        disabled={typed !== null && typed.trim() !== into.trim()}
        onSubmit={() => action.run()}
        onCancel={onClose}
      >
        <Facts
          facts={[
            [t.activity.dump, <bdi key="dump">{dump.name}</bdi>],
            [t.browse.dump.server, <Server key="server" repositoryId={repositoryId} dump={dump} />],
          ]}
        />
        {isGlobals(dump) ? (
          <p>{t.browse.dump.globals}</p>
        ) : (
          <>
            <TextField
              label={old.startsWith('/') ? t.browse.dump.file : t.browse.dump.name}
              required
              maxLength={1024}
              exact
              value={into}
              onValue={setInto}
            />
            <CheckField
              label={t.browse.dump.replace}
              hint={t.browse.dump.replaceHint}
              checked={typed !== null}
              onChecked={turn}
            />
            {typed !== null && (
              <TextField label={t.common.typeToConfirm(into.trim())} exact value={typed} onValue={setTyped} />
            )}
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** As the source is configured now. */
function Server({ repositoryId, dump }: Pick<RestoreDumpProps, 'repositoryId' | 'dump'>) {
  const repository = useRead('/api/repositories/{repo_id}', { path: { repo_id: repositoryId } }).data
    ?.repository;
  const hosts = useHosts();
  const { titleOf } = useSourceKinds();
  if (!repository) return null;
  const source = repository.sources.find(({ kind, name }) => kind === dump.kind && name === dump.source);
  const host = hosts.find(({ id }) => id === repository.source_ssh_connection_id);
  const machine = host ? hostName(host) : t.activity.thisMachine;
  return <bdi>{[titleOf(dump.kind), ...(source ? placesOf(source) : []), machine].join(', ')}</bdi>;
}
