import { t } from '../../i18n/messages.js';
import { quoted } from '../../ui/shell.rules.js';

/** Plain-text instructions to read the backups without Holdfast. */
export function passphraseSheet({
  name,
  place,
  passphrase,
}: {
  name: string;
  place: string;
  passphrase: string;
}): string {
  const words = t.add.sheet;
  return [
    words.title(name),
    words.madeOn(new Date().toISOString().slice(0, 10)),
    '',
    `${words.place}: ${place}`,
    `${words.encryption}: repokey`,
    `${words.passphrase}: ${passphrase}`,
    '',
    words.keep,
    '',
    words.without,
    '',
    `  export BORG_REPO=${quoted(place)}`,
    '  borg list',
    '  borg extract --dry-run --list ::ARCHIVE',
    '  mkdir files && cd files && borg extract ::ARCHIVE',
    '',
  ].join('\n');
}
