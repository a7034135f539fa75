import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['incidents'] = {
  open: 'Offen',
  closed: 'Vorbei',
  noneOpen: 'Alles in Ordnung.',
  noneClosed: 'Noch ist kein Vorfall zu Ende gegangen.',
  causes: {
    late: 'überfällig',
    damaged: 'beschädigt',
    does_not_open: 'lässt sich nicht öffnen',
    host_key_changed: 'anderer Host-Schlüssel',
    delivery_parked: 'Nachrichten kommen nicht an',
    storage_nearly_full: 'Speicher fast voll',
    schedule_failing: 'der Zeitplan schlägt fehl',
    retention_paused: 'das Ausdünnen ruht',
    drill_failed: 'eine Wiederherstellungsprobe schlug fehl',
  },
  states: { open: 'Offen', snoozed: 'Zurückgestellt', over: 'Vorbei' },
  openObject: 'Ansehen',
  since: 'Seit',
  noticed: 'Bemerkt',
  ended: 'Beendet',
  was: 'Was es war',
  attempts: (count, shown) =>
    plural(count, { one: `${shown} Versuch seitdem`, other: `${shown} Versuche seitdem` }),
  tried: 'Was versucht wurde',
  told: 'Wer es erfahren hat',
  nobodyTold: 'Niemand: Dafür ist kein Kanal eingerichtet.',
  snooze: 'Zurückstellen',
  snoozeMeans: 'Bis dahin erinnert niemand daran. Wenn es vorbei ist, erfahren Sie es trotzdem.',
  until: 'Wie lange',
  spans: {
    '1': 'Einen Tag',
    '3': 'Drei Tage',
    '7': 'Eine Woche',
    '30': 'Einen Monat',
    date: 'Bis zu einem Tag',
  },
  date: 'Tag',
  reason: 'Warum',
  reasonHint: 'Für alle, die später nachsehen: „Die Festplatte ist bestellt“.',
  isSnoozed: 'Der Vorfall ist zurückgestellt.',
  snoozedUntil: (when) => `Zurückgestellt bis ${when}`,
  wake: 'Nicht mehr zurückstellen',
  woken: 'Der Vorfall ist nicht mehr zurückgestellt.',
};
export default messages;
