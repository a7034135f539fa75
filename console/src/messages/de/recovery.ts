import type { Messages } from '../areas.js';

const messages: Messages['recovery'] = {
  sheet: 'Notfallblatt',
  sheetLead:
    'Darauf stehen Orte, Passphrasen und Schlüssel aller Repositorys und die Befehle für Borg allein. Drucken Sie es, und bewahren Sie es nicht bei diesem Rechner auf.',
  current: (when) => `Auf dem Blatt (${when}) steht alles Nötige.`,
  nothingYet: 'Es gibt noch kein Repository.',
  form: 'Form',
  pdf: 'PDF zum Drucken, mit QR-Codes',
  text: 'Text',
  withSecrets: 'Mit Passphrasen und Schlüsseln',
  withSecretsHint: 'Sonst sind sie verdeckt, und das Blatt zählt nicht.',
  seal: 'Datei mit einer Passphrase versiegeln',
  sealHint: 'Für eine Datei, die bei anderen liegt. Das Programm age öffnet sie.',
  passphrase: 'Passphrase des Blatts',
  again: 'Noch einmal',
  tooShort: 'Mindestens 8 Zeichen.',
  differs: 'Die beiden sind nicht gleich.',
  download: 'Blatt herunterladen',
  saved: 'Das Blatt wurde gespeichert.',
  gone: 'Wenn der Rechner verloren ist',
  dataOnly: 'Nur die Dateien',
  dataOnlyLead:
    'Nehmen Sie irgendeinen Rechner und das Blatt. Installieren Sie Borg, und geben Sie die Befehle vom Blatt ein.',
  install: 'Borg installieren',
  everything: 'Holdfast mit allen Einstellungen',
  everythingLead:
    'Installieren Sie Holdfast auf einem leeren Rechner. Seine eigene Sicherung bringt alles zurück. Auf dem Blatt stehen der Ort und die Passphrase, nach der der Befehl fragt.',
};
export default messages;
