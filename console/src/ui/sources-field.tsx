import { Pencil, X } from 'lucide-preact';
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../i18n/messages.js';
import { Button, IconButton } from './button.js';
import { Group } from './field.js';
import { Row, Stack } from './layout.js';
import { List, ListItem } from './list.js';
import { ErrorNotice, Notice } from './notice.js';
import type { SourceDialogProps } from './source-dialog.js';
import { useSourceKinds } from './source-names.js';
import type { Source } from './sources.rules.js';
import { useAction } from './use-action.js';

interface SourcesFieldProps {
  value: readonly Source[];
  onValue: (value: Source[]) => void;
  error?: string | undefined;
  /** The host of the data; null: this server. */
  connectionId: number | null;
  /** Whose stored passwords a check may use. */
  repositoryId?: number | undefined;
  /** The source directories. */
  folders: readonly string[];
}

/** Databases and whatever else has to be prepared before a backup. */
export function SourcesField({ value, onValue, error, ...where }: SourcesFieldProps) {
  const { kinds, titleOf } = useSourceKinds();
  const [edited, setEdited] = useState<number | null>(null);
  const [Dialog, setDialog] = useState<ComponentType<SourceDialogProps>>();
  const edit = useAction(async (at: number) => {
    const loaded = (await import('./source-dialog.js')).default;
    setDialog(() => loaded);
    setEdited(at);
  });
  if (kinds.length === 0) return null;
  const others = value.filter((_, at) => at !== edited);
  return (
    <Group legend={t.sources.databases.title}>
      <Stack tight>
        {value.length > 0 && (
          <List label={t.sources.databases.title} compact>
            {value.map(({ kind, name, container }, at) => (
              <ListItem
                key={`${kind} ${name}`}
                title={<bdi>{name}</bdi>}
                note={[titleOf(kind), container].filter(Boolean).join(', ')}
                actions={
                  <>
                    <IconButton label={`${t.common.edit}: ${name}`} onClick={() => void edit.run(at)}>
                      <Pencil aria-hidden="true" size={18} />
                    </IconButton>
                    <IconButton
                      label={t.folders.remove(name)}
                      onClick={() => onValue(value.filter((_, other) => other !== at))}
                    >
                      <X aria-hidden="true" size={18} />
                    </IconButton>
                  </>
                }
              />
            ))}
          </List>
        )}
        {error && <Notice kind="error">{error}</Notice>}
        {edit.error ? <ErrorNotice error={edit.error} /> : null}
        <Row>
          <Button busy={edit.isBusy} onClick={() => void edit.run(value.length)}>
            {t.sources.databases.add}
          </Button>
          <span class="muted small">{t.sources.databases.hint}</span>
        </Row>
      </Stack>
      {Dialog && edited !== null && (
        <Dialog
          {...where}
          kinds={kinds}
          source={value[edited] ?? null}
          others={others}
          onClose={() => setEdited(null)}
          onSource={(...sources) => {
            onValue([...value.slice(0, edited), ...sources, ...value.slice(edited + 1)]);
            setEdited(null);
          }}
        />
      )}
    </Group>
  );
}
