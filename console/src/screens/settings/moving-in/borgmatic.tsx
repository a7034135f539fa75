import { useState } from 'preact/hooks';
import { api } from '../../../api/api.js';
import { answer, type Schemas } from '../../../api/client.js';
import { outdate } from '../../../api/query-client.js';
import { ownZone } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { Button, ButtonLink } from '../../../ui/button.js';
import { CheckField, SecretField, TextArea, TextField } from '../../../ui/field.js';
import { Form } from '../../../ui/form.js';
import { Section } from '../../../ui/layout.js';
import { More } from '../../../ui/more.js';
import { Notice } from '../../../ui/notice.js';
import { useAction } from '../../../ui/use-action.js';
import { FilesField, type TextFile } from './files-field.js';
import { asksToReplace, ImportedObjects, sumOf } from './imported-objects.js';
import { OptionLines } from './option-lines.js';
import { MovingInPage } from './page.js';
import { useLook } from './use-look.js';

type Report = Schemas['BorgmaticImported'];
type Need = Report['needs'][number];

const keyOf = ({ kind, name }: Need) => `${kind} ${name}`;
const isLong = ({ kind }: Need) => kind === 'include' || kind === 'file' || kind === 'paths';

/** Files of borgmatic: look, answer what is missing, import. */
export default function Borgmatic() {
  const action = useAction();
  const [chosen, setChosen] = useState<TextFile[]>([]);
  const [pasted, setPasted] = useState('');
  const [takeOver, setTakeOver] = useState(false);
  const [cron, setCron] = useState('');
  const [needs, setNeeds] = useState<Need[]>([]);
  const [texts, setTexts] = useState<Record<string, string>>({});
  const [losses, setLosses] = useState<string[]>([]);
  const [without, setWithout] = useState<string[]>([]);
  const [replaces, setReplaces] = useState<boolean | null>(null);
  const look = useLook<Report>();
  const report = look.told;

  const files = [...chosen, ...(pasted.trim() ? [{ name: 'config.yaml', content: pasted }] : [])];
  const answers = needs.flatMap((need) => {
    const text = texts[keyOf(need)];
    return text ? [{ kind: need.kind, name: need.name, text }] : [];
  });
  const send = (dry_run: boolean) =>
    action.run(async () => {
      const body = {
        files,
        answers,
        take_over: takeOver,
        dry_run,
        without,
        replace_sources: replaces === true,
        timezone: ownZone,
        create_missing: false,
        ...(takeOver && cron.trim() && { cron_expression: cron }),
      };
      const told = await look.ask(() => answer(api.POST('/api/import/borgmatic', { body })));
      setLosses([...new Set(told.lines.flatMap(({ accept_as }) => accept_as ?? []))]);
      if (asksToReplace(told)) setReplaces(false);
      // What was answered stays: an include may refer to more.
      const known = new Set(needs.map(keyOf));
      setNeeds([...needs, ...told.needs.filter((need) => !known.has(keyOf(need)))]);
      announce(sumOf(told));
      if (!dry_run) outdate('/api/repositories', '/api/schedule', '/api/source-sets', '/api/notifications');
    });
  const change = (work: () => void) => {
    work();
    look.change();
  };
  const isReady = report?.dry_run === true && report.needs.length === 0;
  return (
    <MovingInPage>
      <Section title={t.exchange.borgmatic} card>
        <Form
          action={action}
          onSubmit={() => send(!isReady)}
          submit={isReady ? t.exchange.import : t.exchange.look}
          disabled={files.length === 0}
          buttons={isReady && <Button onClick={() => send(true)}>{t.exchange.look}</Button>}
        >
          <p class="muted">{t.exchange.borgmaticLead}</p>
          <FilesField
            label={t.exchange.files}
            accept=".yaml,.yml"
            multiple
            onFiles={(found) => change(() => setChosen(found))}
          />
          <More label={t.exchange.paste}>
            <TextArea
              label={t.exchange.paste}
              code
              dir="ltr"
              spellcheck={false}
              value={pasted}
              onValue={(text) => change(() => setPasted(text))}
            />
          </More>
          <CheckField
            label={t.exchange.takeOver}
            hint={t.exchange.takeOverHint}
            checked={takeOver}
            onChecked={(checked) => change(() => setTakeOver(checked))}
          />
          {takeOver && (
            <TextField
              label={t.exchange.cron}
              hint={t.exchange.cronHint}
              placeholder="0 2 * * *"
              dir="ltr"
              value={cron}
              onValue={(text) => change(() => setCron(text))}
            />
          )}
          {takeOver &&
            losses.map((name) => (
              <CheckField
                key={name}
                label={t.exchange.without(t.exchange.losses[name] ?? name)}
                checked={without.includes(name)}
                onChecked={(checked) =>
                  change(() =>
                    setWithout(checked ? [...without, name] : without.filter((other) => other !== name)),
                  )
                }
              />
            ))}
          {replaces !== null && (
            <CheckField
              label={t.exchange.replaceSources}
              checked={replaces}
              onChecked={(checked) => change(() => setReplaces(checked))}
            />
          )}
          {needs.length > 0 && <p>{t.exchange.needsLead}</p>}
          {needs.map((need) => {
            const NeedField = isLong(need) ? TextArea : SecretField;
            return (
              <NeedField
                key={keyOf(need)}
                label={`${t.exchange.kinds[need.kind]} ${need.name}`}
                value={texts[keyOf(need)] ?? ''}
                onValue={(text: string) => change(() => setTexts({ ...texts, [keyOf(need)]: text }))}
              />
            );
          })}
        </Form>
        {report && (
          <>
            <Notice
              kind={
                report.counts.cannot + report.counts.options_left_out + report.needs.length > 0
                  ? 'warning'
                  : report.dry_run
                    ? 'info'
                    : 'good'
              }
              action={
                !report.dry_run && <ButtonLink href="/repositories">{t.frame.place.repositories}</ButtonLink>
              }
            >
              {report.needs.length > 0 ? t.exchange.needs : sumOf(report)}
            </Notice>
            <ImportedObjects objects={report.objects} />
            <OptionLines lines={report.lines} />
          </>
        )}
      </Section>
    </MovingInPage>
  );
}
