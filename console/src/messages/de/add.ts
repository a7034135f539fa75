import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['add'] = {
  title: 'Einen Ordner schützen',
  stepOf: (step, all) => `Schritt ${step} von ${all}`,
  whatTitle: 'Was möchten Sie schützen?',
  whatLead: 'Angelegt wird erst im letzten Schritt; zurück können Sie jederzeit.',
  machine: 'Rechner',
  thisMachine: 'Dieser Server',
  thisMachineOnly: 'Auf diesem Server.',
  addHost: 'Anderen Rechner hinzufügen',
  folders: 'Ordner',
  chooseFolder: 'Wählen Sie mindestens einen Ordner oder eine Datenbank.',
  databasesLost: (names) =>
    `Die Seite wurde neu geladen, und Passwörter speichert der Browser nie. Fügen Sie diese neu hinzu, oder fahren Sie ohne sie fort: ${names}`,
  often: 'Oft gewählt:',
  protectThis: (path) => `${path} schützen`,
  lookAtThem: 'Diese Ordner prüfen',
  counting: 'Die Dateien werden gezählt. Das dauert bis zu 20 Sekunden; Sie können inzwischen fortfahren.',
  atLeast: (text) => `Mindestens ${text}: Die Zeit reichte nicht, um alles zu zählen.`,
  notCounted: 'Dateien auf anderen Rechnern lassen sich von hier aus nicht zählen.',
  nothingReadable:
    'Holdfast findet dort keine lesbare Datei; die Sicherung wäre leer. Geben Sie Holdfast Leserechte, oder wählen Sie einen anderen Ordner.',
  leaveOut: (count) =>
    count === 0
      ? 'Nichts ist ausgeschlossen'
      : plural(count, {
          one: 'Eine Art von Dateien ist ausgeschlossen',
          other: `${count} Arten von Dateien sind ausgeschlossen`,
        }),
  moreLater: 'Eigene Muster können Sie später in den Einstellungen des Repositorys setzen.',
  whereTitle: 'Wohin mit den Sicherungen?',
  whereLead:
    'Am besten auf eine andere Platte oder einen anderen Rechner: Eine Sicherung neben dem Original geht mit ihm verloren.',
  kinds: { disk: 'Platte dieses Servers', removable: 'Wechseldatenträger', network: 'Netzwerkordner' },
  best: 'Empfohlen',
  shared: (isHost, paths) =>
    `${isHost ? 'Derselbe Rechner' : 'Dieselbe Platte'} wie ${paths}: Bei einem Ausfall ist beides verloren.`,
  small: (size) => `Die Ordner haben ${size} und passen vielleicht nicht.`,
  place: 'Ordner für Sicherungen',
  placeHint: 'Auf diesem Server. Darin wird ein Ordner für diese Sicherung angelegt.',
  placeThereHint: 'Auf dem anderen Rechner. Ein Punkt steht für das Home-Verzeichnis.',
  placeWrong:
    'Wählen Sie einen Ordner, oder geben Sie den ganzen Pfad ein, mit einem Schrägstrich am Anfang.',
  placeIn:
    'Das Repository kann nicht in einem Ordner liegen, den es sichert. Wählen Sie einen anderen Speicherort.',
  chooseFolderHere: 'Ordner wählen',
  name: 'Name',
  willBe: 'Die Sicherungen liegen dann in',
  lookAtPlace: 'Speicherort prüfen',
  looking: 'Der Speicherort wird geprüft.',
  free: (size) => `${size} frei.`,
  hasRepository: 'Ich habe schon ein Borg-Repository',
  secretTitle: 'Eine Passphrase für die Sicherungen',
  secretLead:
    'Sie verschlüsselt die Sicherungen. Ohne sie kann niemand sie lesen, auch Sie nicht. Bewahren Sie sie außerhalb dieses Servers auf.',
  proposal: 'Vorgeschlagene Passphrase',
  newProposal: 'Neue Passphrase vorgeschlagen',
  another: 'Eine andere vorschlagen',
  useOwn: 'Eigene verwenden',
  ownPassphrase: 'Ihre Passphrase',
  proposeOne: 'Eine vorschlagen',
  tooShort: 'Bitte mindestens 8 Zeichen. Sechs Wörter sind besser.',
  sheetTitle: 'Sicher aufbewahren',
  sheetLead:
    'Das Blatt enthält die Passphrase, den Speicherort und die Befehle, mit denen sich die Sicherungen ohne Holdfast lesen lassen. Drucken Sie es, oder bewahren Sie die Datei in einem Passwort-Manager auf.',
  download: 'Blatt herunterladen',
  print: 'Blatt drucken',
  keptElsewhere: 'Ich bewahre die Passphrase anderswo auf',
  sheetSaved: 'Das Blatt wurde gespeichert.',
  sheetMissing:
    'Laden Sie zuerst das Blatt herunter oder drucken Sie es, oder bestätigen Sie, dass Sie die Passphrase anderswo aufbewahren.',
  proveTitle: 'Haben Sie eine Kopie?',
  second: 'Zweites Wort',
  fifth: 'Fünftes Wort',
  wrongWord: 'Dieses Wort stimmt nicht.',
  onceMore: 'Passphrase wiederholen',
  notSame: 'Die Passphrasen stimmen nicht überein.',
  reloaded:
    'Die Seite wurde neu geladen, und die Passphrase wird nie im Browser gespeichert. Geben Sie sie von Ihrem Blatt ein und speichern Sie das Blatt noch einmal, oder erzeugen Sie eine neue und vernichten Sie das alte Blatt.',
  sheet: {
    title: (name) => `Passphrasenblatt für „${name}“`,
    madeOn: (date) => `Von Holdfast erstellt am ${date}`,
    place: 'Speicherort',
    encryption: 'Verschlüsselung',
    passphrase: 'Passphrase',
    keep: 'Ohne diese Passphrase kann niemand die Sicherung lesen. Bewahren Sie dieses Blatt dort auf, wo Feuer oder Diebstahl des Rechners es nicht erreichen.',
    without:
      'So lesen Sie die Sicherung ohne Holdfast, auf jedem Rechner mit Borg 1.x, der das Repository erreicht:',
  },
  whenTitle: 'Wann, und wie lange?',
  check: 'Das Repository jeden Sonntag um 04:00 prüfen',
  checkHint: 'Findet Schäden, solange sich noch etwas dagegen tun lässt.',
  drill: 'Am Ersten jedes Monats um 05:00 eine Wiederherstellung proben',
  plan: (timing, keep, { checks, drills }) =>
    `${timing}; ${keep}; ${checks ? 'jeden Sonntag geprüft' : 'nie geprüft'}; ${drills ? 'jeden Monat eine Probe' : 'keine Proben'}.`,
  tellTitle: 'Wie soll Holdfast Sie benachrichtigen?',
  tellLead: 'Zuerst erhalten Sie eine Testnachricht.',
  toldBy: (names) =>
    `Nachrichten gehen schon an ${names}. Fahren Sie fort, oder fügen Sie einen Kanal hinzu.`,
  channelMissing:
    'Wählen Sie einen Dienst und füllen Sie seine Felder aus, oder überspringen Sie diesen Schritt.',
  testAndGoOn: 'Test senden und weiter',
  testSent: 'Der Test wurde gesendet.',
  testFailed: 'Der Test wurde abgelehnt',
  skip: 'Überspringen',
  tellWhen: 'Benachrichtigen, wenn',
  flags: {
    late: 'eine Sicherung überfällig ist',
    failed: 'eine Sicherung oder Prüfung fehlschlägt',
    again: 'es wieder funktioniert',
    weekly: 'der Wochenbericht fertig ist',
  },
  reviewTitle: 'Ist das richtig so?',
  create: 'Anlegen und jetzt sichern',
  goOn: 'Fortfahren',
  goOnLead: 'Ein Teil ist schon angelegt. Fahren Sie fort, um den Rest anzulegen; nichts entsteht doppelt.',
  startOver: 'So lassen',
  repository: 'Repository',
  secret: 'Passphrase',
  secretKept: 'gesetzt und von Ihnen aufbewahrt',
  planned: 'Zeitplan',
  messages: 'Benachrichtigungen',
  noChannel: 'keine',
  parts: {
    repository: 'Repository',
    schedule: 'Zeitplan',
    checks: 'Prüfungen',
    channel: 'Benachrichtigungskanal',
    backup: 'Erste Sicherung',
  },
  done: 'angelegt',
  existingTitle: 'Vorhandenes Borg-Repository hinzufügen',
  many: 'Haben Sie mehrere?',
  existingLead: 'Seine Archive erscheinen hier. Im Repository ändert sich dadurch nichts.',
  register: 'Repository hinzufügen',
  registered: (name) => `${name} wurde hinzugefügt.`,
  repositoryFolder: 'Ordner des Repositorys',
  itsPassphrase: 'Passphrase des Repositorys',
  itsPassphraseHint: 'Leer lassen, wenn es nicht verschlüsselt ist.',
  hasKeyFile: 'Es verwendet eine Schlüsseldatei',
  keyFile: 'Inhalt der Schlüsseldatei',
  keyFileHint:
    'Für die Verschlüsselungen keyfile und keyfile-blake2: die Ausgabe von borg key export, auch mit --paper.',
  mode: 'Modus',
  observe: 'Nur beobachten',
  observeHint:
    'Ein anderes Programm sichert. Holdfast zeigt die Archive, meldet, wenn keine mehr kommen, und stellt Dateien wieder her.',
  takeOver: 'Mit Holdfast sichern',
  takeOverHint: 'Schalten Sie das bisherige Sicherungsprogramm ab, sonst blockieren sich beide.',
};

export default messages;
