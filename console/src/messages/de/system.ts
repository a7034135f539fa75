import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['system'] = {
  health: 'Zustand',
  allWell: 'Alles funktioniert.',
  notReady: 'Die Datenbank von Holdfast antwortet nicht. Laufende Sicherungen laufen weiter.',
  notices: (count) =>
    plural(count, { one: 'Eine Absicherung fehlt', other: `${count} Absicherungen fehlen` }),
  versions: 'Versionen',
  api: 'API',
  tool: 'Borg',
  noTool: 'fehlt oder antwortet nicht',
  cache: 'Cache',
  backends: { redis: 'Redis', plugin: 'Ein Plugin', 'in-memory': 'Im Arbeitsspeicher' },
  entries: 'Einträge',
  hits: 'Treffer',
  hitsOf: (hits, all) => `${hits} von ${all} Nachfragen`,
  keeps: 'Aufbewahrt für',
  clear: 'Cache leeren',
  clearTitle: 'Cache leeren?',
  clearMeans:
    'Nichts geht verloren. Wenn Sie ein Archiv das nächste Mal öffnen, wird seine Dateiliste neu gelesen, was Minuten dauern kann.',
  cleared: (count) => `Der Cache ist leer: ${count} Einträge wurden entfernt.`,
  cacheSettings: 'Cache-Einstellungen',
  fields: {
    enabled: 'Cache benutzen',
    warm_after_backup: 'Nach einer Sicherung die Dateiliste des neuen Archivs lesen',
    max_size_mb: 'Maximale Größe (MB)',
    ttl_seconds: 'Aufbewahren für (Sekunden)',
    url: 'URL eines externen Caches',
  },
  warmHint: 'Ein neues Archiv öffnet sich dann schnell.',
  urlHint: 'Etwa redis://cache:6379. Leer: keiner.',
  plugins: 'Plugins',
  kinds: {
    storage: 'Speicher',
    jobs: 'Aufträge',
    cache: 'Cache',
    notify: 'Benachrichtigungen',
    driver: 'Sicherungsprogramm',
  },
  builtIn: 'eingebaut',
  works: 'Funktioniert',
  notWell: 'Funktioniert nicht',
  notUsed: 'Nicht benutzt',
  documents: 'Dokumente',
  apiFor: 'Programme können alles, was diese Oberfläche kann.',
  licence: 'Lizenz: Apache 2.0',
  licenceFor:
    'Lizenzen der Bibliotheken dieser Oberfläche. Die des Servers liegen in seinem Installationsordner.',
};
export default messages;
