import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['home'] = {
  headline: {
    empty: () => 'Noch ist nichts geschützt.',
    protected: (total) =>
      plural(total, {
        one: 'Ihr Repository ist geschützt.',
        other: `Alle ${total} Repositorys sind geschützt.`,
      }),
    late: (count, total) =>
      total === 1
        ? 'Ihre Sicherung ist überfällig.'
        : `${count} von ${total} Sicherungen ${count === 1 ? 'ist' : 'sind'} überfällig.`,
    unknown: (count, total) =>
      total === 1
        ? 'Ob Ihr Repository geschützt ist, ist unbekannt.'
        : `Bei ${count} von ${total} Repositorys ist der Schutz unbekannt.`,
    noArchive: (count, total) =>
      total === 1
        ? 'Ihr Repository hat noch kein Archiv.'
        : `${count} von ${total} Repositorys ${count === 1 ? 'hat' : 'haben'} noch kein Archiv.`,
    drill: (count, total) =>
      total === 1
        ? 'Die letzte Wiederherstellungsprobe ist fehlgeschlagen.'
        : `Bei ${count} von ${total} Repositorys ist die letzte Wiederherstellungsprobe fehlgeschlagen.`,
    damaged: (count, total) =>
      total === 1
        ? 'Ihr Repository ist beschädigt.'
        : `${count} von ${total} Repositorys ${count === 1 ? 'ist' : 'sind'} beschädigt.`,
    unreachable: (count, total) =>
      total === 1
        ? 'Ihr Repository lässt sich nicht öffnen.'
        : `${count} von ${total} Repositorys lassen sich nicht öffnen.`,
    classes: {
      damaged: (count) => `${count} beschädigt`,
      unreachable: (count) => `${count} nicht zu öffnen`,
      late: (count) => `${count} überfällig`,
      drill: (count) => `${count} mit fehlgeschlagener Wiederherstellungsprobe`,
      unknown: (count) => `${count} unbekannt`,
      protected: (count) => `${count} geschützt`,
    },
  },
  oldest: (name, ago) => `Älteste Sicherung: ${name} (${ago})`,
  nextRun: (name, when) => `Als Nächstes: ${name}, ${when}.`,
  allPaused: (until) => `Die Zeitpläne ruhen bis ${until}.`,
  waiting: (name: string) => `${name} wartet.`,
  paused: (name, until) => `${name} ruht bis ${until}.`,
  movedIn: (total, observed, first) =>
    [
      plural(total, { one: 'Importiert: 1 Repository', other: `Importiert: ${total} Repositorys` }),
      observed > 0 && (observed === total ? 'nur beobachtet' : `${observed} davon nur beobachtet`),
      first ? `erste Sicherung ${first}` : observed < total && 'keine Sicherung geplant',
    ]
      .filter(Boolean)
      .join('; ')
      .concat('.'),
  external: (count) =>
    plural(count, {
      one: 'Ein anderes Programm sichert noch 1 Repository.',
      other: `Ein anderes Programm sichert noch ${count} Repositorys.`,
    }),
  noNextRun: 'Nichts ist geplant.',
  needsYou: (count) => `Handlungsbedarf (${count})`,
  more: (count) => `${count} weitere`,
  incidents: 'Alle Vorfälle',
  why: 'Warum',
  showEach: 'Einzeln anzeigen',
  hideEach: 'Ausblenden',
  andMore: (names, others) => (others > 0 ? `${names} und ${others} weitere` : names),
  causes: {
    damaged: (count) => `${count} Repositorys sind beschädigt`,
    cannot_open: (count) => `${count} Repositorys lassen sich nicht öffnen`,
    mass_change: (count) => `Bei ${count} Repositorys haben sich die meisten Dateien geändert`,
    drill_failed: (count) => `Bei ${count} Repositorys ist die Wiederherstellungsprobe fehlgeschlagen`,
    late: (count) => `${count} Sicherungen sind überfällig`,
    archives_unsigned: (count) => `${count} Repositorys haben Archive ohne Signatur`,
    host_key_changed: (count) => `Der Hostschlüssel von ${count} Hosts hat sich geändert`,
    delivery_parked: (count) => `${count} Benachrichtigungskanäle stellen nichts zu`,
    storage_full: (count) => `${count} Speicherorte sind voll`,
    storage_nearly_full: (count) => `${count} Speicherorte sind fast voll`,
    schedule_failing: (count) => `${count} Zeitpläne schlagen fehl`,
    planned_too_far: (count) => `${count} Zeitpläne laufen zu selten`,
    retention_paused: (count) => `Bei ${count} Zeitplänen ist die Aufbewahrung angehalten`,
    archive_incomplete: (count) => `Bei ${count} Repositorys ist das neueste Archiv unvollständig`,
    list_outdated: (count) => `Die Archive von ${count} Repositorys wurden lange nicht gelistet`,
    unknown: (count) => `Bei ${count} Repositorys ist unbekannt, ob sie geschützt sind`,
    not_covered: (count) => `${count} Repositorys sind in keinem eingeschalteten Zeitplan`,
    other: (count) => `${count} ähnliche Probleme`,
  },
  makeSheet: 'Notfallblatt erstellen',
  setUp: 'Kanal hinzufügen',
  backUpAll: 'Alle sichern',
  backupStarted: (name) => `Sicherung von ${name} gestartet.`,
  snoozed: (until) => `zurückgestellt bis ${until}`,
  since: (when) => `seit ${when}`,
  running: 'Läuft gerade',
  jobs: (running, waiting) =>
    [running > 0 && `${running} laufend`, waiting > 0 && `${waiting} wartend`].filter(Boolean).join(', '),
  days: '30 Tage',
  stored: 'gespeichert',
  grew: (from, to) => `von ${from} auf ${to} in 30 Tagen`,
  fullFirst: (where, free, when) => `${where}: ${free} frei, ${when} voll`,
  today: (done, failed) => `Heute: ${done} erledigt, ${failed} fehlgeschlagen`,
  activity: 'Aktivität anzeigen',
  isRunning: 'läuft gerade',
  percentDone: (name) => `Fortschritt von ${name}`,
  find: 'Repository, Rechner oder Tag suchen',
  groupBy: 'Gruppieren nach',
  host: 'Rechner',
  noTag: 'Ohne Tag',
  thisMachine: 'Dieser Server',
  newest: (ago) => `neuestes Archiv ${ago}`,
  noArchive: 'noch kein Archiv',
  lastProof: 'Zuletzt getestet',
  lastProofLead: 'Eine Sicherung ist getestet, wenn Dateien daraus wiederhergestellt und verglichen wurden.',
  proven: (count, total) => `${count} von ${total} innerhalb von 90 Tagen wiederhergestellt und verglichen.`,
  provenEach: 'Jedes Repository',
  drilled: (when) => `wiederhergestellt und verglichen ${when}`,
  restored: (when) => `wiederhergestellt ${when}`,
  checked: (when) => `vollständig geprüft ${when}`,
  neverProven: 'noch nicht getestet',
  haveRepositories: 'Ich habe Borg-Repositorys',
  emptyLead: 'Wählen Sie, was Sie nicht verlieren dürfen. Es dauert etwa fünf Minuten.',
};
export default messages;
