import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['plots'] = {
  range: 'Zeitraum',
  days: (count) => (count === 365 ? 'Ein Jahr' : `${count} Tage`),
  nothingYet: 'Noch keine Daten. Sie kommen mit der ersten Sicherung.',
  tooFew: 'Noch zu wenige Daten. Jede Sicherung fügt welche hinzu.',
  when: 'Wann',
  after: 'Nach',
  growth: 'Wachstum',
  size: 'Größe des Repositorys',
  original: 'Größe der Quelldaten',
  added: 'Je Sicherung hinzugekommen',
  same: (days: number) =>
    plural(days, { one: 'So groß wie vor einem Tag.', other: `So groß wie vor ${days} Tagen.` }),
  grew: (size, days) =>
    plural(days, {
      one: `In einem Tag um ${size} gewachsen.`,
      other: `In ${days} Tagen um ${size} gewachsen.`,
    }),
  shrank: (size, days) =>
    plural(days, {
      one: `In einem Tag um ${size} geschrumpft.`,
      other: `In ${days} Tagen um ${size} geschrumpft.`,
    }),
  unusual: (day, size, times) =>
    `Am ${day} kamen durch eine Sicherung ${size} hinzu, das ${times}-Fache des Üblichen. Prüfen Sie, ob sich Dateien ausschließen lassen.`,
  folders: {
    title: 'Welche Ordner gewachsen sind',
    needsIndex:
      'Dafür müssen zwei Archive im Index sein. Holdfast baut ihn im Hintergrund auf, wenn er nicht abgeschaltet ist.',
    between: (from, to) => `Vom Archiv vom ${from} bis zu dem vom ${to}.`,
    up: 'Nach oben',
    directly: 'Dateien direkt darin',
    same: 'Kein Ordner ist gewachsen oder geschrumpft.',
    index: (indexed, all, size) => `Index: ${indexed} von ${all} Archiven, ${size}.`,
    onlyLargest: 'Nur die größten Änderungen sind zu sehen.',
    notIndexed: (count, shown) =>
      plural(count, {
        one: 'Ein Archiv ist noch nicht im Index.',
        other: `${shown} Archive sind noch nicht im Index.`,
      }),
  },
  room: 'Speicherplatz',
  free: 'Freier Platz',
  freeNow: (size) => `${size} frei.`,
  neverFull: 'Bei gleichem Tempo wird es nicht voll.',
  fullIn: (time, day) => `Bei gleichem Tempo ${time} voll (${day}).`,
  durations: 'Dauer',
  ran: 'Gelaufen',
  waited: 'Gewartet',
  waitedAndRan: 'Mit Wartezeit',
  median: 'Median',
  noRuns: 'Keine Sicherungen in diesem Zeitraum.',
  takes: (time, count) =>
    plural(count, {
      one: `Die einzige Sicherung dauerte ${time}.`,
      other: `Die Hälfte der letzten ${count} Sicherungen dauerte weniger als ${time}.`,
    }),
  newestOnly: (count) => `Nur die neuesten ${count} Aufträge werden angezeigt.`,
  longest: (time, day) => `Am ${day} dauerte eine ${time}.`,
  packed: (times) => `${times}-mal kleiner als einzeln`,
};
export default messages;
