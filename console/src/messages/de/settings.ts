import type { Messages } from '../areas.js';

const messages: Messages['settings'] = {
  readOnly: 'Nur Administratoren können diese Einstellungen ändern.',
  for: {
    notifications:
      'Wer benachrichtigt wird, wenn eine Sicherung überfällig ist, fehlschlägt oder wieder gelingt.',
    incidents: 'Probleme: seit wann, was versucht und wer benachrichtigt wurde.',
    hosts:
      'Andere Rechner, auf denen Repositorys liegen oder die gesichert werden, und der SSH-Schlüssel dafür.',
    sourceSets: 'Quellordner, die sich mehrere Repositorys teilen.',
    scripts: 'Befehle vor und nach Sicherungen, etwa ein Datenbank-Dump.',
    people: 'Wer sich anmelden darf, und Token für Skripte und Programme.',
    movingIn: 'Vorhandene Repositorys finden und ihre Sicherungen übernehmen.',
    recovery: 'Wie Sie die Sicherungen ohne diesen Server öffnen.',
    audit: 'Wer wann von wo aus was getan hat.',
    system: 'Versionen, Zustand, Plugins und Cache.',
  },
  tokens: 'Token',
  tokensFor: 'Für Skripte und Programme, die in Ihrem Namen handeln.',
  saveChanges: 'Änderungen speichern',
  usedBy: 'Benutzt von',
  usedByNobody: 'Nicht benutzt.',
  gone: 'Das gibt es nicht mehr.',
};
export default messages;
