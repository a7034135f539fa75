import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['incidents'] = {
  open: 'Offen',
  closed: 'Gelöst',
  noneOpen: 'Keine offenen Vorfälle.',
  noneClosed: 'Noch keine gelösten Vorfälle.',
  causes: {
    late: 'überfällig',
    damaged: 'beschädigt',
    cannot_open: 'lässt sich nicht öffnen',
    archives_unsigned: 'Archive sind nicht signiert',
    host_key_changed: 'anderer Host-Schlüssel',
    delivery_parked: 'Nachrichten kommen nicht an',
    storage_full: 'Speicher voll',
    storage_nearly_full: 'Speicher fast voll',
    schedule_failing: 'der Zeitplan schlägt fehl',
    retention_paused: 'das Ausdünnen ruht',
    drill_failed: 'eine Wiederherstellungsprobe ist fehlgeschlagen',
    planned_too_far: 'nächster Lauf zu weit in der Zukunft',
  },
  states: { open: 'Offen', snoozed: 'Zurückgestellt', over: 'Gelöst' },
  openObject: 'Einzelheiten zeigen',
  since: 'Seit',
  noticed: 'Bemerkt',
  was: 'Problem',
  attempts: (count, shown) =>
    plural(count, { one: `${shown} Versuch seitdem`, other: `${shown} Versuche seitdem` }),
  tried: 'Versuche',
  told: 'Benachrichtigt',
  noChannel: 'Niemand: Dafür ist kein Kanal eingerichtet.',
  snooze: 'Zurückstellen',
  snoozeMeans: 'Bis dahin keine Erinnerungen. Wird er gelöst, werden Sie trotzdem benachrichtigt.',
  until: 'Wie lange',
  spans: {
    '1': 'Einen Tag',
    '3': 'Drei Tage',
    '7': 'Eine Woche',
    '30': 'Einen Monat',
    date: 'Bis zu einem Datum',
  },
  reasonHint: 'Für andere: „Neue Platte ist bestellt“.',
  isSnoozed: 'Der Vorfall ist zurückgestellt.',
  snoozedUntil: (when) => `Zurückgestellt bis ${when}`,
  wake: 'Zurückstellung beenden',
  woken: 'Der Vorfall ist nicht mehr zurückgestellt.',
};
export default messages;
