import { useState } from 'preact/hooks';
import { user as signedIn } from '../../hub/link.js';
import { t } from '../../i18n/messages.js';
import { useStore } from '../../store.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { CheckField } from '../../ui/field.js';
import { Row, Stack } from '../../ui/layout.js';
import { Notice } from '../../ui/notice.js';
import { saveFile } from '../../ui/save-file.js';
import styles from './account.module.css';

/** New ones, which nobody sees again. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => unknown }) {
  const [isSaved, setSaved] = useState(false);
  const title = t.account.codesOf(useStore(signedIn)?.username ?? '', location.host);
  const text = `${title}\n\n${codes.join('\n')}\n`;
  return (
    <Stack>
      <Notice kind="warning" live>
        {t.account.saveCodes}
      </Notice>
      <ol class={styles.codes} aria-label={t.account.codes} translate={false}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <Row>
        <CopyButton text={text} label={t.account.codes} />
        <Button onClick={() => saveFile('holdfast-recovery-codes.txt', text)}>{t.account.download}</Button>
        <Button onClick={() => print()}>{t.account.print}</Button>
      </Row>
      <CheckField label={t.account.haveSaved} checked={isSaved} onChecked={setSaved} />
      <Row end>
        <Button look="primary" disabled={!isSaved} onClick={onDone}>
          {t.account.done}
        </Button>
      </Row>
      <pre class={styles.sheet}>{text}</pre>
    </Stack>
  );
}
