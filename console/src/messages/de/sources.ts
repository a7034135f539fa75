import type { Messages } from '../areas.js';

const messages: Messages['sources'] = {
  add: 'Neue Quellgruppe',
  addLead: 'Benannte Quellordner, die sich mehrere Repositorys teilen können.',
  empty: 'Noch keine Quellgruppen. Sie helfen, wenn mehrere Repositorys dieselben Ordner sichern.',
  fields: {
    name: 'Name',
    source_connection_id: 'Rechner',
    source_directories: 'Quellordner',
    sources: 'Datenbanken und Container',
    exclude_patterns: 'Ausschlussmuster',
    allow_parallel: 'Gleichzeitige Sicherungen',
  },
  hints: {
    exclude_patterns: 'Ein Borg-Muster je Zeile, etwa */.cache',
    allow_parallel: 'Sonst wechseln sich die Repositorys ab, damit immer nur eines von einer Platte liest.',
  },
  changesAll: 'Änderungen gelten für alle Repositorys, die sie benutzen, ab deren nächster Sicherung.',
  howToUse: 'Nicht benutzt. Wählen Sie die Quellgruppe in den Einstellungen eines Repositorys.',
  databases: {
    title: 'Datenbanken und Container',
    add: 'Datenbank oder Container hinzufügen',
    hint: 'Jede Sicherung enthält Dumps von ihnen oder hält sie an; so lassen sie sich wiederherstellen.',
    nameHint: 'Teil des Pfads in Archiven.',
    nameStays: 'Lässt sich nicht ändern: Das gespeicherte Passwort gehört zu diesem Namen.',
    taken: 'Diesen Namen gibt es schon.',
    container: 'Container',
    containerHint: 'In ihm laufen die Programme. Leer: auf dem Rechner selbst.',
    take: 'Übernehmen',
    check: 'Prüfen',
    looking: 'Datenbanken und Container werden gesucht …',
    nothing: 'Dort wurden keine Datenbanken oder Container gefunden. Geben Sie sie unten ein.',
    found: 'Dort gefunden',
    along: 'Das gehört dazu und wird auch hinzugefügt:',
    choose: 'Auswählen oder unten eingeben',
    results: { ok: 'In Ordnung', warning: 'Warnung', failed: 'Fehlgeschlagen' },
  },
  remove: 'Quellgruppe löschen',
  removeMeans: 'Die Repositorys ändern sich nicht. Eine benutzte Quellgruppe lässt sich nicht löschen.',
};
export default messages;
