import { CircleCheck, CircleDashed } from 'lucide-preact';
import { useLocation } from 'wouter-preact';
import { useRead } from '../../api/api.js';
import { t } from '../../i18n/messages.js';
import { useStore } from '../../store.js';
import { Button } from '../../ui/button.js';
import { Card, Facts } from '../../ui/layout.js';
import { ErrorNotice, Notice } from '../../ui/notice.js';
import { SourceNames } from '../../ui/source-names.js';
import { useAction } from '../../ui/use-action.js';
import styles from './add.module.css';
import { isKept, repositoryPath } from './draft.rules.js';
import { make } from './make.js';
import { Findings, isHopeless, usePreflight } from './preflight.js';
import { Step } from './step.js';
import { heardBy } from './tell.js';
import { planInWords } from './when.js';
import {
  draft as draftStore,
  hasActed,
  progress as progressStore,
  secrets as secretStore,
  startOver,
} from './wizard.js';

/** Says it all once more; then makes it. */
export function Review() {
  const [, navigate] = useLocation();
  const draft = useStore(draftStore);
  const { channelName, databases } = useStore(secretStore);
  const progress = useStore(progressStore);
  const channels = heardBy(useRead('/api/notifications').data ?? []);
  const isBegun = progress.repositoryId !== undefined;
  const action = useAction();
  const isAsked = useStore(hasActed) && !isBegun;
  const sources = usePreflight(draft, { path: null, isAsked });
  const place = usePreflight(draft, { path: repositoryPath(draft), isAsked });
  const isStopped = !isBegun && isHopeless(place.data ?? sources.data, draft.sources);
  const create = () =>
    action.run(async () => {
      const job = await make();
      startOver();
      navigate(`/activity/${job}`);
    });
  return (
    <Step
      step="review"
      title={t.add.reviewTitle}
      isBusy={action.isBusy}
      withBack={!isBegun}
      next={isBegun ? t.add.goOn : t.add.create}
      buttons={isBegun && !action.isBusy && <Button onClick={startOver}>{t.add.startOver}</Button>}
      onNext={async () => {
        if (!isStopped) await create();
        return false;
      }}
    >
      <Card>
        <Facts
          facts={[
            draft.sources.length === 0
              ? null
              : [t.add.folders, <Lines key="sources" lines={draft.sources} />],
            databases.length === 0
              ? null
              : [t.sources.databases.title, <SourceNames key="databases" sources={databases} />],
            [t.add.repository, <Lines key="path" lines={[draft.name, repositoryPath(draft)]} />],
            [t.add.secret, isKept(draft) ? t.add.secretKept : t.common.none],
            [t.add.planned, planInWords(draft)],
            [
              t.add.messages,
              [...new Set([channelName, ...channels])].filter(Boolean).join(', ') || t.add.noChannel,
            ],
          ]}
        />
      </Card>
      {!isBegun && <Findings query={place.data ? place : sources} about="sources" />}
      {!isBegun && <Findings query={place} about="place" />}
      {(action.isBusy || isBegun) && <Made />}
      {isBegun && !action.isBusy && <Notice>{t.add.goOnLead}</Notice>}
      {action.error ? <ErrorNotice error={action.error} /> : null}
    </Step>
  );
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul>
    {lines.map((line) => (
      <li key={line}>
        <bdi>{line}</bdi>
      </li>
    ))}
  </ul>
);

/** The objects created so far. */
function Made() {
  const made = useStore(progressStore);
  const { checks, drills } = useStore(draftStore);
  const { channelUrl } = useStore(secretStore);
  const parts = [
    [t.add.parts.repository, made.repositoryId],
    [t.add.parts.schedule, made.scheduleId],
    checks && [t.add.parts.checks, made.checks],
    drills && [t.common.jobKinds.drill, made.drills],
    (channelUrl || made.hasChannel) && [t.add.parts.channel, made.hasChannel],
    [t.add.parts.backup],
  ].filter(Array.isArray);
  return (
    <ul role="status">
      {parts.map(([name, isDone]) => {
        const Icon = isDone ? CircleCheck : CircleDashed;
        return (
          <li key={name} class={styles.line}>
            <Icon aria-hidden="true" size={18} />
            <span>
              {name}
              {isDone && <span class="visually-hidden">: {t.add.done}</span>}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
