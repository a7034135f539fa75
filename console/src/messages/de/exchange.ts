import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['exchange'] = {
  borgmaticLead:
    'Wählen Sie die Konfigurationsdateien, oder fügen Sie eine ein. Ihre Dateien werden nicht geändert, und eine Vorschau zeigt vorher alles.',
  files: 'Konfigurationsdateien',
  paste: 'Oder eine einfügen',
  takeOver: 'Sicherungen übernehmen: Ab jetzt sichert Holdfast',
  takeOverHint:
    'Schalten Sie zuerst den Timer von borgmatic aus. Ohne Übernahme beobachtet Holdfast die Repositorys nur.',
  cron: 'Wann gesichert wird (Cron-Ausdruck)',
  cronHint: 'borgmatic-Dateien enthalten keinen Zeitplan. Leer: nur von Hand.',
  without: (what) => `Ohne ${what} importieren`,
  losses: {
    databases: 'Datenbank-Dumps',
    snapshots: 'Snapshots',
    sources: 'Ordner, auf die Platzhalter später passen',
    flags: 'diese Borg-Optionen',
    hooks: 'diese Befehle',
    retention: 'diese Aufbewahrungsregeln',
    alerts: 'Meldungen über fehlgeschlagenes Ausdünnen und Prüfen',
  },
  replaceSources: 'Die bisherigen Quellordner ersetzen',
  import: 'Importieren',
  needs: 'Fehlende Angaben',
  needsLead: 'Die Dateien verweisen darauf. Die Werte finden Sie auf dem Rechner, von dem sie stammen.',
  kinds: {
    include: 'Text der eingebundenen Datei',
    variable: 'Wert der Variable',
    command: 'Ausgabe des Befehls',
    credential: 'Geheimnis',
    file: 'Text der Datei',
    paths: 'Pfade, einer je Zeile, für',
    passphrase: 'Passphrase von',
    ssh: 'Ausgabe von ssh -G für',
  },
  options: 'Optionen',
  results: { taken: 'Importiert', changed: 'Geändert', left_out: 'Ausgelassen' },
  becomes: 'Wird zu',
  sections: {
    repositories: 'Repository',
    source_sets: 'Quellgruppe',
    schedules: 'Zeitplan',
    check_schedules: 'Geplante Prüfungen',
    scripts: 'Skript',
    script_attachments: 'Zugeordnetes Skript',
    notifications: 'Kanal',
    connections: 'Rechner',
    system_key: 'SSH-Schlüssel',
    cache_settings: 'Cache',
  },
  actions: { create: 'neu', change: 'geändert', unchanged: 'unverändert', cannot: 'nicht importierbar' },
  unchanged: (count) =>
    plural(count, { one: '1 Eintrag ist schon da', other: `${count} Einträge sind schon da` }),
  planned: ({ create, change, cannot, options_left_out: options = 0 }) =>
    create + change + cannot + options === 0
      ? 'Alles ist schon da: Nichts würde sich ändern.'
      : `Neu: ${create}. Geändert: ${change}. Ausgelassen: ${cannot}${options > 0 ? `, und ${options} Optionen` : ''}.`,
  done: ({ create, change, cannot, options_left_out: options = 0 }) =>
    create + change + cannot + options === 0
      ? 'Alles war schon da: Nichts hat sich geändert.'
      : `Neu: ${create}. Geändert: ${change}. Ausgelassen: ${cannot}${options > 0 ? `, und ${options} Optionen` : ''}.`,
  settings: 'Einstellungen exportieren',
  settingsLead:
    'Alle Einstellungen dieser Installation in einer Datei, für eine andere. Ohne Archive, Verlauf und Benutzer.',
  withSecrets: 'Mit Geheimnissen, verschlüsselt mit einer Passphrase',
  seal: 'Passphrase für die Datei',
  sealHint:
    'Mindestens 12 Zeichen. Sie wird nicht gespeichert: Ohne sie kann niemand die Geheimnisse entschlüsseln.',
  save: 'Datei speichern',
  saved: 'Die Datei wurde gespeichert.',
  bring: 'Einstellungen importieren',
  file: 'Einstellungsdatei',
  sealed: 'Passphrase der Datei',
  plan: 'Plan zeigen',
  notJson: 'Das ist keine Einstellungsdatei.',
};
export default messages;
