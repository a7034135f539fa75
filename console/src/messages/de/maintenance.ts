import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['maintenance'] = {
  damage: {
    title: 'Eine Prüfung hat Schäden in diesem Repository gefunden.',
    readLog: 'Log der Prüfung öffnen',
    foundBy: (job) => `Gefunden von Prüfung ${job},`,
    archives: (damaged, all) =>
      `${damaged} von ${all} Archiven sind beschädigt. In den anderen wurden keine Schäden gefunden.`,
    whichUnknown:
      'Welche Archive betroffen sind, ist nicht bekannt. Was gefunden wurde, steht im Log der Prüfung.',
    archivesOnly: 'Archive bleiben beschädigt',
    safe: 'Unbeschädigte Dateien lassen sich weiterhin wiederherstellen. Zeitpläne laufen weiter und dünnen vielleicht Archive aus: Schalten Sie sie aus, bis das Repository repariert ist.',
    steps: [
      'Stellen Sie wieder her, was Sie am dringendsten brauchen, und prüfen Sie, ob es unbeschädigt ist.',
      'Kopieren Sie das ganze Repository auf eine andere Platte, bevor Sie etwas ändern.',
      'Suchen Sie die Ursache: Platte, Arbeitsspeicher, Verbindung.',
      'Sichern Sie in ein neues Repository, bis dieses repariert ist.',
      'Reparieren Sie es, und prüfen Sie es danach vollständig.',
    ],
  },
  open: {
    test: 'Jetzt testen',
    opens: 'Es lässt sich wieder öffnen.',
    since: 'Zuerst bemerkt',
    givePassphrase: 'Richtige Passphrase angeben',
    giveKey: 'Schlüsseldatei angeben',
    openHost: 'Host-Schlüssel prüfen',
    full: 'In dieses Repository lässt sich nichts schreiben',
  },
  sign: {
    title: (count) =>
      plural(count, { one: 'Ein Archiv ist nicht signiert', other: `${count} Archive sind nicht signiert` }),
    refused:
      'Das installierte Borg liest sie noch. Borg ab 1.2.5 lehnt sie ab, und seine Reparatur löscht sie: Signieren Sie sie, bevor Sie ein neueres verwenden.',
    button: 'Archive signieren',
    means:
      'Borg vor 1.2.5 hinterließ beim Umbenennen und Reparieren Archive ohne gültige Signatur. Ihre Daten sind unbeschädigt. Signieren Sie sie nur, wenn sonst niemand in dieses Repository schreiben konnte.',
  },
  identity: {
    olderButton: 'Älteren Stand akzeptieren',
    olderMeans:
      'Das Repository wurde auf einen früheren Stand zurückgesetzt. Seither erstellte Archive werden nicht mehr aufgelistet.',
    button: 'Anderes Repository akzeptieren',
    title: 'Hier liegt ein anderes Repository. Akzeptieren?',
    accept: 'Akzeptieren',
    means: (path) =>
      `Unter ${path} liegt ein anderes Repository, oder seine Verschlüsselung hat sich geändert. Jemand mit Schreibrechten könnte es ausgetauscht haben. Akzeptieren Sie es nur, wenn Sie wissen, warum. Seine Archive ersetzen dann die bekannten.`,
    passphrase: 'Seine Passphrase',
    passphraseHint: 'Nur, wenn es eine andere ist als bisher.',
  },
  paused: {
    title: (schedule) => `Das Ausdünnen ruht für den Zeitplan „${schedule}“.`,
    openBackup: 'Sicherung öffnen',
    resume: 'Ausdünnen fortsetzen',
    means:
      'Der letzten Sicherung fehlten Daten, darum wurden ältere Archive behalten. Ist sie in Ordnung, setzen Sie fort: Ihre Größe gilt dann als üblich, und alte Archive werden wieder ausgedünnt.',
  },
  checks: {
    title: 'Prüfungen',
    lead: 'Eine Prüfung findet Schäden, bevor Sie die Daten brauchen.',
    next: (when) => `Nächste geplante Prüfung: ${when}.`,
    notPlanned: 'Es ist keine Prüfung geplant.',
    plan: 'Prüfungen planen',
    never: 'Nie geprüft.',
    history: 'Bisherige Prüfungen',
    nothingFound: 'Keine Schäden',
    damageFound: 'Schäden gefunden',
    how: 'Wie oft?',
    rhythms: {
      weekly: 'Jeden Sonntag um 04:00',
      monthly: 'Am Ersten jedes Monats um 04:00',
      custom: 'Als Cron-Ausdruck',
      never: 'Nur von Hand',
    },
    cron: 'Cron-Ausdruck',
    cronHint: 'Minute, Stunde, Tag, Monat, Wochentag. Beispiel: 30 3 * * 6 für Samstag um 03:30.',
    fields: {
      cron_expression: 'Wann geprüft wird',
      timezone: 'Zeitzone',
      max_duration: 'Zeitgrenze in Sekunden (0: vollständige Prüfung)',
      verify_data: 'Alle Daten prüfen',
    },
  },
  prune: {
    title: 'Ausdünnen',
    lead: 'Zeitpläne mit Aufbewahrungsregeln dünnen automatisch aus. Hier sehen Sie, was Regeln bewirken, und können einmal ausdünnen.',
    whatWouldGo: 'Vorschau',
    show: 'Vorschau zeigen',
    which: 'Welche Archive?',
    ofSchedule: (name) => `Archive des Zeitplans „${name}“`,
    allArchives: 'Alle Archive des Repositorys',
    keep: {
      hourly: 'Stündliche',
      daily: 'Tägliche',
      weekly: 'Wöchentliche',
      monthly: 'Monatliche',
      quarterly: 'Vierteljährliche',
      yearly: 'Jährliche',
    },
    within: 'Alle jünger als',
    withinHint: '10d, 4w, 6m',
    looking: 'Borg wird gefragt. Das kann auf laufende Aufträge warten.',
    fates: { kept: 'Bleiben', pinned: 'Festgehalten', removed: 'Entfernt' },
    timeline: 'Archive, die bleiben und entfernt werden',
    goes: (count, all) =>
      plural(count, {
        one: `Eines von ${all} Archiven würde entfernt.`,
        other: `${count} von ${all} Archiven würden entfernt.`,
      }),
    nothingGoes: (all) =>
      plural(all, {
        one: 'Nichts würde entfernt: Das Archiv bleibt.',
        other: `Nichts würde entfernt: Alle ${all} Archive bleiben.`,
      }),
    noArchives: 'Solche Archive gibt es nicht.',
    moreThanHalf: 'Das ist mehr als die Hälfte der Archive.',
    typeNumber: (count) => `Zur Bestätigung ${count} eintippen`,
    remove: (count) => plural(count, { one: 'Ein Archiv entfernen', other: `${count} Archive entfernen` }),
    started: 'Das Ausdünnen wurde eingereiht.',
    rules: {
      counted: (period, place) => `bleibt: ${period} ${place}`,
      periods: {
        hourly: 'stündlich',
        daily: 'täglich',
        weekly: 'wöchentlich',
        monthly: 'monatlich',
        quarterly: 'vierteljährlich',
        yearly: 'jährlich',
        within: 'jung genug',
      },
      others: {
        removed: 'wird entfernt',
        'newest good archive': 'bleibt: das neueste gute',
        'newest archive with all sources': 'bleibt: das neueste vollständige',
        'made by the run that prunes': 'bleibt: gerade erstellt',
        'in the future': 'bleibt: sein Datum liegt in der Zukunft',
      },
      pinned: (reason) => `bleibt: festgehalten, ${reason}`,
      newestWith: (path) => `bleibt: das neueste mit ${path}`,
    },
  },
  lost: {
    unknown:
      'Holdfast hat keinen Index dieses Repositorys und kann deshalb nicht sagen, welche Dateien verloren gingen.',
    none: 'Keine Datei ginge verloren: Andere Archive haben von allen eine Version.',
    noneYet: 'Es ist keine Datei bekannt, die verloren ginge.',
    some: (count, shown, size) =>
      plural(count, {
        one: `Eine Datei (${size}) ginge verloren: Kein anderes Archiv hat eine Version davon.`,
        other: `${shown} Dateien (${size}) gingen verloren: Kein anderes Archiv hat eine Version davon.`,
      }),
    notIndexed: (count, shown) =>
      plural(count, {
        one: 'Ein Archiv ist noch nicht im Index; das kann sich also ändern.',
        other: `${shown} Archive sind noch nicht im Index; das kann sich also ändern.`,
      }),
    byFolder: 'Ordner',
    largest: 'Die größten Dateien',
  },
  compact: {
    appendOnly:
      'Dieses Repository lässt sich nur erweitern: Entfernte Archive behalten ihren Platz, bis sein Eigentümer das ändert.',
    title: 'Verdichten',
    lead: 'Entfernte Archive belegen Platz, bis das Repository verdichtet wird.',
    last: 'Zuletzt verdichtet:',
    freed: (size, count) =>
      plural(count, {
        one: `Dabei wurden ${size} frei.`,
        other: `Die letzten ${count} Male wurden zusammen ${size} frei.`,
      }),
    button: 'Jetzt verdichten',
    started: 'Das Verdichten wurde eingereiht.',
  },
  lock: {
    title: 'Sperre',
    lead: 'Borg sperrt ein Repository, während es schreibt. Bleibt die Sperre nach einem Absturz, blockiert sie alle Aufträge.',
    button: 'Sperre entfernen',
    removed: 'Die Sperre wurde entfernt.',
    holder: 'Gehalten wurde sie von',
    means:
      'Schreibt gerade ein anderer Rechner, kann das Entfernen seiner Sperre das Repository zerstören. Stellen Sie sicher, dass keiner schreibt. Solange ein Auftrag von Holdfast es benutzt, wird die Sperre nicht entfernt.',
  },
  repair: {
    title: 'Reparatur',
    lead: 'Nur nachdem eine Prüfung Schäden gefunden hat und Sie das Repository kopiert haben.',
    button: 'Repository reparieren',
    means:
      'Eine Reparatur stellt wieder her, was sie kann, und ersetzt verlorene Teile von Dateien durch Nullen. Was jetzt noch lesbar ist, kann danach verloren sein.',
    copied: 'Ich habe das Repository kopiert.',
    deletes: 'Die Inhalte dieser Archive sind nicht mehr zu finden. Eine Reparatur löscht sie:',
    mayDelete: 'Die Reparatur darf diese Archive löschen.',
    started: 'Die Reparatur wurde eingereiht.',
  },
};
export default messages;
