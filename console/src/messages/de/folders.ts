import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['folders'] = {
  path: 'Ordner',
  go: 'Öffnen',
  choose: 'Diesen Ordner wählen',
  up: 'Eine Ebene höher',
  now: (path) => `Jetzt in ${path}`,
  noFolders: 'Hier sind keine Ordner.',
  repository: 'ein Borg-Repository',
  isRepository: 'Das ist ein Borg-Repository',
  unreadable: 'für Holdfast nicht lesbar',
  free: (size) => `${size} frei`,
  files: (count) => plural(count, { one: `${count} Datei`, other: `${count} Dateien` }),
  truncated: 'Es gibt mehr, als gezeigt wird: Geben Sie den Pfad ein.',
  add: 'Ordner hinzufügen',
  typePath: 'Oder einen Pfad eingeben',
  remove: (path) => `${path} entfernen`,
  none: 'Noch kein Ordner.',
  andMore: (count) => `und ${count} weitere`,
  howToAllow: 'So erlauben Sie es',
  allowLead: 'Geben Sie dem Benutzer, unter dem Holdfast läuft, auf dem Server Leserechte, zum Beispiel so:',
  allowContainer:
    'In einem Container läuft Holdfast als Benutzer 10001: Verwenden Sie diese Nummer statt holdfast, und binden Sie den Ordner in den Container ein.',
  absolute: 'Beginnen Sie mit einem Schrägstrich: /home/anna.',
};
export default messages;
