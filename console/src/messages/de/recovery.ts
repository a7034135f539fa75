import type { Messages } from '../areas.js';

const messages: Messages['recovery'] = {
  sheet: 'Notfallblatt',
  sheetLead:
    'Darauf stehen Pfade, Passphrasen und Schlüssel aller Repositorys und die Befehle für Borg allein. Drucken Sie es, und bewahren Sie es nicht bei diesem Server auf.',
  current: (when) => `Ihr Blatt (${when}) ist aktuell.`,
  nothingYet: 'Es gibt noch kein Repository.',
  form: 'Form',
  pdf: 'PDF zum Drucken, mit QR-Codes',
  text: 'Text',
  withSecrets: 'Mit Passphrasen und Schlüsseln',
  withSecretsHint: 'Ohne sie taugt das Blatt nicht für den Notfall.',
  seal: 'Datei mit einer Passphrase verschlüsseln',
  sealHint: 'Für eine Datei, die bei anderen liegt. Das Programm age öffnet sie.',
  passphrase: 'Passphrase des Blatts',
  again: 'Noch einmal',
  tooShort: 'Mindestens 8 Zeichen.',
  differs: 'Die beiden sind nicht gleich.',
  download: 'Blatt herunterladen',
  saved: 'Das Blatt wurde gespeichert.',
  gone: 'Wenn dieser Server verloren ist',
  dataOnly: 'Nur die Dateien',
  dataOnlyLead: 'Installieren Sie Borg auf irgendeinem Rechner, und geben Sie die Befehle vom Blatt ein.',
  install: 'Borg installieren',
  everything: 'Holdfast mit allen Einstellungen',
  everythingLead:
    'Installieren Sie Holdfast auf einem leeren Rechner. Die Sicherung von Holdfast selbst bringt alles zurück. Auf dem Blatt stehen ihr Pfad und die Passphrase, nach der der Befehl fragt.',
};
export default messages;
