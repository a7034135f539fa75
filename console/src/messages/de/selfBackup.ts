import type { Messages } from '../areas.js';

const messages: Messages['selfBackup'] = {
  title: 'Sicherung von Holdfast selbst',
  lead: 'Täglich sichert Holdfast seine Datenbank, den geheimen Schlüssel und die Daten der Plugins in ein eigenes Repository. Damit lässt sich alles auf einem leeren Rechner wiederherstellen.',
  place: 'Speicherort',
  placeHint: 'Am besten auf einer anderen Platte. Leer lassen für den vorgeschlagenen Speicherort.',
  placeThereHint: 'Auf dem anderen Rechner. ./ ist das Home-Verzeichnis.',
  choose: 'Ordner wählen',
  switchOn: 'Einschalten',
  switchOff: 'Ausschalten',
  switchOffTitle: 'Die Sicherung von Holdfast selbst ausschalten?',
  switchOffMeans:
    'Die Kopien bleiben in ihrem Repository. Neue entstehen nicht: Wenn Sie diesen Server verlieren, verlieren Sie alle Änderungen ab jetzt.',
  isOn: 'Holdfast sichert jetzt sich selbst.',
  isOff: 'Holdfast sichert sich nicht mehr selbst.',
  states: {
    off: 'Ausgeschaltet. Wenn Sie diesen Server verlieren, verlieren Sie alle Änderungen seit der letzten Kopie.',
    waiting: 'Eingeschaltet. Die erste Kopie steht noch aus.',
    failing: 'Die letzte Kopie ist fehlgeschlagen:',
    old: 'Die letzte Kopie ist älter als zwei Tage.',
    well: 'Eingeschaltet. Die letzte Kopie ist aktuell.',
  },
  sameDisk:
    'Die Kopien liegen auf derselben Platte wie die Daten von Holdfast und wären mit ihr verloren. Wählen Sie eine andere Platte oder einen anderen Rechner.',
  lastCopy: 'Letzte Kopie',
  none: 'Noch keine',
  notPlanned: 'Nicht geplant',
  toRepository: 'Repository der Kopien',
};
export default messages;
