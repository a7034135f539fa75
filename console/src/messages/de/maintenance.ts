import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['maintenance'] = {
  damage: {
    title: 'Eine Prüfung hat Schäden in diesem Repository gefunden.',
    readLog: 'Protokoll der Prüfung lesen',
    foundBy: (job) => `Gefunden von Prüfung ${job},`,
    archives: (damaged, all) =>
      `${damaged} von ${all} Archiven sind beschädigt. In den anderen wurde kein Schaden gefunden.`,
    whichUnknown: 'Welche Archive betroffen sind, ist nicht bekannt: Das Protokoll sagt, was gefunden wurde.',
    archivesOnly: 'Archive bleiben beschädigt',
    safe: 'Unbeschädigte Dateien lassen sich weiterhin zurückholen. Zeitpläne laufen weiter und dünnen vielleicht Archive aus: Schalten Sie sie ab, bis es repariert ist.',
    steps: [
      'Holen Sie zurück, was Sie am dringendsten brauchen, und sehen Sie nach, ob es heil ist.',
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
    openHost: 'Hostschlüssel ansehen',
    full: 'In dieses Repository lässt sich nichts schreiben',
  },
  sign: {
    title: (count) =>
      plural(count, { one: 'Ein Archiv ist nicht signiert', other: `${count} Archive sind nicht signiert` }),
    refused:
      'Das installierte Borg liest sie noch. Borg ab 1.2.5 lehnt sie ab, und seine Reparatur löscht sie: Signieren Sie sie, bevor Sie ein neueres verwenden.',
    button: 'Archive signieren',
    means:
      'Borg vor 1.2.5 hinterließ beim Umbenennen und Reparieren Archive ohne gültige Signatur. Ihre Daten sind heil. Das Signieren nimmt sie so an, wie sie jetzt sind: Tun Sie es nur, wenn sonst niemand in dieses Repository schreiben konnte.',
  },
  identity: {
    olderButton: 'Älteren Stand annehmen',
    olderMeans:
      'Das Repository wurde auf einen früheren Stand zurückgesetzt. Seither erstellte Archive werden nicht mehr aufgelistet.',
    button: 'Anderes Repository anerkennen',
    title: 'Hier liegt ein anderes Repository. Anerkennen?',
    accept: 'Anerkennen',
    means: (path) =>
      `Unter ${path} liegt ein anderes Repository als bisher, oder seine Verschlüsselung hat sich geändert. Jemand mit Schreibrechten könnte es ausgetauscht haben. Erkennen Sie es nur an, wenn Sie wissen, warum. Seine Archive ersetzen dann die bekannten.`,
    passphrase: 'Seine Passphrase',
    passphraseHint: 'Nur, wenn es eine andere ist als bisher.',
  },
  paused: {
    title: (schedule) => `Das Ausdünnen ruht für den Zeitplan „${schedule}“.`,
    openBackup: 'Sicherung ansehen',
    resume: 'Ausdünnen fortsetzen',
    means:
      'Der letzten Sicherung fehlten Daten, darum wurden ältere Archive behalten. Ist sie in Ordnung, setzen Sie fort: Ihre Größe gilt dann als üblich, und alte Archive werden wieder ausgedünnt.',
  },
  checks: {
    title: 'Prüfungen',
    lead: 'Eine Prüfung findet Schäden, bevor Sie die Daten brauchen.',
    next: (when) => `Nächste geplante Prüfung: ${when}.`,
    notPlanned: 'Keine Prüfung ist geplant.',
    plan: 'Prüfungen planen',
    never: 'Nie geprüft.',
    history: 'Bisherige Prüfungen',
    nothingFound: 'Kein Schaden',
    damageFound: 'Schaden gefunden',
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
      cron_expression: 'Zeit der Prüfungen',
      timezone: 'Zeitzone',
      max_duration: 'Längste Dauer in Sekunden (0: volle Prüfung)',
      verify_data: 'Alle Daten prüfen',
    },
  },
  prune: {
    title: 'Ausdünnen',
    lead: 'Zeitpläne mit Regeln dünnen automatisch aus. Hier sehen Sie, was Regeln bewirken, und können einmal ausdünnen.',
    whatWouldGo: 'Vorschau',
    show: 'Vorschau zeigen',
    which: 'Welche Archive?',
    ofSchedule: (name) => `Die des Zeitplans ${name}`,
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
    looking: 'Borg wird gefragt. Das wartet vielleicht auf laufende Aufträge.',
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
    started: 'Das Ausdünnen ist eingereiht.',
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
      newestWith: (path) => `bleibt: das neueste mit ${path}`,
    },
  },
  compact: {
    appendOnly:
      'Dieses Repository lässt sich nur erweitern: Entfernte Archive behalten ihren Platz, bis sein Eigentümer das ändert.',
    title: 'Verdichten',
    lead: 'Entfernte Archive belegen Platz, bis das Repository verdichtet wird.',
    last: 'Zuletzt verdichtet:',
    freed: (size, count) =>
      plural(count, {
        one: `Es gab ${size} frei.`,
        other: `Die letzten ${count} Male gaben zusammen ${size} frei.`,
      }),
    button: 'Jetzt verdichten',
    started: 'Das Verdichten ist eingereiht.',
  },
  lock: {
    title: 'Sperre',
    lead: 'Borg sperrt ein Repository, während es schreibt. Bleibt die Sperre nach einem Absturz, blockiert sie alle Aufträge.',
    button: 'Sperre entfernen',
    removed: 'Die Sperre ist entfernt.',
    holder: 'Gehalten wurde sie von',
    means:
      'Schreibt gerade ein anderer Rechner, kann das Entfernen seiner Sperre das Repository zerstören. Stellen Sie sicher, dass keiner schreibt. Solange ein eigener Auftrag es benutzt, lehnt Holdfast ab.',
  },
  repair: {
    title: 'Reparatur',
    lead: 'Nur nachdem eine Prüfung Schäden gefunden hat und das Repository kopiert ist.',
    button: 'Repository reparieren',
    means:
      'Eine Reparatur stellt her, was sie kann, und ersetzt verlorene Teile von Dateien durch Nullen. Was jetzt noch lesbar ist, kann danach verloren sein.',
    copied: 'Ich habe das Repository vorher kopiert.',
    deletes: 'Die Inhalte dieser Archive sind nicht mehr zu finden. Eine Reparatur löscht sie:',
    mayDelete: 'Die Reparatur darf diese Archive löschen.',
    started: 'Die Reparatur ist eingereiht.',
  },
};
export default messages;
