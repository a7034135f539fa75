import type { Schemas } from '../../../api/client.js';
import { number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { messageIn } from '../../../i18n/sentences.js';
import { Stack } from '../../../ui/layout.js';
import { Notice, Sentence } from '../../../ui/notice.js';
import styles from './scripts.module.css';

export function RunResult({ result }: { result: Schemas['ScriptResult'] }) {
  const { success, exit_code, execution_time, stdout, stderr } = result;
  return (
    <Stack tight>
      <Notice
        kind={success ? 'good' : 'warning'}
        live
        title={success ? t.scripts.worked : t.scripts.failed(String(exit_code))}
      >
        <Sentence {...messageIn(result)} />{' '}
        <span class="muted">{t.scripts.took(number(execution_time))}</span>
      </Notice>
      <Output title={t.scripts.output} text={stdout} />
      <Output title={t.scripts.errors} text={stderr} />
    </Stack>
  );
}

const Output = ({ title, text }: { title: string; text: string }) =>
  text === '' ? null : (
    <>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys. */}
      <pre class={styles.output} tabIndex={0} role="region" aria-label={title}>
        {text}
      </pre>
    </>
  );
