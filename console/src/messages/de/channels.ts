import type { Messages } from '../areas.js';

const labels: Record<string, string> = {
  'Access token': 'Zugriffstoken',
  'Application token': 'Token der Anwendung',
  'Bot token': 'Token des Bots',
  Chat: 'Chat',
  'Check the certificate': 'Zertifikat prüfen',
  Device: 'Gerät',
  Encryption: 'Verschlüsselung',
  Host: 'Rechner',
  Password: 'Passwort',
  Path: 'Pfad',
  Priority: 'Dringlichkeit',
  Recipients: 'Empfänger',
  Sender: 'Absender',
  Sound: 'Ton',
  Topic: 'Thema',
  User: 'Benutzer',
  'User key': 'Schlüssel des Benutzers',
  'Webhook ID': 'ID des Webhooks',
  'Webhook token': 'Token des Webhooks',
  'Without sound': 'Ohne Ton',
};

const messages: Messages['channels'] = {
  service: 'Dienst',
  choose: 'Dienst wählen',
  other: 'Andere Adresse',
  address: 'Adresse',
  addressHint:
    'Eine Dienst-URL wie json://host/pfad. Für Dienste, die Holdfast nicht kennt, braucht es einen Apprise-Server.',
  web: 'URL',
  scheme: 'Die Adresse beginnt mit',
  more: 'Weitere Einstellungen',
  usual: 'Wie üblich',
  name: 'Name',
  nameHint: 'Daran erkennen Sie den Kanal in Listen.',
  test: 'Testnachricht senden',
  testHint: 'Gespeichert wird nichts.',
  fillIn: 'Füllen Sie zuerst aus, was nötig ist.',
  sent: 'Die Nachricht wurde gesendet.',
  notSent: 'Die Nachricht wurde nicht gesendet.',
  labelOf: (label) => labels[label] ?? label,
};
export default messages;
