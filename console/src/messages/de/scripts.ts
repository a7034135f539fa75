import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['scripts'] = {
  add: 'Neues Skript',
  empty:
    'Noch keine Skripte. Eines kann vor einer Sicherung einen Container anhalten oder eine Datenbank ausgeben, ein anderes danach aufräumen.',
  uses: (count) =>
    count === 0 ? 'nicht benutzt' : plural(count, { one: 'einmal benutzt', other: `${count}-mal benutzt` }),
  beginWith: 'Beginnen mit',
  blank: 'Einem leeren Skript',
  readyMade: {
    stopContainers: { name: 'Container anhalten', for: 'Vor der Sicherung: hält Docker-Container an' },
    startContainers: { name: 'Container starten', for: 'Nach der Sicherung: startet Docker-Container' },
    pgDump: { name: 'PostgreSQL ausgeben', for: 'Vor der Sicherung: pg_dump in einen gesicherten Ordner' },
    mysqlDump: {
      name: 'MySQL oder MariaDB ausgeben',
      for: 'Vor der Sicherung: mysqldump in einen gesicherten Ordner',
    },
    sqlite: {
      name: 'SQLite kopieren',
      for: 'Vor der Sicherung: eine stimmige Kopie einer benutzten Datenbank',
    },
    mount: { name: 'Datenträger einhängen', for: 'Vor der Sicherung: hängt ein, was /etc/fstab nennt' },
    unmount: { name: 'Datenträger aushängen', for: 'Nach der Sicherung: damit man ihn mitnehmen kann' },
    ping: { name: 'Adresse aufrufen', for: 'Nach der Sicherung: meldet es einem Dienst wie healthchecks.io' },
  },
  name: 'Name',
  description: 'Beschreibung',
  content: 'Skript',
  contentHint:
    'bash, wenn die erste Zeile kein anderes Programm nennt. Ein Name aus Großbuchstaben in Klammern nach einem Dollarzeichen wird ein Parameter.',
  parameters: (count) => plural(count, { one: 'Ein Parameter', other: `${count} Parameter` }),
  parameterDefault: 'Standardwert',
  parameterFor: 'Beschreibung',
  required: 'Erforderlich',
  isSecret: 'Geheim: verschlüsselt gespeichert, nie gezeigt',
  runOn: 'Nach der Sicherung läuft es',
  runOnHint: 'Vor einer Sicherung läuft es immer.',
  runOns: {
    always: 'immer',
    success: 'wenn sie gelungen ist',
    warning: 'wenn sie Warnungen hatte',
    failure: 'wenn sie fehlschlug',
  },
  timeout: 'Zeitgrenze (Sekunden)',
  timeoutHint: 'Mit allen seinen Prozessen.',
  tryOnce: 'Einmal versuchen',
  afterSaving:
    'Ein Versuch hat keine Parameter und endet nach 30 Sekunden. Mit Werten können Sie es nach dem Speichern testen.',
  textHidden: 'Den Text sehen und ändern nur Administratoren.',
  isTemplate: 'Dieses Skript gehört zu Holdfast und lässt sich nicht ändern.',
  test: 'Testlauf',
  testHint: 'Führt das gespeicherte Skript jetzt auf diesem Server aus.',
  runNow: 'Jetzt ausführen',
  asFor: 'Für das Repository',
  asForHint: 'Das Skript bekommt dessen Namen, Pfad und Nummer.',
  noRepository: 'keines',
  worked: 'Es endete ohne Fehler.',
  failed: (code) =>
    code === '-1' ? 'Es startete nicht oder dauerte zu lange.' : `Es endete mit dem Code ${code}.`,
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
  removeTitle: (name) => `${name} löschen?`,
  removeMeans: 'Ein Skript, das benutzt wird, lässt sich nicht löschen.',
  removed: (name) => `${name} wurde gelöscht.`,
};
export default messages;
