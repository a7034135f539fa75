import { useQuery } from '@tanstack/preact-query';
import { useId, useState } from 'preact/hooks';
import { type Schemas, write } from '../api/api.js';
import { t } from '../i18n/messages.js';
import { wordFor } from '../i18n/sentences.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { SecretField, SelectField, TextArea, TextField } from './field.js';
import { Form, useAction } from './form.js';
import { Stack } from './layout.js';
import { ErrorNotice, Notice } from './notice.js';
import { type SourceKind, SourceNames } from './source-names.js';
import { containersIn, hasStoredSecret, isTaken, type Source } from './sources.rules.js';

type Finding = Schemas['SourcesCheckAnswer']['findings'][number];

export interface SourceDialogProps {
  kinds: readonly SourceKind[];
  /** Null: a new one. */
  source: Source | null;
  others: readonly Source[];
  connectionId: number | null;
  repositoryId?: number | undefined;
  folders: readonly string[];
  onClose: () => void;
  /** With what belongs to it, such as the database of an application. */
  onSource: (...sources: Source[]) => void;
}

/** One database or container: found on its host, or typed. */
export default function SourceDialog(props: SourceDialogProps) {
  const { kinds, source, others, connectionId, repositoryId = null, folders, onClose, onSource } = props;
  const first: Source = { kind: kinds[0]?.id ?? '', name: '', container: null, settings: {} };
  const [draft, setDraft] = useState(source ?? first);
  const [along, setAlong] = useState<readonly Source[]>([]);
  const [findings, setFindings] = useState<Finding[] | null>(null);
  const found = useFound(connectionId);
  const action = useAction();
  const change = (part: Partial<Source>) => {
    setFindings(null);
    setDraft({ ...draft, ...part });
  };
  const check = () =>
    action.run(async () => {
      setFindings(null);
      const where = { connection_id: connectionId, repository_id: repositoryId };
      const body = { source: draft, ...where, source_directories: [...folders] };
      setFindings((await write('POST', '/api/sources/check', { body })).findings);
    });
  return (
    <Dialog title={source ? source.name : t.sources.databases.add} onClose={onClose}>
      <Form
        action={action}
        submit={t.sources.databases.take}
        disabled={isTaken(draft, others)}
        onSubmit={() => onSource(...along, { ...draft, name: draft.name.trim() })}
        onCancel={onClose}
        buttons={
          <Button
            busy={action.isBusy}
            onClick={({ currentTarget }) => currentTarget.form?.reportValidity() && void check()}
          >
            {t.sources.databases.check}
          </Button>
        }
      >
        {source === null && (
          <Found
            query={found}
            kinds={kinds}
            along={along}
            onSource={(one, also) => {
              change(one);
              setAlong(also.filter((each) => !isTaken(each, others)));
            }}
          />
        )}
        <Fields
          {...{ kinds, draft, others }}
          isNew={source === null}
          containers={containersIn(found.data ?? [])}
          onDraft={change}
        />
        {findings && <Findings findings={findings} />}
      </Form>
    </Dialog>
  );
}

/** What is on the host. */
const useFound = (connectionId: number | null) =>
  useQuery({
    queryKey: ['sources', connectionId],
    staleTime: 60_000,
    retry: false,
    queryFn: async ({ signal }) => {
      const body = { connection_id: connectionId };
      return (await write('POST', '/api/sources/find', { body, signal })).candidates;
    },
  });

interface FoundProps {
  query: ReturnType<typeof useFound>;
  kinds: readonly SourceKind[];
  along: readonly Source[];
  onSource: (one: Source, along: readonly Source[]) => void;
}

function Found({ query: { data, error }, kinds, along, onSource }: FoundProps) {
  const [chosen, setChosen] = useState('');
  if (error) return <ErrorNotice error={error} />;
  if (!data) return <p role="status">{t.sources.databases.looking}</p>;
  if (data.length === 0) return <p class="muted">{t.sources.databases.nothing}</p>;
  const titleOf = (id: string) => t.channels.labelOf(kinds.find((kind) => kind.id === id)?.title ?? id);
  return (
    <>
      <SelectField
        label={t.sources.databases.found}
        value={chosen}
        onValue={(at) => {
          setChosen(at);
          const one = data[Number(at)];
          if (!one || at === '') return;
          const { detail: _, with: belonging, ...own } = one;
          onSource(own, belonging);
        }}
        options={[
          ['', t.sources.databases.choose],
          ...data.map(
            ({ kind, name, detail }, at) =>
              [`${at}`, [name, titleOf(kind), detail].filter(Boolean).join(' · ')] as const,
          ),
        ]}
      />
      {chosen !== '' && (
        <div>
          <p class="small" lang="en">
            {data[Number(chosen)]?.detail}
          </p>
          {along.length > 0 && (
            <>
              <p>{t.sources.databases.along}</p>
              <SourceNames sources={along} />
            </>
          )}
        </div>
      )}
    </>
  );
}

