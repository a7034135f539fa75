import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['sources'] = {
  add: 'Neue Quelle',
  addLead: 'Ordner mit einem Namen, damit mehrere Repositorys dasselbe sichern.',
  empty:
    'Es gibt keine benannten Quellen. Sie lohnen sich, wenn dieselben Ordner in mehrere Repositorys gehen.',
  uses: (count) =>
    count === 0
      ? 'nicht benutzt'
      : plural(count, { one: `${count} Repository`, other: `${count} Repositorys` }),
  fields: {
    name: 'Name',
    source_connection_id: 'Rechner',
    source_directories: 'Quellordner',
    exclude_patterns: 'Ausschlussmuster',
    allow_parallel: 'Gleichzeitige Sicherungen',
  },
  hints: {
    exclude_patterns: 'Muster von borg, eines je Zeile, etwa */.cache',
    allow_parallel: 'Sonst wechseln sich die Repositorys ab, damit nur eines eine Festplatte liest.',
  },
  thisMachine: 'Dieser Server',
  changesAll: 'Änderungen gelten für alle Repositorys, die sie benutzen, ab deren nächster Sicherung.',
  howToUse: 'Nichts benutzt sie. Wählen Sie sie in den Einstellungen eines Repositorys.',
  remove: 'Quelle löschen',
  removeTitle: (name) => `${name} löschen?`,
  removeMeans:
    'In keinem Repository ändert sich etwas. Eine Quelle, die benutzt wird, lässt sich nicht löschen.',
  removed: (name) => `${name} wurde gelöscht.`,
};
export default messages;
