import { ArrowDown, ArrowUp, X } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { outdate, type Schemas, useRead, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { Button, IconButton } from '../../../ui/button.js';
import { CheckField } from '../../../ui/field.js';
import { Empty, Row, Section } from '../../../ui/layout.js';
import { List, ListItem } from '../../../ui/list.js';
import { ErrorNotice } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import { useAction } from '../../../ui/use-action.js';
import { AttachDialog } from './attach-dialog.js';

type Attachment = Schemas['AttachmentView'];
const address = '/api/repositories/{repo_id}/scripts/{attachment_id}';

/** Scripts of the library that run before and after backups into it, in this order. */
export function AttachedScripts({ id }: { id: number }) {
  const query = useRead('/api/repositories/{repo_id}/scripts', { path: { repo_id: id } });
  const [isAttaching, setAttaching] = useState(false);
  const { scripts } = t.configuration;
  return (
    <Section title={scripts.title} card>
      <p class="muted">{scripts.lead}</p>
      <QueryView query={query} lines={1}>
        {({ pre_backup, post_backup }) =>
          pre_backup.length + post_backup.length === 0 ? (
            <Empty>{scripts.none}</Empty>
          ) : (
            <>
              <Scripts id={id} title={scripts.before} attached={pre_backup} />
              <Scripts id={id} title={scripts.after} attached={post_backup} />
            </>
          )
        }
      </QueryView>
      <Row>
        <Button onClick={() => setAttaching(true)}>{scripts.attach}</Button>
      </Row>
      {isAttaching && <AttachDialog id={id} onClose={() => setAttaching(false)} />}
    </Section>
  );
}

function Scripts({ id, title, attached }: { id: number; title: string; attached: readonly Attachment[] }) {
  const { scripts } = t.configuration;
  const { run, isBusy, error } = useAction(async (act: () => Promise<unknown>, said: string) => {
    await act();
    announce(said);
    outdate('/api/repositories', '/api/scripts');
  });
  const at = (attachment: Attachment) => ({ repo_id: id, attachment_id: attachment.id });
  const change = (attachment: Attachment, body: Schemas['AttachmentChanges']) =>
    write('PUT', address, { path: at(attachment), body });
  /** Renumbers all, because earlier numbers may be equal. */
  const move = async (from: number, to: number) => {
    const order = [...attached];
    const [moved] = order.splice(from, 1);
    if (moved) order.splice(to, 0, moved);
    for (const [index, attachment] of order.entries())
      if (attachment.execution_order !== index) await change(attachment, { execution_order: index });
  };
  if (attached.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <List label={title}>
        {attached.map((attachment, index) => {
          const name = attachment.script_name;
          return (
            <ListItem
              key={attachment.id}
              title={<bdi>{name}</bdi>}
              note={attachment.script_description}
              actions={
                <>
                  <CheckField
                    switch
                    label={<span class="visually-hidden">{scripts.runs(name)}</span>}
                    checked={attachment.enabled}
                    disabled={isBusy}
                    onChecked={(enabled) => void run(() => change(attachment, { enabled }), t.common.saved)}
                  />
                  <IconButton
                    label={scripts.up(name)}
                    disabled={index === 0}
                    onClick={() => void run(() => move(index, index - 1), scripts.moved)}
                  >
                    <ArrowUp aria-hidden="true" size={18} />
                  </IconButton>
                  <IconButton
                    label={scripts.down(name)}
                    disabled={index === attached.length - 1}
                    onClick={() => void run(() => move(index, index + 1), scripts.moved)}
                  >
                    <ArrowDown aria-hidden="true" size={18} />
                  </IconButton>
                  <IconButton
                    label={scripts.remove(name)}
                    onClick={() =>
                      void run(() => write('DELETE', address, { path: at(attachment) }), scripts.removed)
                    }
                  >
                    <X aria-hidden="true" size={18} />
                  </IconButton>
                </>
              }
            />
          );
        })}
      </List>
      {error ? <ErrorNotice error={error} /> : null}
    </>
  );
}