interface FieldsProps {
  kinds: readonly SourceKind[];
  draft: Source;
  others: readonly Source[];
  isNew: boolean;
  containers: readonly string[];
  onDraft: (part: Partial<Source>) => void;
}

function Fields({ kinds, draft, others, isNew, containers, onDraft }: FieldsProps) {
  const { kind: id, name, settings, container } = draft;
  const containersId = useId();
  const kind = kinds.find((one) => one.id === id);
  const isKept = !isNew && hasStoredSecret(draft);
  return (
    <>
      {isNew && (
        <SelectField
          label={t.activity.kind}
          value={id}
          onValue={(next) => onDraft({ kind: next, settings: {} })}
          options={kinds.map((one) => [one.id, t.channels.labelOf(one.title)] as const)}
        />
      )}
      <TextField
        label={t.common.name}
        hint={isKept ? t.sources.databases.nameStays : t.sources.databases.nameHint}
        error={isTaken(draft, others) ? t.sources.databases.taken : undefined}
        required
        maxLength={100}
        readOnly={isKept}
        exact
        value={name}
        onValue={(next) => onDraft({ name: next })}
      />
      {!['container', 'snapshot'].includes(id) && (
        <>
          <TextField
            label={t.sources.databases.container}
            hint={t.sources.databases.containerHint}
            exact
            list={containersId}
            value={container ?? ''}
            onValue={(next) => onDraft({ container: next.trim() || null })}
          />
          <datalist id={containersId}>
            {containers.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </>
      )}
      {kind?.fields.map((field) => (
        <KindField
          key={`${id} ${field.name}`}
          kind={id}
          field={field}
          value={settings[field.name] ?? ''}
          onValue={(value) => onDraft({ settings: { ...settings, [field.name]: value } })}
        />
      ))}
    </>
  );
}

interface KindFieldProps {
  kind: string;
  field: SourceKind['fields'][number];
  value: string;
  onValue: (value: string) => void;
}

function KindField({ kind: of, field, value, onValue }: KindFieldProps) {
  const { name, kind, required, help, example, choices } = field;
  const label = t.channels.labelOf(field.label);
  const hint = wordFor('hint', `${of} ${name}`) ?? wordFor('hint', `source ${name}`) ?? (
    <span lang="en">{help}</span>
  );
  if (kind === 'boolean' || kind === 'choice') {
    const yesNo = [
      ['yes', t.common.yes],
      ['no', t.common.no],
    ] as const;
    const options = choices?.map((one) => [one.value, t.channels.labelOf(one.label)] as const) ?? yesNo;
    const usual = ['', t.channels.usual] as const;
    return (
      <SelectField
        {...{ label, hint, value, onValue }}
        options={required && value ? options : [usual, ...options]}
      />
    );
  }
  const rest = { label, hint, required, value, onValue, placeholder: example };
  if (kind === 'lines') return <TextArea {...rest} code rows={3} />;
  if (kind === 'secret')
    return <SecretField {...rest} placeholder="" onFocus={({ currentTarget }) => currentTarget.select()} />;
  return <TextField {...rest} inputMode={kind === 'number' ? 'numeric' : undefined} exact />;
}

const looks = { ok: 'good', warning: 'warning', failed: 'error' } as const;

function Findings({ findings }: { findings: readonly Finding[] }) {
  const { results } = t.sources.databases;
  const shown: readonly Finding[] = findings.length > 0 ? findings : [{ status: 'ok', text: '' }];
  return (
    <Stack tight>
      {shown.map(({ status, text, advice }) => (
        <Notice key={text} kind={looks[status]} title={results[status]} live>
          <span lang="en">{[text, advice].filter(Boolean).join(' ')}</span>
        </Notice>
      ))}
    </Stack>
  );
}
