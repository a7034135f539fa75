import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useRead } from '../../api/api.js';
import { t } from '../../i18n/messages.js';
import { useStore } from '../../store.js';
import { announce } from '../../ui/announce.js';
import { Button } from '../../ui/button.js';
import { CheckField, SecretField, TextField } from '../../ui/field.js';
import { Row, Section } from '../../ui/layout.js';
import { Notice } from '../../ui/notice.js';
import { saveFile } from '../../ui/save-file.js';
import styles from './add.module.css';
import { folderName, isKept, noSheet, repositoryPath } from './draft.rules.js';
import { drawPassphrase, isWord } from './passphrase.rules.js';
import { passphraseSheet } from './sheet.js';
import { Step } from './step.js';
import { changeDraft, changeSecrets, draft as draftStore, secrets as secretStore } from './wizard.js';

/** @returns whether the proposal came before the person chose or confirmed another passphrase. */
const propose = async (): Promise<boolean> => {
  const before = secretStore.get();
  const { readWords } = await import('./words.js');
  const passphrase = drawPassphrase(await readWords());
  if (secretStore.get() !== before) return false;
  // Also a sheet that was saved while the words were on their way.
  changeDraft(noSheet);
  changeSecrets({ passphrase, isOwn: false, isForgotten: false, isConfirmed: false });
  return true;
};

/** The passphrase, its sheet, and the check that the user has saved it. */
export function Secret() {
  const draft = useStore(draftStore);
  const { passphrase, isOwn, isForgotten, isConfirmed } = useStore(secretStore);
  const [again, setAgain] = useState({ second: '', fifth: '', whole: '' });
  const [isTried, setTried] = useState(false);
  useEffect(() => {
    if (passphrase === '' && !isOwn) void propose();
  }, [passphrase, isOwn]);
  const errors = {
    second: !isWord(passphrase, 2, again.second),
    fifth: !isWord(passphrase, 5, again.fifth),
    whole: again.whole !== passphrase,
  };
  const isProven = isConfirmed || (isOwn ? !errors.whole : !errors.second && !errors.fifth);
  const isReady = passphrase.length >= 8 && isKept(draft) && isProven;
  return (
    <Step
      step="secret"
      title={t.add.secretTitle}
      lead={t.add.secretLead}
      onNext={() => {
        setTried(true);
        if (isReady) changeSecrets({ isConfirmed: true });
        return isReady;
      }}
    >
      {isForgotten && <Notice>{t.add.reloaded}</Notice>}
      <Passphrase error={isTried && passphrase.length < 8 ? t.add.tooShort : undefined} />
      <Sheet isMissing={isTried && !isKept(draft)} />
      {!isConfirmed && (
        <Section title={t.add.proveTitle}>
          {isOwn ? (
            <SecretField
              label={t.add.onceMore}
              value={again.whole}
              onValue={(whole) => setAgain({ ...again, whole })}
              error={isTried && errors.whole ? t.add.notSame : undefined}
            />
          ) : (
            <div class={styles.beside}>
              {(['second', 'fifth'] as const).map((place) => (
                <TextField
                  key={place}
                  label={place === 'second' ? t.add.second : t.add.fifth}
                  exact
                  value={again[place]}
                  onValue={(value) => setAgain({ ...again, [place]: value })}
                  error={isTried && errors[place] ? t.add.wrongWord : undefined}
                />
              ))}
            </div>
          )}
        </Section>
      )}
    </Step>
  );
}

function Passphrase({ error }: { error: string | undefined }) {
  const { passphrase, isOwn } = useStore(secretStore);
  const change = (text: string, own: boolean) => {
    changeSecrets({ passphrase: text, isOwn: own, isConfirmed: false });
    changeDraft(noSheet);
  };
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isOwn && passphrase === '') box.current?.querySelector('input')?.focus();
  }, [isOwn]);
  return (
    <div ref={box} class={styles.tight}>
      {isOwn ? (
        <SecretField
          label={t.add.ownPassphrase}
          autoComplete="new-password"
          value={passphrase}
          onValue={(text) => change(text, true)}
          error={error}
        />
      ) : (
        <p class={styles.phrase} aria-label={t.add.proposal} role="group" translate={false} lang="en">
          {passphrase}
        </p>
      )}
      <Row>
        <Button onClick={() => void propose().then((isNew) => isNew && announce(t.add.newProposal))}>
          {isOwn ? t.add.proposeOne : t.add.another}
        </Button>
        {!isOwn && <Button onClick={() => change('', true)}>{t.add.useOwn}</Button>}
      </Row>
    </div>
  );
}

/** Downloaded, printed, or not needed because the user stores the passphrase elsewhere. */
function Sheet({ isMissing }: { isMissing: boolean }) {
  const draft = useStore(draftStore);
  const { passphrase } = useStore(secretStore);
  const text = passphraseSheet({ name: draft.name, place: useFullPlace(), passphrase });
  const has = () => changeDraft({ hasSheet: true });
  return (
    <Section title={t.add.sheetTitle}>
      <p>{t.add.sheetLead}</p>
      <Row>
        <Button
          disabled={passphrase === ''}
          onClick={() => {
            saveFile(`holdfast-${folderName(draft.name)}.txt`, text);
            has();
            announce(t.add.sheetSaved);
          }}
        >
          {t.add.download}
        </Button>
        <Button
          disabled={passphrase === ''}
          onClick={() => {
            print();
            has();
          }}
        >
          {t.add.print}
        </Button>
      </Row>
      <CheckField
        label={t.add.keptElsewhere}
        checked={draft.keepsElsewhere}
        onChecked={(keepsElsewhere) => changeDraft({ keepsElsewhere })}
      />
      {isMissing && (
        <Notice kind="error" live>
          {t.add.sheetMissing}
        </Notice>
      )}
      <pre class={styles.sheet}>{text}</pre>
    </Section>
  );
}

/** As the backup tool wants it. */
function useFullPlace(): string {
  const draft = useStore(draftStore);
  const connections = useRead('/api/ssh-keys/connections').data?.connections ?? [];
  const path = repositoryPath(draft);
  const host = connections.find(({ id }) => id === draft.connection);
  return host ? `ssh://${host.username}@${host.host}:${host.port}/${path.replace(/^\//, '')}` : path;
}
