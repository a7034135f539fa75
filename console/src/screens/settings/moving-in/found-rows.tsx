import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ago } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { CheckField, SecretField, TextArea } from '../../../ui/field.js';
import { Form, useAction } from '../../../ui/form.js';
import { List, ListItem } from '../../../ui/list.js';
import { More } from '../../../ui/more.js';
import { Sentence } from '../../../ui/sentence.js';
import type { FoundView, Result, Secret } from './model.js';

interface RowsProps {
  found: readonly FoundView[];
  /** Paths that are not to be registered. */
  left: ReadonlySet<string>;
  results: ReadonlyMap<string, Result>;
  onLeft: (path: string, isLeft: boolean) => void;
  onOpen: (path: string, secret: Secret) => Promise<unknown>;
}

export const FoundRows = ({ found, left, results, onLeft, onOpen }: RowsProps) => (
  <List label={t.movingIn.found}>
    {[...found]
      .sort((one, other) => one.path.localeCompare(other.path))
      .map((row) => {
        const { id, path, opened, open_error: failed, already_registered: known, broken } = row;
        const name = <bdi>{path}</bdi>;
        return (
          <ListItem
            key={id}
            title={
              opened && known === null ? (
                <CheckField
                  label={name}
                  checked={!left.has(path)}
                  onChecked={(isOn) => onLeft(path, !isOn)}
                />
              ) : (
                name
              )
            }
            note={
              <>
                <Note row={row} />
                {failed && !opened && !broken && known === null && (
                  <OpenOne onOpen={(secret) => onOpen(path, secret)} />
                )}
              </>
            }
          >
            <Outcome row={row} result={results.get(path)} />
          </ListItem>
        );
      })}
  </List>
);

function Note({
  row: { broken, opened, open_error: failed, last_modified: at, same_as: copied },
}: {
  row: FoundView;
}) {
  if (broken) return <Sentence {...broken} />;
  const facts = opened
    ? [
        opened.encryption,
        t.common.archives(opened.archive_count, String(opened.archive_count)),
        opened.newest_archive && ago(opened.newest_archive),
        opened.hostnames.join(', '),
      ]
    : [at && t.movingIn.changed(ago(at))];
  return (
    <>
      {facts.filter(Boolean).join(' · ')}
      {copied !== null && <> {t.movingIn.copy}</>}
      {failed && !opened && (
        <div>
          <Sentence {...failed} />
        </div>
      )}
    </>
  );
}

function Outcome({ row, result }: { row: FoundView; result: Result | undefined }) {
  const id = row.already_registered ?? result?.repository_id;
  if (id) return <Link href={`/repositories/${id}`}>{t.movingIn.registered}</Link>;
  if (result?.detail) return <Sentence code={result.code} params={result.params} text={result.detail} />;
  return row.broken ? <span class="muted">{t.movingIn.broken}</span> : null;
}

function OpenOne({ onOpen }: { onOpen: (secret: Secret) => Promise<unknown> }) {
  const [passphrase, setPassphrase] = useState('');
  const [key, setKey] = useState('');
  const action = useAction(() =>
    onOpen({ ...(passphrase && { passphrase }), ...(key.trim() && { keyfile_content: key }) }),
  );
  return (
    <More label={t.movingIn.openAlone}>
      <Form action={action} onSubmit={action.run} submit={t.movingIn.open}>
        <SecretField label={t.add.itsPassphrase} value={passphrase} onValue={setPassphrase} />
        <TextArea label={t.add.keyFile} code value={key} onValue={setKey} />
      </Form>
    </More>
  );
}
