import type { Messages } from '../areas.js';

const messages: Messages['audit'] = {
  filter: 'Filter',
  kind: 'Art',
  outcome: 'Ergebnis',
  user: 'Benutzername',
  action: 'Vorgang',
  since: 'Von',
  until: 'Bis',
  kinds: {
    change: 'Änderung',
    login: 'Anmeldung',
    secret: 'Geheimnis gezeigt',
    download: 'Herunterladen',
    system: 'Dienst',
  },
  outcomes: {
    done: 'Erledigt',
    denied: 'Verweigert',
    throttled: 'Zu viele Versuche',
    refused: 'Abgelehnt',
    failed: 'Fehlgeschlagen',
  },
  empty: 'Zu diesem Filter gibt es keinen Eintrag.',
  showAll: 'Alle Einträge zeigen',
  nobody: 'niemand angemeldet',
  position: 'Stelle',
  request: 'Anfrage',
  status: 'Status',
  object: 'Worüber',
  token: 'Token',
  requestId: 'Nummer der Anfrage',
  hash: 'Prüfsumme',
  verify: 'Wurde das Protokoll verfälscht?',
  verifyText:
    'Jeder Eintrag trägt eine Prüfsumme über sich und den vorigen. Dieser Befehl rechnet sie alle nach und nennt den ersten, der nicht passt:',
};
export default messages;
