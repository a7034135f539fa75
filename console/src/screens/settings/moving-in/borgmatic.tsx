import { useState } from 'preact/hooks';
import { outdate, type Schemas, write } from '../../../api/api.js';
import { ownZone } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { Button, ButtonLink } from '../../../ui/button.js';
import { CheckField, SecretField, TextArea, TextField } from '../../../ui/field.js';
import { Form, useAction } from '../../../ui/form.js';
import { Section } from '../../../ui/layout.js';
import { More } from '../../../ui/more.js';
import { Notice } from '../../../ui/notice.js';
import { FilesField, type TextFile } from './files-field.js';
import { asksToReplace, ImportedObjects, ReplacesField, sumOf } from './imported-objects.js';
import { OptionLines } from './option-lines.js';
import { MovingInPage } from './page.js';
import { useLook } from './use-look.js';

type Report = Schemas['BorgmaticImported'];
type Need = Report['needs'][number];

const keyOf = ({ kind, name }: Need) => `${kind} ${name}`;
const isLong = ({ kind }: Need) => kind === 'include' || kind === 'file' || kind === 'paths';

interface Choices {
  chosen: TextFile[];
  pasted: string;
  takeOver: boolean;
  cron: string;
  /** Losses that the user accepts. */
  without: string[];
  replaces: boolean | null;
  /** By the keys of the needs. */
  texts: Record<string, string>;
}

const none: Choices = {
  chosen: [],
  pasted: '',
  takeOver: false,
  cron: '',
  without: [],
  replaces: null,
  texts: {},
};

interface PartProps {
  choices: Choices;
  onChoices: (change: Partial<Choices>) => void;
}

/** Files of borgmatic: look, answer what is missing, import. */
export default function Borgmatic() {
  const action = useAction();
  const [choices, setChoices] = useState(none);
  const [needs, setNeeds] = useState<Need[]>([]);
  const [losses, setLosses] = useState<string[]>([]);
  const look = useLook<Report>();
  const report = look.told;
  const onChoices = (change: Partial<Choices>) => {
    setChoices((now) => ({ ...now, ...change }));
    look.change();
  };
  const { pasted, replaces } = choices;
  const files = [...choices.chosen, ...(pasted.trim() ? [{ name: 'config.yaml', content: pasted }] : [])];
  const send = (dry_run: boolean) =>
    action.run(async () => {
      const body = { ...bodyOf(choices, needs), files, dry_run };
      const told = await look.ask(() => write('POST', '/api/import/borgmatic', { body }));
      setLosses([...new Set(told.lines.flatMap(({ accept_as }) => accept_as ?? []))]);
      if (asksToReplace(told)) setChoices((now) => ({ ...now, replaces: false }));
      // Keeps earlier answers, because an include may refer to further files.
      const known = new Set(needs.map(keyOf));
      setNeeds([...needs, ...told.needs.filter((need) => !known.has(keyOf(need)))]);
      announce(sumOf(told));
      if (!dry_run) outdate('/api/repositories', '/api/schedule', '/api/source-sets', '/api/notifications');
    });
  const isReady = report?.dry_run === true && report.needs.length === 0;
  return (
    <MovingInPage>
      <Section title={t.frame.page.borgmatic} card>
        <Form
          action={action}
          onSubmit={() => send(!isReady)}
          submit={isReady ? t.exchange.import : t.browse.preview}
          disabled={files.length === 0}
          buttons={isReady && <Button onClick={() => send(true)}>{t.browse.preview}</Button>}
        >
          <p class="muted">{t.exchange.borgmaticLead}</p>
          <FilesField
            label={t.exchange.files}
            accept=".yaml,.yml"
            multiple
            onFiles={(chosen) => onChoices({ chosen })}
          />
          <More label={t.exchange.paste}>
            <TextArea
              label={t.exchange.paste}
              code
              dir="ltr"
              value={pasted}
              onValue={(text) => onChoices({ pasted: text })}
            />
          </More>
          <TakeOverFields losses={losses} choices={choices} onChoices={onChoices} />
          <ReplacesField value={replaces} onValue={(value) => onChoices({ replaces: value })} />
          <NeedFields needs={needs} choices={choices} onChoices={onChoices} />
        </Form>
        {report && <Told report={report} />}
      </Section>
    </MovingInPage>
  );
}

const bodyOf = ({ takeOver, cron, without, replaces, texts }: Choices, needs: readonly Need[]) => ({
  answers: needs.flatMap((need) => {
    const text = texts[keyOf(need)];
    return text ? [{ kind: need.kind, name: need.name, text }] : [];
  }),
  take_over: takeOver,
  without,
  replace_sources: replaces === true,
  timezone: ownZone,
  create_missing: false,
  ...(takeOver && cron.trim() && { cron_expression: cron }),
});

function TakeOverFields({ losses, choices, onChoices }: PartProps & { losses: readonly string[] }) {
  const { takeOver, cron, without } = choices;
  return (
    <>
      <CheckField
        label={t.exchange.takeOver}
        hint={t.exchange.takeOverHint}
        checked={takeOver}
        onChecked={(checked) => onChoices({ takeOver: checked })}
      />
      {takeOver && (
        <TextField
          label={t.exchange.cron}
          hint={t.exchange.cronHint}
          placeholder="0 2 * * *"
          dir="ltr"
          value={cron}
          onValue={(text) => onChoices({ cron: text })}
        />
      )}
      {takeOver &&
        losses.map((name) => (
          <CheckField
            key={name}
            label={t.exchange.without(t.exchange.losses[name] ?? name)}
            checked={without.includes(name)}
            onChecked={(checked) =>
              onChoices({ without: checked ? [...without, name] : without.filter((other) => other !== name) })
            }
          />
        ))}
    </>
  );
}

/** Files and values that only the user can provide. */
const NeedFields = ({ needs, choices: { texts }, onChoices }: PartProps & { needs: readonly Need[] }) => (
  <>
    {needs.length > 0 && <p>{t.exchange.needsLead}</p>}
    {needs.map((need) => {
      const NeedField = isLong(need) ? TextArea : SecretField;
      return (
        <NeedField
          key={keyOf(need)}
          label={`${t.exchange.kinds[need.kind]} ${need.name}`}
          value={texts[keyOf(need)] ?? ''}
          onValue={(text: string) => onChoices({ texts: { ...texts, [keyOf(need)]: text } })}
        />
      );
    })}
  </>
);

function Told({ report }: { report: Report }) {
  const { counts, needs, dry_run, objects, lines } = report;
  const isIncomplete = counts.cannot + counts.options_left_out + needs.length > 0;
  return (
    <>
      <Notice
        kind={isIncomplete ? 'warning' : dry_run ? 'info' : 'good'}
        action={!dry_run && <ButtonLink href="/repositories">{t.frame.place.repositories}</ButtonLink>}
      >
        {needs.length > 0 ? t.exchange.needs : sumOf(report)}
      </Notice>
      <ImportedObjects objects={objects} />
      <OptionLines lines={lines} />
    </>
  );
}
