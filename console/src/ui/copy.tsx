import { Check, Copy } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { t } from '../i18n/messages.js';
import { announce } from './announce.js';
import { Button } from './button.js';
import styles from './copy.module.css';

/** Something to be copied as it is: a command, a key, a fingerprint. */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <div class={styles.copyable}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys. */}
      <pre tabIndex={0} aria-label={label} role="group">
        {text}
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await writeClipboard(text);
    setCopied(true);
    announce(t.common.copied);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <Button
      look="quiet"
      aria-label={t.common.copyOf(label)}
      icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      onClick={() => void copy()}
    >
      {isCopied ? t.common.copied : t.common.copy}
    </Button>
  );
}

/** The clipboard of the browser is for secure pages only; on plain HTTP a selection is copied. */
async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
