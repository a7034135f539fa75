import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['system'] = {
  health: 'Zustand',
  allWell: 'Alles funktioniert.',
  notReady: 'Die Datenbank von Holdfast antwortet nicht. Laufende Sicherungen gehen weiter.',
  notices: (count) =>
    plural(count, { one: 'Eine Absicherung fehlt', other: `${count} Absicherungen fehlen` }),
  versions: 'Versionen',
  api: 'API',
  tool: 'Borg',
  noTool: 'fehlt oder antwortet nicht',
  cache: 'Zwischenspeicher',
  cacheKind: 'Art',
  backends: { redis: 'Redis', plugin: 'Ein Plugin', 'in-memory': 'Im Arbeitsspeicher' },
  entries: 'Einträge',
  size: 'Größe',
  hits: 'Treffer',
  hitsOf: (hits, all) => `${hits} von ${all} Nachfragen`,
  keeps: 'Behält für',
  clear: 'Zwischenspeicher leeren',
  clearTitle: 'Zwischenspeicher leeren?',
  clearMeans:
    'Nichts geht verloren. Der nächste Blick in jedes Archiv liest dessen Dateiliste neu, was Minuten dauern kann.',
  cleared: (count) => `Der Zwischenspeicher ist leer: ${count} Einträge wurden entfernt.`,
  cacheSettings: 'Einstellungen des Zwischenspeichers',
  fields: {
    enabled: 'Zwischenspeicher benutzen',
    warm_after_backup: 'Nach einer Sicherung die Dateien des neuen Archivs lesen',
    max_size_mb: 'Höchste Größe (MB)',
    ttl_seconds: 'Behalten für (Sekunden)',
    url: 'Adresse eines äußeren Zwischenspeichers',
  },
  warmHint: 'Der erste Blick in ein neues Archiv geht dann schnell.',
  urlHint: 'Etwa redis://cache:6379. Leer: keiner.',
  plugins: 'Plugins',
  kinds: {
    storage: 'Speicher',
    jobs: 'Aufträge',
    cache: 'Zwischenspeicher',
    notify: 'Benachrichtigungen',
    driver: 'Sicherungsprogramm',
  },
  builtIn: 'eingebaut',
  works: 'Funktioniert',
  notWell: 'Funktioniert nicht',
  notUsed: 'Nicht benutzt',
  documents: 'Unterlagen',
  apiFor: 'Alles hier können auch Programme.',
  licence: 'Lizenz: Apache 2.0',
  licenceFor: 'Die Lizenzen der Teile dieser Seite; jene des Dienstes liegen im Ordner der Installation.',
};
export default messages;
