import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['drills'] = {
  lead: 'Eine Probe stellt Dateien des neuesten Archivs in einem Zwischenordner wieder her, vergleicht sie mit dem, was gesichert wurde, und entfernt sie wieder.',
  proof: 'Ergebnis',
  lastProof: 'Zuletzt getestet',
  coverage: 'In den letzten 90 Tagen getestet',
  ofArchive: (percent) => `${percent} des neuesten Archivs`,
  next: 'Nächste Probe',
  notPlanned: 'nicht geplant',
  start: 'Jetzt proben',
  started: 'Die Probe ist eingereiht.',
  plan: 'Proben planen',
  rhythms: {
    weekly: 'Jeden Montag um 05:00',
    monthly: 'Am Ersten jedes Monats um 05:00',
  },
  fields: {
    cron_expression: 'Zeit der Proben',
    timezone: 'Zeitzone',
    files: 'Dateien einer Stichprobe, höchstens',
    gigabytes: 'Größe einer Stichprobe in GB, höchstens',
    paths: 'Diese Pfade immer wiederherstellen, einer je Zeile',
  },
  pathsHint: 'Wie sie im Archiv stehen, ohne Schrägstrich am Anfang.',
  past: 'Bisherige Proben',
  none: 'Noch wurde nichts geprobt.',
  of: (day) => `Probe vom ${day}`,
  gone: 'Diese Probe gibt es nicht. Ergebnisse werden 400 Tage aufbewahrt.',
  verdicts: { passed: 'Bestanden', failed: 'Fehlgeschlagen', none: 'Ohne Ergebnis' },
  summary: (files, shown, size) =>
    plural(files, { one: `${shown} Datei, ${size}`, other: `${shown} Dateien, ${size}` }),
  bySource: 'Per Hash mit der Quelle verglichen',
  changed: 'An der Quelle seither geändert',
  failed: 'Nicht, wie sie gesichert wurden',
  notExamined: 'Ausgelassen',
  files: 'Wiederhergestellt und verglichen',
  openJob: 'Auftrag öffnen',
  results: 'Dateien',
  sourceStates: {
    unchanged: 'die Quelle hat denselben Inhalt',
    changed: 'die Quelle wurde seither geändert',
    missing: 'die Quelle ist weg',
    not_here: 'mit der Liste des Archivs verglichen',
  },
  export: 'Ergebnisse exportieren',
  exportMeans: 'Die letzte Zeile ist eine Prüfsumme, die auch im Protokoll steht.',
  json: 'Als JSON',
  page: 'Als Seite zum Drucken',
};

export default messages;
