import type { Messages } from '../areas.js';

const messages: Messages['sources'] = {
  add: 'Neue Quellgruppe',
  addLead: 'Benannte Quellordner, die sich mehrere Repositorys teilen können.',
  empty: 'Noch keine Quellgruppen. Sie helfen, wenn mehrere Repositorys dieselben Ordner sichern.',
  fields: {
    name: 'Name',
    source_connection_id: 'Rechner',
    source_directories: 'Quellordner',
    exclude_patterns: 'Ausschlussmuster',
    allow_parallel: 'Gleichzeitige Sicherungen',
  },
  hints: {
    exclude_patterns: 'Ein Borg-Muster je Zeile, etwa */.cache',
    allow_parallel: 'Sonst wechseln sich die Repositorys ab, damit immer nur eines von einer Platte liest.',
  },
  changesAll: 'Änderungen gelten für alle Repositorys, die sie benutzen, ab deren nächster Sicherung.',
  howToUse: 'Nicht benutzt. Wählen Sie die Quellgruppe in den Einstellungen eines Repositorys.',
  remove: 'Quellgruppe löschen',
  removeMeans: 'Die Repositorys ändern sich nicht. Eine benutzte Quellgruppe lässt sich nicht löschen.',
};
export default messages;
