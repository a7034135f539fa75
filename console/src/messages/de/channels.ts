import type { Messages } from '../areas.js';

const labels: Record<string, string> = {
  'Access token': 'Zugriffstoken',
  'Application token': 'Anwendungstoken',
  'Bot token': 'Bot-Token',
  Chat: 'Chat',
  'Check the certificate': 'Zertifikat prüfen',
  Device: 'Gerät',
  Encryption: 'Verschlüsselung',
  Host: 'Rechner',
  Password: 'Passwort',
  Path: 'Pfad',
  Priority: 'Priorität',
  Recipients: 'Empfänger',
  Sender: 'Absender',
  Sound: 'Ton',
  Topic: 'Thema',
  User: 'Benutzer',
  'User key': 'Benutzerschlüssel',
  'Webhook ID': 'Webhook-ID',
  'Webhook token': 'Webhook-Token',
  'Without sound': 'Ohne Ton',
};

const messages: Messages['channels'] = {
  service: 'Dienst',
  choose: 'Dienst wählen',
  other: 'Andere Adresse',
  addressHint: 'Eine Dienst-URL wie json://host/pfad. Andere Dienste brauchen einen Apprise-Server.',
  web: 'URL',
  scheme: 'Die Adresse beginnt mit',
  more: 'Weitere Einstellungen',
  usual: 'Standard',
  nameHint: 'Wird in Listen angezeigt.',
  test: 'Testnachricht senden',
  testHint: 'Es wird nichts gespeichert.',
  fillIn: 'Füllen Sie zuerst die Pflichtfelder aus.',
  sent: 'Die Nachricht wurde gesendet.',
  notSent: 'Die Nachricht wurde nicht gesendet.',
  labelOf: (label) => labels[label] ?? label,
};
export default messages;
