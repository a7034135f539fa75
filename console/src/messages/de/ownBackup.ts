import type { Messages } from '../areas.js';

const messages: Messages['ownBackup'] = {
  title: 'Sicherung von Holdfast selbst',
  lead: 'Jeden Tag kommt eine Kopie der Datenbank, des geheimen Schlüssels und der Daten der Plugins in ein eigenes Repository. Damit kommt auf einer leeren Maschine alles zurück.',
  place: 'Ort',
  placeHint: 'Am besten auf einer anderen Platte. Leer: der vorgeschlagene Ort.',
  placeThereHint: 'Auf jener Maschine. ./ ist dort das Heimatverzeichnis.',
  choose: 'Ordner wählen',
  switchOn: 'Einschalten',
  switchOff: 'Ausschalten',
  switchOffTitle: 'Die Sicherung von Holdfast selbst ausschalten?',
  switchOffMeans:
    'Die Kopien bleiben in ihrem Repository. Neue entstehen nicht: Geht diese Maschine verloren, ist auch verloren, was sich ab jetzt ändert.',
  isOn: 'Holdfast sichert jetzt sich selbst.',
  isOff: 'Holdfast sichert sich nicht mehr selbst.',
  states: {
    off: 'Sie ist ausgeschaltet. Geht diese Maschine verloren, ist auch verloren, was sich seit der letzten Kopie geändert hat.',
    waiting: 'Sie ist eingeschaltet. Die erste Kopie steht noch aus.',
    failing: 'Die letzte Kopie ist nicht gelungen:',
    old: 'Die letzte Kopie ist älter als zwei Tage.',
    well: 'Sie ist eingeschaltet, und die letzte Kopie ist frisch.',
  },
  sameDisk:
    'Die Kopien liegen auf derselben Platte wie die Daten von Holdfast und wären mit ihr verloren. Wählen Sie eine andere Platte oder Maschine.',
  lastCopy: 'Letzte Kopie',
  nextRun: 'Nächster Lauf',
  none: 'Noch keine',
  notPlanned: 'Nicht geplant',
  toRepository: 'Ihr Repository',
};
export default messages;
