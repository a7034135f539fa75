import type { Messages } from '../areas.js';

const messages: Messages['recovery'] = {
  sheet: 'Notfallblatt',
  sheetLead:
    'Darauf stehen Speicherorte, Passphrasen und Schlüssel aller Repositorys und die Befehle, um Dateien allein mit Borg wiederherzustellen. Drucken Sie es aus, und bewahren Sie es nicht bei diesem Server auf.',
  current: (when) => `Ihr Blatt (${when}) ist aktuell.`,
  nothingYet: 'Es gibt noch kein Repository.',
  form: 'Format',
  pdf: 'PDF zum Drucken, mit QR-Codes',
  text: 'Text',
  withSecrets: 'Mit Passphrasen und Schlüsseln',
  withSecretsHint: 'Ohne sie ist das Blatt im Notfall nutzlos.',
  seal: 'Datei mit einer Passphrase verschlüsseln',
  sealHint: 'Damit andere die Datei aufbewahren können. Das Programm age entschlüsselt sie.',
  passphrase: 'Passphrase des Blatts',
  again: 'Passphrase wiederholen',
  tooShort: 'Mindestens 8 Zeichen.',
  differs: 'Die Passphrasen stimmen nicht überein.',
  download: 'Blatt herunterladen',
  saved: 'Das Blatt wurde gespeichert.',
  gone: 'Wenn Sie diesen Server verlieren',
  dataOnly: 'Nur die Dateien',
  dataOnlyLead:
    'Installieren Sie Borg auf einem beliebigen Rechner, und geben Sie die Befehle vom Blatt ein.',
  install: 'Borg installieren',
  everything: 'Holdfast mit allen Einstellungen',
  everythingLead:
    'Installieren Sie Holdfast auf einem leeren Rechner. Die Sicherung von Holdfast selbst stellt alles wieder her. Auf dem Blatt stehen ihr Speicherort und die Passphrase, nach der der Befehl fragt.',
};
export default messages;
