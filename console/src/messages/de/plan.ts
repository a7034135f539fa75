import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['plan'] = {
  every: 'Läuft',
  choices: {
    day: 'Jeden Tag',
    days: 'An bestimmten Wochentagen',
    hour: 'Jede Stunde',
    custom: 'Eigene Regel (Cron)',
    manual: 'Nur von Hand',
  },
  time: 'Um',
  minute: 'Minuten nach der vollen Stunde',
  onDays: 'Tage',
  cron: 'Cron-Ausdruck',
  cronHint: 'Fünf Felder: Minute, Stunde, Tag des Monats, Monat, Wochentag.',
  zone: 'Zeitzone',
  nextRuns: 'Die nächsten fünf Läufe',
  alsoHere: (there, here) => `${there} (hier ${here})`,
  manual: 'Nur von Hand',
  hourly: (minute) => (minute === 0 ? 'Jede Stunde' : `Jede Stunde zur Minute ${minute}`),
  byCron: (cron, place) => `Nach dem Cron-Ausdruck ${cron} (${place})`,
  daily: (time, place) => `Jeden Tag um ${time} (${place})`,
  weekdays: (time, place) => `Montag bis Freitag um ${time} (${place})`,
  onCertainDays: (days, time, place) => `${days} um ${time} (${place})`,
  keep: 'Wie lange Archive aufbewahrt werden',
  presets: { light: 'Kurz', standard: 'Standard', long: 'Lang', everything: 'Alles' },
  everythingMeans: 'Nichts wird entfernt. Das Repository wächst immer weiter.',
  ownCounts: 'Eigene Anzahlen',
  within: 'Und alles aus den letzten',
  keepsNothing: 'Damit bleibt nichts. Setzen Sie mindestens eine Anzahl über 0.',
  keepsEverything: 'behält alles',
  keeps: (what) => `behält ${what}`,
  allOf: 'unbegrenzt viele',
  noLimit: 'ohne Grenze',
  keptOf: {
    hourly: (count) => `${count} stündliche`,
    daily: (count) => `${count} tägliche`,
    weekly: (count) => `${count} wöchentliche`,
    monthly: (count) => `${count} monatliche`,
    quarterly: (count) => `${count} vierteljährliche`,
    yearly: (count) => `${count} jährliche`,
  },
  allWithin: (time) => `alle aus ${time}`,
  simulated: (kept, shown, made, oldest) =>
    plural(kept, {
      one: `Nach 400 Tagen ist ${shown} von ${made} Archiven übrig (vom ${oldest}).`,
      other: `Nach 400 Tagen sind ${shown} von ${made} Archiven übrig (das älteste vom ${oldest}).`,
    }),
  daysAgo: (days) => `vor ${days} Tagen`,
  today: 'heute',
  noneYet: 'Noch fällt kein Archiv unter diese Regeln.',
  allStay: (count, shown) =>
    plural(count, {
      one: `Das vorhandene Archiv bleibt. Es fällt nicht unter einen neuen Zeitplan; Sie können es später übernehmen.`,
      other: `Alle ${shown} vorhandenen Archive bleiben. Keines fällt unter einen neuen Zeitplan; Sie können sie später übernehmen.`,
    }),
  wouldStay: (all, kept) => `Dieser Zeitplan würde ${kept} seiner ${all} Archive behalten.`,
};

export default messages;
