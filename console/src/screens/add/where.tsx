import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useRead } from '../../api/api.js';
import { t } from '../../i18n/messages.js';
import { useStore } from '../../store.js';
import { Button } from '../../ui/button.js';
import { TextField } from '../../ui/field.js';
import { Row } from '../../ui/layout.js';
import { useSettled } from '../../ui/use-settled.js';
import styles from './add.module.css';
import { folderName, isInSources, nameFor, repositoryPath } from './draft.rules.js';
import { PlaceField } from './place-field.js';
import { Findings, usePreflight } from './preflight.js';
import { Step } from './step.js';
import { Tiles } from './tiles.js';
import { parentOf } from './tiles.rules.js';
import { changeDraft, draft as draftStore, hasActed, noteAct } from './wizard.js';

/** On which machine and in which folder the repository is made. */
export function Where() {
  const draft = useStore(draftStore);
  const { connection, sources } = draft;
  const repositories = useRead('/api/repositories/').data?.repositories ?? [];
  const proposal = nameFor(
    // An application comes after what belongs to it.
    sources[0] ?? draft.databases.at(-1) ?? '',
    repositories.map(({ name }) => name),
  );
  const name = draft.name || proposal;
  const usual = connection === null ? parentOf(repositories) : '.';
  const place = draft.place || usual;
  const [isWrong, setWrong] = useState(false);
  const isAsked = useStore(hasActed);
  const path = repositoryPath({ place, name });
  const isIn = isInSources(draft, path);
  const isFit = isPlace(place, connection) && !isIn;
  const settled = useSettled(path, 800);
  const preflight = usePreflight(draft, { path: settled, isAsked: isAsked && isFit && settled === path });
  return (
    <Step
      step="where"
      title={t.add.whereTitle}
      lead={t.add.whereLead}
      onNext={() => {
        setWrong(!isFit);
        if (!isFit || folderName(name) === '') return false;
        changeDraft({ name, place });
        return true;
      }}
    >
      <Tiles place={place} repositories={repositories} />
      <PlaceField
        label={t.add.place}
        hint={connection === null ? t.add.placeHint : t.add.placeThereHint}
        error={isIn ? t.add.placeIn : isWrong && !isFit ? t.add.placeWrong : undefined}
        connection={connection}
        value={place}
        onValue={(next) => changeDraft({ place: next })}
      />
      <TextField
        label={t.add.name}
        value={draft.name}
        placeholder={proposal}
        onValue={(next) => changeDraft({ name: next })}
        maxLength={100}
      />
      {isFit && (
        <>
          <p class="small">
            {t.add.willBe} <bdi class={styles.path}>{path}</bdi>
          </p>
          {isAsked ? (
            <Findings query={preflight} about="place" />
          ) : (
            <Row>
              <Button onClick={noteAct}>{t.add.lookAtPlace}</Button>
            </Row>
          )}
        </>
      )}
      <p class={`${styles.links} small`}>
        <Link href="/add?existing">{t.add.hasRepository}</Link>
      </p>
    </Step>
  );
}

const isPlace = (place: string, connection: number | null): boolean =>
  place.startsWith('/') || (connection !== null && /^\.(\/|$)/.test(place));
