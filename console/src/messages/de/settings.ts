import type { Messages } from '../areas.js';

const messages: Messages['settings'] = {
  title: 'Einstellungen',
  readOnly: 'Ändern können sie nur Administratoren.',
  pages: {
    notifications: 'Benachrichtigungen',
    incidents: 'Vorfälle',
    hosts: 'Rechner (SSH)',
    sourceSets: 'Quellen',
    scripts: 'Skripte',
    people: 'Benutzer und Token',
    movingIn: 'Import und Umzug',
    recovery: 'Notfall',
    audit: 'Protokoll',
    system: 'System',
  },
  for: {
    notifications: 'Wer erfährt, dass eine Sicherung überfällig ist, fehlschlägt oder wieder gelingt.',
    incidents: 'Probleme: seit wann, was versucht und wer benachrichtigt wurde.',
    hosts:
      'Andere Rechner, auf denen Repositorys liegen oder die gesichert werden, und der SSH-Schlüssel dafür.',
    sourceSets: 'Quellordner, die mehrere Repositorys gemeinsam sichern.',
    scripts: 'Befehle vor und nach Sicherungen, etwa der Auszug einer Datenbank.',
    people: 'Wer sich anmelden darf, und Token für Skripte und Programme.',
    movingIn: 'Vorhandene Repositorys finden und ihre Sicherungen übernehmen.',
    recovery: 'Wie Sie die Sicherungen ohne diesen Server öffnen.',
    audit: 'Wer was wann von wo aus getan hat.',
    system: 'Versionen, Zustand, Plugins und Zwischenspeicher.',
  },
  tokens: 'Token',
  tokensFor: 'Für Skripte und Programme, die in Ihrem Namen handeln.',
  saveChanges: 'Änderungen speichern',
  usedBy: 'Benutzt von',
  usedByNobody: 'Nichts benutzt es.',
  gone: 'Das gibt es nicht mehr.',
};
export default messages;
