import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['movingIn'] = {
  lead:
    'In Ihren Repositorys ändert sich nichts, bis Holdfast sie sichert. Alles hier lässt sich wiederholen.',
  borgmatic: 'borgmatic',
  settingsFile: 'Datei mit Einstellungen',
  repositories: 'Borg-Repositorys',
  look: 'Suchen',
  folder: 'In diesem Ordner und darunter suchen',
  folderHint: 'Auf einem anderen Rechner darf das leer sein: dann sein üblicher Ordner.',
  find: 'Repositorys suchen',
  found: 'Gefunden',
  looking: 'Sucht',
  soFar: (found, folders) => `${found} in ${folders} Ordnern gefunden`,
  unreadable: (count) => `${count} Ordner kann Holdfast nicht lesen.`,
  first: (count) => `Die ersten ${count} sind zu sehen. Die übrigen finden Sie in einzelnen Ordnern.`,
  nothing: 'Hier ist kein Borg-Repository.',
  passphrase: 'Eine Passphrase für viele',
  passphraseHint: 'Sie wird bei allen versucht, die nicht offen sind. Leer für unverschlüsselte.',
  open: 'Öffnen',
  openAlone: 'Es hat eine eigene Passphrase oder Schlüsseldatei',
  changed: (when) => `geändert ${when}`,
  copy: 'Die Kopie eines Repositorys, das schon in Holdfast ist.',
  registered: 'Hinzugefügt',
  broken: 'Beschädigt',
  register: (count) =>
    plural(count, { one: '1 Repository hinzufügen', other: `${count} Repositorys hinzufügen` }),
  registerHint: 'Sie werden beobachtet: Sie sehen ihre Archive, und was sie sichert, läuft weiter.',
  takeOver: 'Sicherungen übernehmen',
  takeOverLead: (count) =>
    plural(count, {
      one: '1 Repository wird nur beobachtet. Holdfast kann es ab jetzt sichern.',
      other: `${count} Repositorys werden nur beobachtet. Holdfast kann sie ab jetzt sichern.`,
    }),
  repository: 'Repository',
  reading: 'Liest seine Archive',
  series: 'Archive von',
  seriesHint: 'Mehrere Rechner oder Zeitpläne benutzen es. Die Quellen müssen auf diesem Server sein.',
  schedule: 'Name des Zeitplans',
  fromArchives: (count) => `Nach den Zeiten der letzten ${count} Archive.`,
  fromLeft: 'Diese Zahlen hätten die vorhandenen Archive behalten.',
  evidence: 'Der letzte Befehl',
  oldArchives: 'Vorhandene Archive',
  adopt: 'Nach den Regeln dieses Zeitplans ausdünnen',
  adoptHint: 'Nach denselben Regeln wie neue.',
  leave: 'Lassen, wie sie sind',
  later: 'Später entscheiden',
  oldOff: 'Was es bisher gesichert hat, ist abgeschaltet',
  oldOffHint: 'Zwei Planer würden doppelt sichern und nach zwei Regeln entfernen.',
};
export default messages;
