import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['drills'] = {
  lead: 'Eine Probe stellt Dateien des neuesten Archivs in einem temporären Ordner wieder her, vergleicht sie mit dem, was gesichert wurde, und löscht sie.',
  proof: 'Ergebnis',
  lastProof: 'Zuletzt getestet',
  coverage: 'In den letzten 90 Tagen getestet',
  ofArchive: (percent) => `${percent} des neuesten Archivs`,
  next: 'Nächste Probe',
  notPlanned: 'nicht geplant',
  start: 'Probe jetzt starten',
  started: 'Die Probe wurde eingereiht.',
  plan: 'Proben planen',
  rhythms: { weekly: 'Jeden Montag um 05:00', monthly: 'Am Ersten jedes Monats um 05:00' },
  fields: {
    cron_expression: 'Wann geprobt wird',
    timezone: 'Zeitzone',
    files: 'Dateien je Probe, höchstens',
    gigabytes: 'Größe je Probe in GB, höchstens',
    paths: 'Diese Pfade immer wiederherstellen, einer je Zeile',
  },
  pathsHint: 'Wie sie im Archiv stehen, ohne Schrägstrich am Anfang.',
  past: 'Bisherige Proben',
  none: 'Noch keine Probe.',
  of: (day) => `Probe vom ${day}`,
  gone: 'Diese Probe gibt es nicht. Ergebnisse werden 400 Tage aufbewahrt.',
  verdicts: { passed: 'Bestanden', failed: 'Fehlgeschlagen', none: 'Kein Ergebnis' },
  summary: (files, shown, size) =>
    plural(files, { one: `${shown} Datei, ${size}`, other: `${shown} Dateien, ${size}` }),
  bySource: 'Per Hash mit der Quelle verglichen',
  changed: 'Quelle seit der Sicherung geändert',
  failed: 'Nicht wie gesichert wiederhergestellt',
  notExamined: 'Ausgelassen',
  files: 'Wiederhergestellt und verglichen',
  openJob: 'Auftrag öffnen',
  results: 'Dateien',
  sourceStates: {
    unchanged: 'die Quelle hat denselben Inhalt',
    changed: 'die Quelle wurde seither geändert',
    missing: 'die Quelle gibt es nicht mehr',
    not_here: 'mit der Liste des Archivs verglichen',
  },
  export: 'Ergebnisse exportieren',
  exportMeans: 'Die letzte Zeile ist eine Prüfsumme, die auch im Protokoll steht.',
  json: 'Als JSON',
  page: 'Als Seite zum Drucken',
};

export default messages;
