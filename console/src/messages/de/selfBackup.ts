import type { Messages } from '../areas.js';

const messages: Messages['selfBackup'] = {
  title: 'Sicherung von Holdfast selbst',
  lead: 'Jeden Tag sichert Holdfast seine Datenbank, den geheimen Schlüssel und die Daten der Plugins in ein eigenes Repository. Damit kommt auf einem leeren Rechner alles zurück.',
  place: 'Speicherort',
  placeHint: 'Am besten auf einer anderen Platte. Leer: der vorgeschlagene.',
  placeThereHint: 'Auf jenem Rechner. ./ ist das Heimatverzeichnis.',
  choose: 'Ordner wählen',
  switchOn: 'Einschalten',
  switchOff: 'Ausschalten',
  switchOffTitle: 'Die Sicherung von Holdfast selbst ausschalten?',
  switchOffMeans:
    'Die Kopien bleiben in ihrem Repository. Neue entstehen nicht: Geht dieser Server verloren, ist auch verloren, was sich ab jetzt ändert.',
  isOn: 'Holdfast sichert jetzt sich selbst.',
  isOff: 'Holdfast sichert sich nicht mehr selbst.',
  states: {
    off: 'Ausgeschaltet. Geht dieser Server verloren, ist auch verloren, was sich seit der letzten Kopie geändert hat.',
    waiting: 'Eingeschaltet. Die erste Kopie steht noch aus.',
    failing: 'Die letzte Kopie ist nicht gelungen:',
    old: 'Die letzte Kopie ist älter als zwei Tage.',
    well: 'Eingeschaltet. Die letzte Kopie ist frisch.',
  },
  sameDisk:
    'Die Kopien liegen auf derselben Platte wie die Daten von Holdfast und wären mit ihr verloren. Wählen Sie eine andere Platte oder einen anderen Rechner.',
  lastCopy: 'Letzte Kopie',
  nextRun: 'Nächster Lauf',
  none: 'Noch keine',
  notPlanned: 'Nicht geplant',
  toRepository: 'Ihr Repository',
};
export default messages;
