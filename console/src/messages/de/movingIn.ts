import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['movingIn'] = {
  lead: 'In Ihren Repositorys ändert sich nichts, bis Holdfast ihre Sicherungen übernimmt. Jeder Schritt lässt sich wiederholen.',
  borgmatic: 'borgmatic',
  repositories: 'Borg-Repositorys',
  folder: 'Diesen Ordner und seine Unterordner durchsuchen',
  folderHint: 'Auf einem anderen Rechner leer lassen für den Standardpfad.',
  find: 'Repositorys suchen',
  found: 'Gefunden',
  looking: 'Suche läuft',
  soFar: (found, folders) => `${found} gefunden; durchsuchte Ordner: ${folders}`,
  unreadable: (count) => `Ordner, die Holdfast nicht lesen kann: ${count}.`,
  first: (count) =>
    `Nur die ersten ${count} werden angezeigt. Durchsuchen Sie für die übrigen einzelne Ordner.`,
  nothing: 'Kein Borg-Repository gefunden.',
  passphrase: 'Passphrase für mehrere Repositorys',
  passphraseHint: 'Wird bei allen versucht, die nicht offen sind. Leer lassen für unverschlüsselte.',
  open: 'Öffnen',
  openAlone: 'Eigene Passphrase oder Schlüsseldatei verwenden',
  changed: (when) => `geändert ${when}`,
  copy: 'Eine Kopie eines Repositorys, das schon in Holdfast ist.',
  registered: 'Hinzugefügt',
  broken: 'Beschädigt',
  register: (count) =>
    plural(count, { one: '1 Repository hinzufügen', other: `${count} Repositorys hinzufügen` }),
  registerHint:
    'Sie werden nur beobachtet: Holdfast zeigt ihre Archive, und das bisherige Programm sichert weiter.',
  takeOver: 'Sicherungen übernehmen',
  takeOverLead: (count) =>
    plural(count, {
      one: '1 Repository wird nur beobachtet. Holdfast kann seine Sicherungen übernehmen.',
      other: `${count} Repositorys werden nur beobachtet. Holdfast kann ihre Sicherungen übernehmen.`,
    }),
  reading: 'Seine Archive werden gelesen',
  series: 'Archive von',
  seriesHint:
    'Mehrere Rechner oder Zeitpläne benutzen dieses Repository. Die Quellen müssen auf diesem Server sein.',
  schedule: 'Name des Zeitplans',
  fromArchives: (count) => `Nach den Zeiten der letzten ${count} Archive.`,
  fromLeft: 'Mit diesen Anzahlen wären die vorhandenen Archive erhalten geblieben.',
  evidence: 'Der letzte Befehl',
  oldArchives: 'Vorhandene Archive',
  adopt: 'Nach den Regeln dieses Zeitplans ausdünnen',
  adoptHint: 'Sie können ausgedünnt werden, nach denselben Regeln wie neue.',
  leave: 'So lassen, wie sie sind',
  later: 'Später entscheiden',
  oldOff: 'Das bisherige Sicherungsprogramm ist abgeschaltet',
  oldOffHint: 'Zwei Zeitpläne würden doppelt sichern und nach zwei Regelsätzen ausdünnen.',
};
export default messages;
