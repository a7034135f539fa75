import { plural } from '../../i18n/plural.js';
import type { Messages } from '../areas.js';

const messages: Messages['hosts'] = {
  add: 'Rechner hinzufügen',
  addLead: 'Ein Konto auf einem anderen Rechner, erreichbar über SSH.',
  adminFirst: 'Zuerst muss ein Administrator den SSH-Schlüssel erzeugen.',
  empty: 'Noch keine Rechner. Ein Rechner kann Repositorys speichern oder selbst gesichert werden.',
  key: 'SSH-Schlüssel',
  keyLead:
    'Mit diesem Schlüssel meldet sich Holdfast auf allen Rechnern an. Seine private Hälfte verlässt diesen Server nie.',
  noKey: 'Noch kein Schlüssel.',
  states: {
    unknown: 'Noch nicht versucht',
    testing: 'Verbindet',
    connected: 'Verbunden',
    failed: 'Nicht erreichbar',
    host_key_changed: 'Anderer Host-Schlüssel',
  },
  free: (free, total) => `${free} von ${total} frei`,
  used: (percent) => `${percent} % belegt`,
  failed: 'Der letzte Versuch ist fehlgeschlagen',
  lastSuccess: 'Zuletzt verbunden',
  pinned: 'Fingerabdruck des Rechners',
  noPin: 'Noch nicht bekannt',
  direct: 'Direkt',
  through: 'Erreicht über',
  mayRun: 'Der Schlüssel darf ausführen',
  allows: {
    commands: 'jeden Befehl',
    borg_serve:
      'nur borg serve: genug für Repositorys, nicht zum Durchsuchen oder für Sicherungen dieses Rechners',
    nothing: 'nichts: weder Repositorys noch Sicherungen dieses Rechners sind möglich',
  },
  readsAs: 'Dateien werden gelesen als',
  storage: 'Speicher',
  refresh: 'Aktualisieren',
  test: 'Jetzt verbinden',
  more: 'Mehr zu diesem Rechner',
  settings: 'Verbindung',
  keepsIt: 'Auf diesem Rechner liegt das Repository',
  isSource: 'Dieser Rechner wird gesichert',
  redeploy: 'Schlüssel erneut kopieren',
  redeployLead: 'Falls das Konto den Schlüssel nicht mehr kennt. Andere Schlüssel dort bleiben unverändert.',
  remove: 'Rechner entfernen',
  removeTitle: (address) => `${address} entfernen?`,
  removeMeans:
    'Seine Repositorys und ihre Daten bleiben, aber Holdfast erreicht sie nicht mehr, bis Sie für sie einen anderen Rechner wählen. Der Schlüssel bleibt im Konto.',
  removed: 'Der Rechner wurde entfernt.',
  fields: {
    name: 'Name',
    tags: 'Tags',
    host: 'Rechner',
    username: 'Benutzername',
    port: 'Port',
    jump_connection_id: 'Über einen anderen Rechner',
    default_path: 'Standardpfad',
    ssh_path_prefix: 'Pfadpräfix für Befehle',
    mount_point: 'Lokaler Einhängepunkt',
    use_sftp_mode: 'Schlüssel über SFTP kopieren',
    trusted: 'borg auf diesem Rechner vertrauen',
    sudo: 'Seine Dateien als root lesen (sudo)',
  },
  hints: {
    jump_connection_id:
      'Für einen Rechner, der nur über einen anderen erreichbar ist, wie ProxyJump bei ssh.',
    default_path: 'Startordner der Ordnerauswahl; sein freier Platz wird angezeigt.',
    ssh_path_prefix: 'Manche Geräte zeigen über SFTP andere Pfade als in Befehlen, zum Beispiel /volume1.',
    mount_point: 'Nur eine Notiz: Holdfast benutzt sie nicht.',
    use_sftp_mode: 'Sonst erledigen es Shell-Befehle auf dem Rechner.',
    trusted:
      'Wird dieser Rechner gesichert, darf borg dort laufen: Erweiterte Attribute bleiben erhalten, Unverändertes wird nicht neu gelesen. Wer in den Rechner einbricht, könnte dann dieses Repository lesen und fälschen.',
    sudo: (user: string) =>
      `Sicherungen dieses Rechners lesen auch Dateien, die ${user} nicht lesen darf. Der Schlüssel hat dann dort root-Rechte. Erlauben Sie es in /etc/sudoers.d/holdfast: ${user} ALL=(root) NOPASSWD: /bin/sh`,
  },
  way: 'Wie möchten Sie den Schlüssel installieren?',
  withPassword: 'Ich habe ein Passwort',
  withPasswordHint:
    'Holdfast meldet sich einmal an und installiert seinen Schlüssel. Das Passwort wird nicht gespeichert.',
  withPaste: 'Ich füge den Schlüssel selbst ein',
  withPasteHint: 'Sie bekommen den Schlüssel und die Schritte für Ihr Gerät oder Ihren Dienst.',
  password: 'Passwort des Kontos',
  passwordHint: 'Wird einmal benutzt und nie gespeichert.',
  makesKey: 'Holdfast erzeugt zuerst seinen SSH-Schlüssel.',
  keyName: 'Holdfast',
  keyMade: 'Der Schlüssel ist fertig.',
  connect: 'Verbinden',
  expected: 'Erwarteter Fingerabdruck',
  expectedHint: 'Wenn Sie ihn kennen: Er wird verglichen, bevor irgendetwas gesendet wird.',
  restrict: 'Der Schlüssel darf nur Repositorys bereitstellen',
  restrictHint:
    'Keine Shell, kein Durchsuchen, keine Angaben zum Speicher, und der Rechner selbst lässt sich nicht sichern. Gut für einen Rechner, der nur Repositorys speichert.',
  restrictPath: 'Nur unterhalb dieses Ordners',
  appendOnly: 'Er darf hinzufügen, aber nicht löschen',
  appendOnlyHint:
    'Ein Angreifer auf diesem Server kann nicht zerstören, was der Rechner speichert. Dafür geben Ausdünnen und Verdichten keinen Platz frei.',
  service: 'Gerät oder Dienst',
  noKeyYet: 'Es gibt noch keinen SSH-Schlüssel.',
  makeKey: 'Schlüssel erzeugen',
  publicKey: 'Öffentlicher Schlüssel',
  runThere: 'Führen Sie dies als dieser Benutzer aus:',
  runAnywhere:
    'Führen Sie dies in einem beliebigen Terminal aus; es fragt einmal nach dem Passwort des Dienstes:',
  pasteKey: 'Fügen Sie den öffentlichen Schlüssel von unten ein.',
  recipes: {
    any: {
      name: 'Beliebiger Rechner mit SSH',
      steps: ['Melden Sie sich dort als der Benutzer an, den die Sicherungen verwenden sollen.'],
    },
    hetzner: {
      name: 'Hetzner Storage Box',
      steps: [
        'Schalten Sie in der Hetzner-Konsole für die Box SSH und externe Erreichbarkeit ein.',
        'Rechner und Benutzer sehen aus wie u123456.your-storagebox.de und u123456; der Port ist 23.',
      ],
    },
    borgbase: {
      name: 'BorgBase',
      steps: [
        'Öffnen Sie bei BorgBase „Account“, „SSH Keys“ und fügen Sie einen Schlüssel hinzu.',
        'Geben Sie dem Schlüssel Zugang zu einem Repository: vollen Zugang oder „append-only“.',
        'Die Adresse des Repositorys enthält Benutzer und Rechner: ssh://BENUTZER@RECHNER/./repo. Sein Pfad ist ./repo.',
      ],
    },
    rsyncNet: {
      name: 'rsync.net',
      steps: [
        'Rechner und Benutzer stehen in der Mail zu Ihrem Konto, etwa de1234 auf de1234.rsync.net.',
        'rsync.net hat mehrere Versionen von borg. Geben Sie eine in den Einstellungen des Repositorys als Pfad von borg an, zum Beispiel borg14.',
      ],
    },
    synology: {
      name: 'Synology',
      steps: [
        'Öffnen Sie in der Systemsteuerung „Terminal & SNMP“ und schalten Sie SSH ein.',
        'Öffnen Sie „Benutzer & Gruppe“, „Erweitert“ und schalten Sie den Benutzer-Home-Dienst ein. Der Benutzer muss zur Gruppe „administrators“ gehören.',
        'Installieren Sie borg aus den Paketen von SynoCommunity.',
        'Melden Sie sich als dieser Benutzer über SSH am Gerät an.',
      ],
    },
  },
  active: 'Aktiv',
  activeHint: 'Aus: Holdfast benutzt ihn nicht.',
  fingerprint: 'Fingerabdruck des Schlüssels',
  keyType: 'Art',
  keyTypes: { ed25519: 'Ed25519 (Standard)', ecdsa: 'ECDSA', rsa: 'RSA (für alte Geräte)' },
  connections: (count, shown) => plural(count, { one: `${shown} Rechner`, other: `${shown} Rechnern` }),
  keyWay: 'Woher kommt der Schlüssel?',
  keyWays: {
    generate: 'Neuen Schlüssel erzeugen',
    text: 'Privaten Schlüssel einfügen',
    file: 'Datei auf diesem Server verwenden',
  },
  keyWayHints: {
    generate: 'Die private Hälfte verlässt diesen Server nie.',
    text: 'OpenSSH oder PEM.',
    file: 'Holdfast muss sie lesen dürfen.',
  },
  importKey: 'Schlüssel importieren',
  privateKey: 'Privater Schlüssel',
  privateKeyHint: 'Er wird verschlüsselt gespeichert und nie wieder angezeigt.',
  keyPath: 'Pfad des privaten Schlüssels',
  keyPassphrase: 'Passphrase des Schlüssels',
  keyPassphraseHint: 'Nur, wenn er eine hat. Sie wird nicht gespeichert.',
  removeKey: 'Schlüssel löschen',
  removeKeyTitle: 'SSH-Schlüssel löschen?',
  removeKeyMeans:
    'Kein Rechner ist erreichbar, bis ein neuer Schlüssel auf ihm liegt. Geben Sie zur Bestätigung die letzten sechs Zeichen des Fingerabdrucks dieses Schlüssels ein.',
  keyRemoved: 'Der Schlüssel wurde gelöscht.',
  changed: {
    title: (host) => `${host} zeigt einen anderen Schlüssel`,
    lead: 'Holdfast meldet sich nicht mehr an, bis ein Administrator das geprüft hat. Es wurde nichts gesendet: kein Passwort, keine Daten.',
    known: 'Bekannter Schlüssel',
    offered: 'Neuer Schlüssel',
    meaning: 'Mögliche Gründe',
    harmless:
      'Meist wurde der Rechner neu eingerichtet, wiederhergestellt oder durch einen anderen gleichen Namens ersetzt.',
    dangerous:
      'Es kann aber auch ein Angreifer sein, der sich als dieser Rechner ausgibt. Wenn Sie den Schlüssel akzeptieren, bekommt er Ihre Sicherungen.',
    how: 'So prüfen Sie es auf dem Rechner',
    howText:
      'Melden Sie sich dort auf einem anderen Weg an (Bildschirm und Tastatur oder die Konsole des Anbieters) und führen Sie aus:',
    command: 'Befehl, der die Fingerabdrücke zeigt',
    providers:
      'Bei einem Dienst vergleichen Sie mit den Fingerabdrücken auf seiner Webseite. Eine der Zeilen muss mit dem neuen Schlüssel übereinstimmen.',
    accept: 'Neuen Schlüssel akzeptieren',
    acceptText: 'Nur, wenn Sie denselben Fingerabdruck auf dem Rechner selbst gesehen haben.',
    typeLast: 'Die letzten sechs Zeichen des Fingerabdrucks, den Sie auf dem Rechner gesehen haben',
    typeHint: 'Groß- und Kleinschreibung beachten.',
    accepted: 'Der neue Schlüssel wurde akzeptiert.',
    admin: 'Ein Administrator muss ihn prüfen und akzeptieren.',
  },
};
export default messages;
