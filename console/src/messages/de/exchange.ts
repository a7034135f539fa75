import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['exchange'] = {
  borgmatic: 'Aus borgmatic importieren',
  borgmaticLead:
    'Wählen Sie die Konfigurationsdateien, oder fügen Sie eine ein. Ihre Dateien ändern sich nicht, und vorher sehen Sie alles.',
  files: 'Konfigurationsdateien',
  paste: 'Oder eine einfügen',
  takeOver: 'Sicherungen übernehmen: Ab jetzt sichert Holdfast',
  takeOverHint:
    'Schalten Sie zuerst den Zeitgeber von borgmatic aus. Ohne Übernahme beobachtet Holdfast nur.',
  cron: 'Wann gesichert wird (Cron-Ausdruck)',
  cronHint: 'Dateien von borgmatic nennen keine Zeiten. Leer: nur von Hand.',
  without: (what) => `Hinnehmen ohne ${what}`,
  losses: {
    databases: 'Dumps von Datenbanken',
    snapshots: 'Snapshots',
    sources: 'Ordner, die Platzhalter später finden',
    flags: 'diese Optionen von Borg',
    hooks: 'diese Befehle',
    retention: 'diese Regeln der Aufbewahrung',
    alerts: 'Meldungen über fehlgeschlagenes Ausdünnen und Prüfen',
  },
  replaceSources: 'Die bisherigen Quellordner ersetzen',
  look: 'Vorschau',
  import: 'Importieren',
  needs: 'Fehlende Angaben',
  needsLead: 'Die Dateien verweisen darauf. Nur der Rechner, auf dem sie liegen, kennt es.',
  kinds: {
    include: 'Text der eingebundenen Datei',
    variable: 'Wert der Variable',
    command: 'Was der Befehl ausgibt',
    credential: 'Geheimnis',
    file: 'Text der Datei',
    paths: 'Pfade, einer je Zeile, für',
    passphrase: 'Passphrase von',
    ssh: 'Was ssh -G ausgibt für',
  },
  options: 'Optionen',
  results: { taken: 'Übernommen', changed: 'Geändert', left_out: 'Ausgelassen' },
  becomes: 'Wird',
  sections: {
    repositories: 'Repository',
    source_sets: 'Quellenliste',
    schedules: 'Zeitplan',
    check_schedules: 'Geplante Prüfungen',
    scripts: 'Skript',
    script_attachments: 'Angehängtes Skript',
    notifications: 'Kanal',
    connections: 'Rechner',
    system_key: 'SSH-Schlüssel',
    cache_settings: 'Cache',
  },
  actions: { create: 'neu', change: 'ändert sich', unchanged: 'bleibt', cannot: 'nicht importierbar' },
  unchanged: (count) => plural(count, { one: 'Eines ist schon da', other: `${count} sind schon da` }),
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
  sealHint: 'Mindestens 12 Zeichen. Sie wird nicht gespeichert: Ohne sie kann niemand die Geheimnisse lesen.',
  save: 'Datei speichern',
  saved: 'Die Datei wurde gespeichert.',
  bring: 'Einstellungen importieren',
  file: 'Datei mit Einstellungen',
  sealed: 'Passphrase der Datei',
  plan: 'Plan zeigen',
  notJson: 'Das ist keine Datei mit Einstellungen.',
};
export default messages;
