import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['scripts'] = {
  add: 'Neues Skript',
  empty:
    'Noch keine Skripte. Ein Skript kann vor einer Sicherung einen Container anhalten oder einen Datenbank-Dump schreiben und danach alles rückgängig machen.',
  beginWith: 'Vorlage',
  blank: 'Leeres Skript',
  readyMade: {
    stopContainers: { name: 'Container anhalten', for: 'Vor der Sicherung: hält Docker-Container an' },
    startContainers: { name: 'Container starten', for: 'Nach der Sicherung: startet Docker-Container' },
    pgDump: { name: 'PostgreSQL-Dump', for: 'Vor der Sicherung: pg_dump in einen gesicherten Ordner' },
    mysqlDump: {
      name: 'MySQL- oder MariaDB-Dump',
      for: 'Vor der Sicherung: mysqldump in einen gesicherten Ordner',
    },
    sqlite: {
      name: 'SQLite kopieren',
      for: 'Vor der Sicherung: eine konsistente Kopie einer benutzten Datenbank',
    },
    mount: { name: 'Platte einhängen', for: 'Vor der Sicherung: hängt sie nach /etc/fstab ein' },
    unmount: { name: 'Platte aushängen', for: 'Nach der Sicherung: damit Sie sie entfernen können' },
    ping: {
      name: 'URL aufrufen',
      for: 'Nach der Sicherung: meldet sich bei einem Dienst wie healthchecks.io',
    },
  },
  content: 'Skript',
  contentHint:
    'bash, wenn die erste Zeile kein anderes Programm nennt. Ein Name aus Großbuchstaben in geschweiften Klammern nach einem Dollarzeichen wird zum Parameter.',
  parameters: (count) => plural(count, { one: 'Ein Parameter', other: `${count} Parameter` }),
  parameterDefault: 'Standardwert',
  required: 'Erforderlich',
  isSecret: 'Geheim: verschlüsselt gespeichert, nie gezeigt',
  runOn: 'Nach der Sicherung ausführen',
  runOnHint: 'Vor einer Sicherung läuft das Skript immer.',
  runOns: {
    always: 'immer',
    success: 'wenn sie gelungen ist',
    warning: 'wenn sie Warnungen hatte',
    failure: 'wenn sie fehlgeschlagen ist',
  },
  timeout: 'Zeitgrenze (Sekunden)',
  timeoutHint: 'Beendet das Skript und alle seine Prozesse.',
  tryOnce: 'Einmal ausprobieren',
  afterSaving:
    'Läuft ohne Parameter und endet nach 30 Sekunden. Mit Werten können Sie das Skript nach dem Speichern testen.',
  textHidden: 'Nur Administratoren können den Text sehen und ändern.',
  isTemplate: 'Dieses Skript gehört zu Holdfast und lässt sich nicht ändern.',
  test: 'Testlauf',
  testHint: 'Führt das gespeicherte Skript jetzt auf diesem Server aus.',
  asFor: 'Für das Repository',
  asForHint: 'Das Skript bekommt dessen Namen, Pfad und ID.',
  noRepository: 'keines',
  worked: 'Das Skript endete ohne Fehler.',
  failed: (code) =>
    code === '-1'
      ? 'Das Skript ist nicht gestartet oder hat zu lange gedauert.'
      : `Das Skript endete mit dem Exit-Code ${code}.`,
  took: (seconds) => `${seconds} s`,
  output: 'Ausgabe',
  errors: 'Fehlerausgabe',
  hooks: { 'pre-backup': 'vor der Sicherung', 'post-backup': 'nach der Sicherung' },
  hooksOfSchedule: {
    'pre-backup': 'vor allen Sicherungen des Zeitplans',
    'post-backup': 'nach allen Sicherungen des Zeitplans',
  },
  runs: 'Letzte Läufe',
  remove: 'Skript löschen',
  removeMeans: 'Ein Skript, das benutzt wird, lässt sich nicht löschen.',
};
export default messages;
