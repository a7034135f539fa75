import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['maintenance'] = {
  damage: {
    title: 'Eine Prüfung hat Schäden in diesem Repository gefunden.',
    readLog: 'Protokoll der Prüfung lesen',
    foundBy: (job) => `Gefunden von Prüfung ${job},`,
    archives: (damaged, all) =>
      `Von ${all} Archiven sind ${damaged} als beschädigt bekannt. Von den anderen ist kein Schaden bekannt.`,
    whichUnknown: 'Welche Archive betroffen sind, ist nicht bekannt: Das Protokoll sagt, was gefunden wurde.',
    archivesOnly: 'Archive bleiben beschädigt',
    safe: 'Was nicht betroffen ist, lässt sich weiterhin zurückholen. Zeitpläne laufen weiter und entfernen alte Archive, wenn sie Regeln haben: Schalten Sie sie ab, bis es repariert ist.',
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
      'Das Repository wurde auf einen früheren Stand zurückgesetzt. Holdfast vergisst, was es vom späteren wusste.',
    button: 'Anderes Repository anerkennen',
    title: 'Ein anderes Repository an diesem Ort anerkennen?',
    accept: 'Anerkennen',
    means: (path) =>
      `Unter ${path} liegt ein anderes Repository als das eingetragene, oder seine Verschlüsselung hat sich geändert. Jemand, der dort schreiben kann, könnte es dort hingelegt haben. Erkennen Sie es nur an, wenn Sie wissen, warum. Seine Archive ersetzen dann die bekannten.`,
    passphrase: 'Seine Passphrase',
    passphraseHint: 'Nur, wenn es eine andere ist als bisher.',
  },
  paused: {
    title: (schedule) => `Der Zeitplan ${schedule} entfernt hier keine Archive.`,
    openBackup: 'Sicherung ansehen',
    resume: 'Wieder entfernen lassen',
    means:
      'Der letzten Sicherung fehlten Daten, darum wurden ältere Archive behalten. Wenn sie so ist, wie sie sein soll, gilt ihre Größe ab jetzt als üblich, und alte Archive werden wieder nach den Regeln entfernt.',
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
      never: 'Nie von selbst',
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
    title: 'Alte Archive entfernen',
    lead: 'Zeitpläne mit Regeln tun das von selbst. Hier sehen Sie, was Regeln bewirken, und können es einmal tun.',
    whatWouldGo: 'Was würde verschwinden?',
    show: 'Zeigen, was verschwinden würde',
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
    looking: 'Holdfast fragt das Sicherungsprogramm. Das wartet vielleicht auf laufende Aufträge.',
    timeline: 'Archive, die bleiben und verschwinden',
    goes: (count, all) =>
      plural(count, {
        one: `Eines von ${all} Archiven würde verschwinden.`,
        other: `${count} von ${all} Archiven würden verschwinden.`,
      }),
    nothingGoes: (all) =>
      plural(all, {
        one: 'Nichts würde verschwinden: Das Archiv bleibt.',
        other: `Nichts würde verschwinden: Alle ${all} Archive bleiben.`,
      }),
    noArchives: 'Solche Archive gibt es nicht.',
    moreThanHalf: 'Das ist mehr als die Hälfte der Archive.',
    typeNumber: (count) => `Zur Bestätigung ${count} eintippen`,
    remove: (count) => plural(count, { one: 'Ein Archiv entfernen', other: `${count} Archive entfernen` }),
    started: 'Das Entfernen ist eingereiht.',
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
        removed: 'verschwindet',
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
    title: 'Platz freigeben',
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
    lead: 'Borg sperrt ein Repository, während es schreibt. Eine Sperre, die nach einem Absturz bleibt, hält alles auf.',
    button: 'Sperre entfernen',
    removed: 'Die Sperre ist entfernt.',
    holder: 'Gehalten wurde sie von',
    means:
      'Schreibt gerade eine andere Maschine, kann das Entfernen ihrer Sperre das Repository zerstören. Stellen Sie sicher, dass keine schreibt. Solange ein eigener Auftrag es benutzt, lehnt Holdfast ab.',
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
