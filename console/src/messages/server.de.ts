import type { Translations } from '../i18n/translate.js';

/**
 * German texts of the server's messages, by code (docs/developers/messages.md). Missing ones stay English: those that
 * only programs and operators see, and those that only quote the backup tool.
 */
const sentences: Translations['sentences'] = {
  // Moving in
  discovery_folder_missing: 'Auf dem Rechner gibt es keinen Ordner {path}.',
  discovery_interrupted:
    'Unterbrochen: Holdfast endete während der Suche. {found} waren bis dahin gefunden; suchen Sie noch einmal nach den übrigen.',
  discovery_root_unreadable: 'Der Ordner {folder} ist nicht lesbar: {reason}.',
  discovery_truncated:
    'Eine Grenze war erreicht, bevor alles durchsucht war: Suchen Sie in einzelnen Ordnern.',
  found_config_damaged: 'Seine Datei config ist beschädigt.',
  found_name_unusable: 'Das Sicherungsprogramm kann diesen Pfad nicht benutzen: Benennen Sie den Ordner um.',
  found_other_version: 'Es hat die Version {version}, die das Sicherungsprogramm nicht lesen kann.',
  found_too_slow: 'Es ging innerhalb einer Minute nicht auf: Versuchen Sie es einzeln.',
  found_without_config: 'Seine Datei config fehlt oder ist nicht lesbar.',
  found_without_data: 'Seine Daten fehlen.',
  old_scheduler_running:
    'Schalten Sie ab, das bisherige Sicherungsprogramm ab, und bestätigen Sie es: Zwei Zeitpläne würden doppelt sichern und nach zwei Regeln ausdünnen.',
  suggestion_command_too_long:
    'Der Befehl, der das neueste Archiv erstellt hat, ist zu lang: Geben Sie die Quellen selbst an.',
  suggestion_from_program:
    'Die alte Sicherung bekam ihren Inhalt oder ihre Pfade von einem anderen Programm; das lässt sich nicht übernehmen: Wählen Sie die Quellen selbst.',
  suggestion_not_created: 'Das neueste Archiv hat {command} erstellt; das nennt keine Quellen.',
  suggestion_other_compression: 'Die Kompression {compression} gibt es hier nicht: Wählen Sie eine andere.',
  suggestion_pattern_file:
    '{option} liest Muster aus {file}, das nicht im Archiv ist: Ergänzen Sie dessen Inhalt bei den Ausschlussmustern.',
  suggestion_relative_source:
    'Die Quelle {path} gehört zu einem Ordner, der nicht vermerkt ist: Geben Sie den ganzen Pfad an.',
  suggestion_sources_changed: 'Das Archiv davor hatte andere Quellen: {sources}.',
  suggestion_standard_input:
    'Die alte Sicherung sicherte die Ausgabe eines anderen Programms; das lässt sich nicht übernehmen: Nehmen Sie ein Skript.',
  suggestion_temporary_file:
    'Muster kamen aus der temporären Datei {file}: Übernehmen Sie sie aus den Einstellungen des alten Programms.',
  suggestions_unsupported: 'Das Sicherungsprogramm sagt nicht, wie seine Archive entstanden.',

  // Home
  overview_damaged: 'Beschädigt: {count} von {total} Repositorys.',
  overview_drill_failed: 'Die letzte Wiederherstellungsprobe schlug fehl: {count} von {total} Repositorys.',
  overview_empty: 'Noch ist nichts geschützt: Es gibt kein Repository.',
  overview_late: 'Überfällig: {count} von {total} Repositorys.',
  overview_list_outdated:
    'Die Archive wurden seit mehr als zwei Tagen nicht aufgelistet: Listen Sie sie auf, um zu sehen, ob es sie noch gibt.',
  overview_protected: 'Geschützt: {count} von {total} Repositorys.',
  overview_states:
    'Von {total} Repositorys: {damaged} beschädigt, {unreachable} nicht zu öffnen, {late} überfällig, bei {drill} Wiederherstellungsprobe fehlgeschlagen, {unknown} unbekannt, {protected} geschützt.',
  overview_unreachable: 'Nicht zu öffnen: {count} von {total} Repositorys.',
  overview_unknown: 'Bei {count} von {total} Repositorys ist unbekannt, ob sie geschützt sind.',
  attention_archive_incomplete:
    'Das neueste Archiv des Repositorys {name} zählt nicht: Es ist beschädigt, oder ihm fehlen Dateien oder Ordner.',
  attention_list_outdated:
    'Die Archive des Repositorys {name} wurden lange nicht aufgelistet: Listen Sie sie auf, um zu sehen, ob es sie noch gibt.',
  attention_not_covered:
    'Das Repository {name} ist in keinem eingeschalteten Zeitplan. Nehmen Sie es in einen auf, oder legen Sie eine Altersgrenze fest.',
  attention_no_channel:
    'Niemand erfährt, wenn eine Sicherung überfällig ist oder fehlschlägt: Kein Kanal ist eingeschaltet.',
  attention_paths_unread:
    '{count} Dateien oder Ordner von Repository {name} konnte die letzte Sicherung nicht lesen: Geben Sie Holdfast Leserechte, oder schließen Sie sie aus.',

  // Recovery sheet
  sheet_lacks_repository:
    'Das Notfallblatt vom {date} ist veraltet: Das Repository {name} steht nicht oder ohne Schlüssel darauf.',
  sheet_never_made:
    'Es gibt noch kein Notfallblatt. Ohne es können Sie Ihre Sicherungen vielleicht nicht öffnen, wenn Sie diesen Rechner verlieren.',
  sheet_place_changed:
    'Das Notfallblatt vom {date} ist veraltet: Der Pfad oder der Host-Schlüssel des Repositorys {name} ist ein anderer.',
  sheet_secret_changed:
    'Das Notfallblatt vom {date} ist veraltet: Die Passphrase oder der Schlüssel des Repositorys {name} ist ein anderer.',
  sheet_ssh_key_changed: 'Das Notfallblatt vom {date} ist veraltet: Der SSH-Schlüssel ist ein anderer.',

  // What does not work of Holdfast itself
  health_plugin:
    'Das Plugin {id} ({plugin}) funktioniert nicht. Warum, sehen Administratoren unter „System“.',
  health_optional_plugin:
    'Ein optionales Plugin funktioniert nicht. Warum, sehen Administratoren unter „System“.',
  audit_not_written: 'Das Protokoll lässt sich nicht schreiben; im Log steht, warum.',
  audit_tampered: 'Das Protokoll wurde verändert; „holdfast audit verify“ zeigt, wo.',

  // Hosts
  connection_works: 'Der Schlüssel funktioniert für {account}.',
  connection_works_again: 'Der Schlüssel funktioniert wieder für {account}.',
  connection_only_borg_serve: 'Er darf dort nur „borg serve“ ausführen: Das genügt für Repositorys.',
  connection_without_commands:
    'Aber der Rechner führt keine Befehle für ihn aus: Geben Sie dem Konto eine Shell, oder erlauben Sie „borg serve“.',
  usage_not_reported:
    'Der Rechner meldet die Belegung von {path} nicht: Der Pfad fehlt vielleicht, oder Befehle sind verboten.',

  // Protection
  protection_age_and_objective: 'Das neueste Archiv ist {age} alt; die Grenze ist {promised}.',
  protection_age_and_schedule:
    'Das neueste Archiv ist {age} alt; die Grenze ist {promised} (Zeitplan {schedule}).',
  protection_archive_in_future:
    'Das neueste Archiv ist auf die Zukunft datiert, {archive}: Stellen Sie die Uhren richtig.',
  protection_paths_unread:
    '{count} Dateien oder Ordner konnte die letzte Sicherung nicht lesen: siehe ihr Log.',
  protection_archive_incomplete:
    'Das Archiv vom {archive} zählt nicht: Es ist beschädigt, oder ihm fehlen Dateien oder Ordner.',
  protection_archive_not_counted:
    'Das Archiv vom {archive} zählt nicht, weil es auf die Zukunft datiert ist: Eine Uhr ging falsch, oder ein anderes Programm hat es erstellt.',
  protection_backup_failed: 'Die letzte Sicherung, beendet {ended}, hat kein Archiv erstellt.',
  protection_check_failed: 'Die Prüfung {job} ist fehlgeschlagen ({ended}): Ihr Log sagt, warum.',
  protection_complete: 'Alle Repositorys sind geschützt.',
  protection_cron_invalid:
    'Der Cron-Ausdruck von {schedules} ist ungültig. Berichtigen Sie ihn, oder legen Sie eine Altersgrenze fest.',
  protection_damaged:
    'Die Prüfung {job} hat Schäden gefunden ({ended}), und seither war keine vollständige Prüfung erfolgreich: In welchem Zustand die Archive sind, ist unbekannt.',
  protection_cannot_open: 'Das Repository lässt sich nicht öffnen: {error}',
  protection_cannot_open_since: 'Das Repository lässt sich nicht öffnen (seit {since}): {error}',
  protection_first_archive_due: 'Noch gibt es kein Archiv; das erste ist bis {due} fällig.',
  protection_incomplete:
    'Nicht alles ist geschützt. Repositorys: {repositories}; überfällig: {late}; beschädigt: {damaged}; unbekannt: {unknown}.',
  protection_list_outdated: 'Die Liste der Archive ist nicht mehr aktuell: Listen Sie sie neu auf.',
  protection_no_archive_for_objective: 'Es gibt kein Archiv; die Grenze ist {promised}.',
  protection_no_archive_for_schedule: 'Es gibt kein Archiv; die Grenze ist {promised} (Zeitplan {schedule}).',
  protection_not_covered:
    'Das Repository ist in keinem eingeschalteten Zeitplan. Nehmen Sie es in einen auf, oder legen Sie eine Altersgrenze fest.',
  protection_of_nothing: 'Noch gibt es kein Repository.',
  protection_only_observed: 'Das Repository wird nur beobachtet. Legen Sie eine Altersgrenze fest.',
  protection_schedule_manual: '{schedule} läuft nur von Hand. Legen Sie eine Altersgrenze fest.',
  protection_schedules_manual: '{schedules} laufen nur von Hand. Legen Sie eine Altersgrenze fest.',

  // What a job waits for
  waiting_for_discovery: 'auf die Suche {job} in {folder}',
  waiting_for_earlier_run: 'auf das Ende des früheren Laufs des Zeitplans {schedule}',
  waiting_for_instance: 'auf eine Instanz von Holdfast, die solche Aufträge kennt: {kind}',
  waiting_for_job: 'auf Auftrag {job} ({kind}) des Repositorys {repository}',
  waiting_for_place: 'auf einen freien Auftragsplatz (höchstens {limit})',
  waiting_for_pull_place: 'auf einen freien Platz für Sicherungen anderer Rechner (höchstens {limit})',
  waiting_for_same_sources:
    'auf Auftrag {job} ({kind}) des Repositorys {repository}, der dieselben Ordner liest',

  // How jobs end
  archive_already_gone: 'Das Archiv {archive} gab es schon nicht mehr.',
  archive_deletion_interrupted:
    'Unterbrochen: Holdfast wurde beendet, während das Archiv gelöscht wurde, und es ist noch da. Löschen Sie es noch einmal.',
  archive_mass_change: 'von {files_before} Dateien wurden {changed} geändert und {removed} entfernt',
  archive_far_smaller: 'das Archiv ist viel kleiner als das letzte vollständige',
  archive_lacks_sources: 'diese Ordner fehlen im Archiv oder sind unvollständig: {sources}',
  archives_already_gone: 'Archive, die es schon nicht mehr gab: {archives}.',
  archives_lost_content:
    'Dateien von {archives} haben Inhalt verloren, der durch Nullen ersetzt wurde: Das Log nennt sie. Verlassen Sie sich nicht auf diese Archive. Sichern Sie erneut; eine Reparatur stellt dann wieder her, was an seinem Ursprung noch da ist.',
  backup_archive_gone: 'Das Archiv {archive} wurde erstellt, aber es gibt es nicht mehr.',
  backup_archive_made: 'Das Archiv wurde erstellt.',
  backup_empty: 'Nichts wurde gesichert: {reason} Das leere Archiv wurde entfernt.',
  backup_empty_archive_left:
    'Nichts wurde gesichert: {reason} Das leere Archiv ließ sich nicht entfernen: {problem}',
  backup_interrupted:
    'Unterbrochen: Holdfast wurde während dieser Sicherung beendet, und kein Archiv wurde fertig. Starten Sie sie erneut; was schon übertragen ist, wird nicht noch einmal gesendet.',
  backup_more_remarks: 'Und {more} weitere: Sehen Sie im Log des Auftrags nach.',
  backup_refused_by_hook: 'Es wurde nicht gesichert. {reason}',
  backup_skips_file_systems:
    '--one-file-system lässt diese Dateisysteme und Subvolumes aus: {paths}. Nehmen Sie sie in die Quellen auf, oder schließen Sie sie aus.',
  backup_shrunk:
    'Nur {files} Dateien ({size}), gegenüber {files_before} Dateien ({size_before}) im Archiv {archive}: mehr als {limit} % weniger. Ist das so gewollt, löschen Sie die älteren Archive, oder schalten Sie diese Warnung des Repositorys für eine Sicherung aus.',
  backup_mass_change:
    'Von {files_before} Dateien im Archiv {archive} wurden {changed} geändert und {removed} entfernt, die meisten davon in: {folders}. Bis Sie die Änderungen annehmen, wird nicht ausgedünnt.',
  backup_sources_all_left_out:
    'In den Ordnern sind Dateien, aber wegen der Ausschlussmuster oder fehlender Rechte blieb nichts zu sichern.',
  backup_warnings_lost:
    'Das Archiv wurde erstellt, aber die Sicherung wurde unterbrochen, bevor ihre Warnungen gespeichert waren. Vielleicht fehlen Dateien: Sehen Sie im Log des Auftrags nach.',
  check_found_problems:
    'Es wurden Schäden gefunden: {problem} Das Log des Auftrags nennt alle. Bevor Sie das Repository reparieren, stellen Sie anderswo wieder her, was Sie brauchen, oder machen Sie eine Kopie.',
  check_interrupted:
    'Unterbrochen: Holdfast wurde während der Prüfung beendet, darum gibt es kein Ergebnis. Starten Sie sie erneut.',
  check_skipped:
    'Die Prüfung vom {at} wurde ausgelassen: Die Prüfung {job_id} war noch nicht beendet ({status}).',
  compact_interrupted:
    'Unterbrochen: Holdfast wurde während des Verdichtens beendet. Kein Archiv ist betroffen; das nächste Verdichten gibt den übrigen Platz frei.',
  dry_run_interrupted: 'Unterbrochen: Holdfast wurde während des Probelaufs beendet. Starten Sie ihn erneut.',
  hook_exited: 'Das Skript „{name}“ ({type}) ist mit dem Exit-Code {exit_code} fehlgeschlagen.',
  hook_interrupted:
    'Das Skript „{name}“ (nach der Sicherung) wurde {tries}-mal unterbrochen und läuft nicht noch einmal.',
  hook_not_started: 'Das Skript „{name}“ ({type}) ist nicht gestartet. {problem}',
  hook_not_started_unexplained: 'Das Skript „{name}“ ({type}) ist nicht gestartet.',
  hook_postponed: 'Das Skript „{name}“ (vor der Sicherung) hat die Sicherung verschoben: {line}',
  hook_stopped: 'Das Skript „{name}“ ({type}) wurde angehalten, bevor es fertig war.',
  hook_timed_out: 'Das Skript „{name}“ ({type}) wurde nach seiner Zeitgrenze von {seconds} s angehalten.',
  hooks_failed: '{count} Skripte ({type}) sind fehlgeschlagen: {failures}',
  job_cancelled: 'Von einem Benutzer abgebrochen.',
  job_cancelled_before_start: 'Von einem Benutzer abgebrochen, bevor der Auftrag begann.',
  job_error_unexpected:
    'Ein unerwarteter Fehler hat den Auftrag beendet: Sehen Sie im Log von Holdfast nach.',
  job_failed: 'Der Auftrag ist fehlgeschlagen: Sehen Sie in seinem Log nach.',
  job_interrupted: 'Unterbrochen: Holdfast wurde beendet, während der Auftrag lief. Starten Sie ihn erneut.',
  job_kind_unsupported: 'Diese Version von Holdfast kennt solche Aufträge nicht: {kind}.',
  job_registration_removed: 'Das Repository wurde aus Holdfast entfernt.',
  job_result_unknown:
    'Holdfast wurde beendet, während der Auftrag lief, und sein Ergebnis ließ sich nicht feststellen: {reason}',
  job_storage_failed: 'Der Speicher von Holdfast fiel aus, während der Auftrag lief. Starten Sie ihn erneut.',
  many_archives_lost_content:
    'Dateien von {archives} und {more} weiteren haben Inhalt verloren, der durch Nullen ersetzt wurde: Das Log nennt sie. Verlassen Sie sich nicht auf diese Archive. Sichern Sie erneut; eine Reparatur stellt dann wieder her, was an seinem Ursprung noch da ist.',
  prune_interrupted:
    'Unterbrochen: Holdfast wurde während des Ausdünnens beendet. Noch zu entfernende Archive: {count}. Dünnen Sie noch einmal aus, um sie zu entfernen.',
  prune_removes_more_than_half:
    'Abgelehnt: {count} von {total} Archiven würden entfernt, mehr als die Hälfte. Nichts wurde entfernt. Sehen Sie sie in einem Probelauf durch, und bestätigen Sie dann, dass es mehr als die Hälfte sein darf.',
  prune_without_schedule: 'Der Zeitplan wurde gelöscht, bevor sein Ausdünnen lief: Seine Archive bleiben.',
  repair_found_problems:
    'Schäden wurden gefunden und repariert. Das Log nennt die Dateien, die Inhalt verloren haben.',
  passphrase_change_interrupted:
    'Unterbrochen: Holdfast wurde beendet, bevor die Passphrase geändert war. Die alte öffnet das Repository weiterhin. Starten Sie die Änderung erneut.',
  passphrase_change_open:
    'Eine andere Änderung der Passphrase ist noch nicht beendet. Versuchen Sie es danach noch einmal.',
  passphrase_change_stored_wrong:
    'Es wurde nichts geändert: Die gespeicherte Passphrase öffnet das Repository nicht. Speichern Sie zuerst die richtige.',
  passphrase_change_unsupported: 'Das Sicherungsprogramm dieser Installation kann Passphrasen nicht ändern.',
  passphrase_unchanged: 'Das Repository hat diese Passphrase schon.',
  repair_interrupted:
    'Unterbrochen: Holdfast wurde während der Reparatur beendet. Starten Sie die Reparatur erneut.',
  repository_locked:
    'Das Repository ist gesperrt: {holder}. Versuchen Sie es später erneut, oder entfernen Sie die Sperre, wenn nichts das Repository benutzt.',
  repository_locked_unknown:
    'Das Repository ist von einem anderen Programm gesperrt. Versuchen Sie es später erneut, oder entfernen Sie die Sperre, wenn nichts das Repository benutzt.',
  repository_not_at_path:
    'Das Repository ist nicht mehr unter seinem Pfad: Hängen Sie ihn ein, oder berichtigen Sie ihn.',
  repository_gone: 'Das Repository {id} gibt es nicht mehr.',
  scheduled_prune_interrupted:
    'Unterbrochen: Holdfast wurde während des Ausdünnens beendet. Noch zu entfernende Archive: {count}. Der nächste Lauf des Zeitplans entfernt sie.',
  source_connection_removed:
    'Die Verbindung zum Rechner, von dem das Repository {repository} sichert, wurde entfernt. Wählen Sie eine andere, oder Ordner dieses Rechners.',
  source_emptied:
    '{path} ist leer, war es in einer früheren Sicherung aber nicht. Hängen Sie den Datenträger ein, oder nehmen Sie den Ordner heraus.',
  source_empty: '{path} ist leer. Hängen Sie den Datenträger ein, oder nehmen Sie den Ordner heraus.',
  source_not_found: '{path}: nicht gefunden.',
  source_unreadable: '{path}: Holdfast kann das nicht lesen.',
  sources_absent:
    'Keiner der Ordner ist da: {sources}. Hängen Sie sie ein, legen Sie sie an, oder berichtigen Sie die Liste im Repository.',
  sources_without_files:
    'In den Ordnern ist keine Datei: Prüfen Sie, ob sie eingehängt und nicht ausgeschlossen sind.',

  // What the backup tool and other hosts say
  tool_archive_exists: 'Ein Archiv mit diesem Namen gibt es schon.',
  tool_archive_missing: 'Dieses Archiv gibt es nicht.',
  tool_cancelled: 'Das Sicherungsprogramm wurde beendet, bevor es fertig war.',
  tool_connection: 'Keine Verbindung zum Rechner: {problem}',
  tool_damaged: 'Das Repository oder ein Archiv ist beschädigt: {problem}',
  tool_host_key_changed: 'Der Rechner zeigt einen anderen Host-Schlüssel als bisher.',
  tool_key_missing: 'Der Schlüssel des Repositorys fehlt.',
  tool_archive_unsigned: 'Archive sind nicht signiert: {problem}',
  tool_older_state: 'Das Repository ist auf einem älteren Stand: {problem}',
  tool_append_only: 'Das Repository lässt sich nur erweitern: {problem}',
  tool_quota: 'Das Kontingent des Kontos ist erschöpft: {problem}',
  tool_repository_quota: 'Das Repository hat seine eigene Grenze erreicht: {problem}',
  incident_storage_full: 'In {repository} lässt sich nichts schreiben: {reason}',
  incident_over_storage_full: 'Es lässt sich wieder schreiben.',
  incident_over_damaged_archives:
    'Das Repository selbst ist wieder in Ordnung, aber Archive bleiben beschädigt: {count} von {total}. Verlassen Sie sich nicht auf sie.',
  protection_storage_full: 'In das Repository lässt sich nichts schreiben: {error}',
  repository_second_writer:
    'Das Repository {repository} unter {path} hat dieselbe Kennung und wird beschrieben: Das hier ist dasselbe Repository oder eine Kopie davon. In beide zu schreiben zerstört Daten. Beobachten Sie dieses nur, oder entfernen Sie zuerst das andere.',
  compact_append_only:
    'Es wurde nichts frei: Das Repository lässt sich nur erweitern. Entfernte Archive behalten ihren Platz, bis sein Besitzer das ändert.',
  sign_unsupported: 'Das Sicherungsprogramm dieser Installation kann keine Archive signieren.',
  repair_left_damage: 'Das Repository ist wieder benutzbar, aber einige Archive bleiben beschädigt.',
  repair_would_delete:
    'Die Reparatur hielt an, bevor sie diese Archive löscht, deren Inhalte nicht mehr zu finden sind: {archives}. Wiederholen Sie sie mit ihren Namen, um das zu erlauben.',
  repair_while_unsigned:
    'Archive sind nicht signiert: {archives}. Signieren Sie sie zuerst: Die Reparatur eines neueren Borg würde sie löschen.',
  tool_no_space: 'Der Speicherplatz ist voll: {problem}',
  tool_not_a_repository: 'Unter diesem Pfad ist kein Repository.',
  tool_not_found:
    'Das Sicherungsprogramm wurde dort, wo das Repository liegt, nicht gefunden, oder es hat nicht geantwortet.',
  tool_other_repository: 'Unter diesem Pfad ist ein anderes Repository.',
  tool_passphrase_wrong: 'Die Passphrase des Repositorys ist falsch.',
  tool_path_missing: 'Einen Pfad gibt es nicht: {problem}',
  tool_path_not_empty: 'Der Ordner ist nicht leer.',
  tool_permission: 'Eine Datei darf nicht gelesen oder geschrieben werden: {problem}',
  tool_repository_exists: 'Dort gibt es schon ein Repository.',
  tool_repository_missing: 'Unter seinem Pfad gibt es kein Repository.',
  tool_tool_missing: 'Das Sicherungsprogramm fehlt dort, wo es laufen muss: {problem}',
  tool_tool_too_old: 'Das Sicherungsprogramm ist zu alt: {problem}',
  host_authentication: 'Der Rechner hat den Schlüssel oder das Passwort nicht angenommen.',
  host_cancelled: 'Die Arbeit auf dem Rechner wurde abgebrochen.',
  host_disk_full: 'Auf dem Rechner ist kein Platz mehr.',
  host_key_changed: 'Der Rechner zeigt einen anderen Host-Schlüssel als bisher.',
  host_missing: 'Auf dem Rechner fehlt eine Datei oder ein Programm: {problem}',
  host_permission: 'Eine Datei auf dem Rechner darf nicht gelesen oder geschrieben werden: {problem}',
  host_refused: 'Der Rechner erlaubt es nicht: {problem}',
  host_timeout: 'Der Rechner antwortet nicht.',
  host_unreachable: 'Keine Verbindung zum Rechner: {problem}',
  host_not_reached: '{host} Port {port} ist nicht erreichbar: {why}.',
  host_not_reached_from: '{host} Port {port} ist von {jump} aus nicht erreichbar: {reason}.',
  host_connection_lost: 'Die Verbindung zu {host} Port {port} ist abgebrochen ({detail}).',
  host_on_the_way: 'Auf dem Weg über einen anderen Rechner: {problem}',
  host_not_forwarded:
    '{jump} leitet {username} nicht zu {host} Port {port} weiter: Erlauben Sie es in der sshd_config (AllowTcpForwarding, PermitOpen), ohne `restrict` in authorized_keys.',

  // Incidents
  incident_damaged: 'Die Prüfung {job_id} hat Schäden in {repository} gefunden: Sehen Sie in ihrem Log nach.',
  incident_damaged_unknown_job: 'Eine Prüfung hat Schäden in {repository} gefunden.',
  incident_delivery_parked:
    'Nachrichten des Kanals {setting} kamen nicht an ({count}): Sehen Sie nach, welche, und senden Sie sie erneut.',
  incident_cannot_open: '{repository} lässt sich nicht öffnen: {reason}',
  incident_archives_unsigned:
    'Nicht signierte Archive in {repository}: {count}. Borg vor 1.2.5 hat sie umbenannt oder repariert. Es liest sie noch, aber ein neueres Borg lehnt sie ab, und seine Reparatur löscht sie. Signieren Sie sie.',
  incident_host_key_changed:
    '{host} zeigt einen anderen Host-Schlüssel als bisher. Dort läuft nichts, bis ein Administrator den neuen akzeptiert.',
  incident_is_over: 'Der Vorfall {id} ist schon gelöst.',
  incident_late: '{repository} wurde zuletzt am {newest_archive} gesichert, vor mehr als {promised_hours} h.',
  incident_late_without_archive:
    '{repository} hat kein Archiv, das zählt; das erste war innerhalb von {promised_hours} h fällig.',
  incident_over_damaged: 'Eine spätere Prüfung fand keinen Schaden, der zählt.',
  incident_over_delivery: 'Nachrichten werden wieder zugestellt, oder es sind keine mehr übrig.',
  incident_over_cannot_open: 'Das Repository lässt sich wieder öffnen.',
  incident_over_archives_unsigned: 'Alle Archive, die noch da sind, sind signiert.',
  incident_over_host_key: 'Der Host-Schlüssel wurde akzeptiert, oder der Rechner zeigt wieder den früheren.',
  incident_over_late: 'Es gibt ein Archiv vom {newest_archive}.',
  incident_over_no_promise: 'Es gibt keine Altersgrenze mehr.',
  incident_over_removed: '{name} wurde entfernt.',
  incident_over_retention: 'Das Ausdünnen geht weiter.',
  incident_over_schedule: 'Der Zeitplan lief ohne Fehler.',
  incident_over_storage: '{free} sind wieder frei.',
  incident_over_switched_off: 'Ein Benutzer hat den Zeitplan ausgeschaltet.',
  incident_mass_change:
    '{repository}: Von {files_before} Dateien im Archiv {before} wurden {changed} geändert und {removed} entfernt, im Archiv {archive}. Bis Sie die Änderungen annehmen, wird nicht ausgedünnt.',
  incident_over_mass_change: 'Die Änderungen wurden angenommen.',
  incident_retention_paused:
    '{repository}: {reason}. Das Ausdünnen pausiert, bis Sie es fortsetzen ({schedules}).',
  incident_schedule_disabled: 'Der Zeitplan {schedule} wurde ausgeschaltet: {reason}',
  incident_schedule_failing: 'Der letzte Lauf des Zeitplans {schedule} ist fehlgeschlagen: {reason}',
  incident_data_folder_nearly_full:
    'Im Datenordner von Holdfast sind {free} von {total} frei. Ist er fast voll, beginnt kein Auftrag: Schaffen Sie dort Platz.',
  waiting_for_room:
    'auf freien Speicher im Datenordner von Holdfast: {free} sind frei, und unter {reserve} beginnt kein Auftrag',
  incident_storage_nearly_full: 'Wo {repositories} liegen, sind {free} von {total} frei.',
  incident_unknown: 'Den Vorfall {id} gibt es nicht.',
  snooze_in_the_past: 'Diese Zeit ist schon vorbei: Wählen Sie eine in der Zukunft.',
  snooze_too_long: 'Höchstens ein Jahr lässt sich etwas zurückstellen.',

  // Restores
  archive_file_damaged:
    '{path} ist in diesem Archiv beschädigt: Laden Sie die Datei aus einem anderen Archiv herunter.',
  archive_nested_too_deep:
    'Die Ordner des Archivs sind so tief verschachtelt, dass sie sich nicht auflisten lassen. Als Ganzes lässt es sich wiederherstellen.',
  archive_path_damaged:
    '{path} enthält in diesem Archiv beschädigte Dateien: Laden Sie aus einem anderen Archiv herunter, oder stellen Sie wieder her; dabei werden sie genannt.',
  data_folder_too_full:
    'Die Dateien gehen durch den Datenordner von Holdfast und brauchen dort höchstens {needed}, aber nur {free} sind frei: Schaffen Sie Platz, oder stellen Sie weniger auf einmal wieder her. Dateien mit Löchern brauchen weniger: Versuchen Sie es trotzdem.',
  destination_contains_reserved: '{destination} enthält {reserved} ({path}): Wählen Sie ein anderes Ziel.',
  destination_denied: 'Holdfast hat keinen Zugang zu {path}. Ändern Sie Besitzer oder Rechte.',
  destination_has_dots: 'Das Ziel darf „..“, „.“ und doppelte Schrägstriche nicht enthalten.',
  destination_inside_alias:
    '{destination} liegt in {reserved}, das auch {path} ist: Wählen Sie ein anderes Ziel.',
  destination_inside_reserved: '{destination} liegt in {reserved}: Wählen Sie ein anderes Ziel.',
  destination_not_absolute: 'Das Ziel muss ein vollständiger Pfad sein, der mit einem Schrägstrich beginnt.',
  destination_not_directory: '{path} ist kein Ordner. Wählen Sie einen vorhandenen oder neuen Ordner.',
  destination_not_unicode: 'Das Ziel muss gültiges Unicode sein, ohne NUL und Zeilenumbrüche.',
  destination_not_writable: 'Holdfast darf {path} nicht beschreiben. Ändern Sie Besitzer oder Rechte.',
  destination_on_host_is_symlink:
    '{path} ist eine Verknüpfung: Geben Sie den Pfad an, zu dem sie führt, wenn Sie den meinen.',
  destination_on_host_not_writable:
    '{path} lässt sich auf {host} nicht beschreiben. Ändern Sie Besitzer oder Rechte.',
  destination_through_symlink:
    '{destination} führt über eine Verknüpfung zu {path}: Geben Sie diesen Pfad an, wenn Sie den meinen.',
  destination_too_long:
    'Das Ziel ist zu lang: höchstens {limit} Bytes im Ganzen und {segment_limit} für jeden Teil des Pfads.',
  layout_in_place:
    'An den ursprünglichen Ort lässt sich nur der ganze Pfad wiederherstellen: Wählen Sie sonst einen Ordner.',
  restore_across_file_systems:
    '{path} ließ sich nicht schreiben: Das Ziel umfasst mehrere Dateisysteme. Stellen Sie jedes für sich wieder her. Das Ziel ist unverändert.',
  restore_archive_gone: 'Das Archiv {archive} ist nicht mehr im Repository.',
  restore_archive_replaced:
    'Den Namen {archive} hat jetzt ein anderes Archiv: Sehen Sie es an, und versuchen Sie es noch einmal.',
  restore_connection_lost:
    'Die Verbindung zum Rechner brach ab, während Dateien an ihren Platz gebracht wurden. Der Rechner beendet das allein: Sobald in .holdfast-restore-…/result neben dem Ziel „done“ steht, sind alle Dateien da. {error}',
  restore_disk_full:
    '{path} ließ sich nicht schreiben: Der Datenträger ist voll. Schaffen Sie dort Platz. Das Ziel ist unverändert.',
  restore_file_damaged:
    '{path} ist im Repository beschädigt, und keine Datei wird durch eine beschädigte ersetzt. Wählen Sie etwas anderes aus, oder lassen Sie vorhandene Dateien stehen; dann wird sie ausgelassen.',
  restore_files_damaged:
    '{path} ist im Repository beschädigt (und {more} weitere), und keine Datei wird durch eine beschädigte ersetzt. Wählen Sie etwas anderes aus, oder lassen Sie vorhandene Dateien stehen; dann werden sie ausgelassen.',
  restore_files_left_out: 'Nicht vollständig wiederherstellbare und darum ausgelassene Dateien: {count}.',
  restore_folder_foreign:
    '{path} ist nicht der Arbeitsordner dieser Wiederherstellung: Er blieb unberührt. Finden Sie heraus, wer ihn angelegt hat, entfernen Sie ihn, und beginnen Sie erneut.',
  restore_folder_left:
    'Der Arbeitsordner ließ sich nicht entfernen: Entfernen Sie .holdfast-restore-… neben dem Ziel von Hand.',
  restore_folder_missing: '{path} gibt es nicht: Stellen Sie die Dateien noch einmal wieder her.',
  restore_interrupted:
    'Unterbrochen: Holdfast wurde während der Wiederherstellung beendet. Das Ziel ist unverändert. Starten Sie sie erneut.',
  restore_interrupted_folder_left:
    'Unterbrochen: Holdfast wurde während der Wiederherstellung beendet. Der Arbeitsordner {folder} ist noch auf dem Rechner; entfernen Sie ihn dort. Das Ziel ist unverändert. Starten Sie sie erneut.',
  restore_path_blocked: '{path}: {reason}. Wählen Sie andere Dateien oder ein anderes Ziel.',
  restore_path_exists:
    '{path} gibt es schon. Wählen Sie ein anderes Ziel, oder entscheiden Sie, ob Vorhandenes ersetzt wird oder bleibt.',
  restore_path_unknown: 'Im Archiv {archive} gibt es {path} nicht.',
  restore_paths_blocked:
    '{path}: {reason} (und {more} weitere). Wählen Sie andere Dateien oder ein anderes Ziel.',
  restore_paths_exist:
    '{path} gibt es schon (und {more} weitere). Wählen Sie ein anderes Ziel, oder entscheiden Sie, ob Vorhandenes ersetzt wird oder bleibt.',
  restore_plan_archive_changed:
    'Das Archiv {archive} hat sich seit dem Plan geändert: Erstellen Sie einen neuen Plan.',
  restore_plan_archive_repaired:
    'Das Archiv {archive} wurde seit dem Plan repariert und hat vielleicht Dateien verloren: Erstellen Sie einen neuen Plan.',
  restore_plan_expired: 'Dieser Plan ist abgelaufen: Erstellen Sie einen neuen.',
  restore_plan_mismatch: 'Der Plan passt nicht zu den übrigen Angaben: Erstellen Sie einen neuen.',
  restore_plan_obstructed: '{obstacle} Erstellen Sie dann einen neuen Plan.',
  restore_plan_of_other_user: 'Dieser Plan gehört einem anderen Benutzer: Erstellen Sie einen eigenen.',
  restore_plan_target_changed:
    'Das Ziel hat sich seit dem Plan geändert, bei {path}: Erstellen Sie einen neuen Plan.',
  restore_plan_unknown: 'Diesen Plan gibt es nicht: Erstellen Sie einen neuen.',
  restore_place_not_allowed:
    'Sie dürfen auf diesem Server nur in {paths} wiederherstellen: Wählen Sie einen Ordner dort.',
  restore_places_missing:
    'Sie dürfen noch in keinen Ordner wiederherstellen: Bitten Sie einen Administrator darum, oder laden Sie die Dateien herunter.',
  restore_plan_used: 'Dieser Plan wurde schon benutzt: Erstellen Sie einen neuen.',
  restore_quota_exceeded:
    '{path} ließ sich nicht schreiben: Das Kontingent des Datenträgers ist erschöpft. Schaffen Sie dort Platz. Das Ziel ist unverändert.',
  restore_taken_over: 'Eine andere Instanz von Holdfast hat diese Wiederherstellung übernommen.',
  restore_target_appeared:
    '{path} entstand, während die Dateien entpackt wurden; nichts wurde überschrieben.',
  restore_target_appeared_late: '{path} entstand, während die Dateien dorthin gebracht wurden.',
  restore_target_exists: '{path} gibt es schon, und Vorhandenes soll nicht ersetzt werden.',
  restore_target_folder_replaced:
    '{path} ist kein Ordner mehr, oder eine Verknüpfung hat einen darüber ersetzt: Dort wurde nichts geschrieben. Beginnen Sie erneut, wenn sonst nichts das Ziel ändert.',
  restore_target_in_the_way:
    '{path} ist im Weg: Nur eines von beiden ist ein Ordner. Räumen Sie es weg, und beginnen Sie erneut.',
  api_token_summary_only: 'Dieses API-Token öffnet nur GET /api/status/summary: Verwenden Sie ein anderes.',
  restore_target_read_only:
    '{path} ließ sich nicht schreiben: Das Dateisystem ist schreibgeschützt. Wählen Sie ein anderes Ziel. Das Ziel ist unverändert.',
  restore_tools_missing: 'Um auf {host} wiederherzustellen, fehlt dort GNU {tools}: Installieren Sie es.',
  restore_torn_on_host:
    'Nicht alle Dateien kamen an ihren Platz ({reason}), und nicht alles ließ sich rückgängig machen. Die fehlenden Dateien sind auf dem Rechner in {folder}.',
  restore_undone:
    'Nicht alle Dateien kamen an ihren Platz, darum wurde alles rückgängig gemacht. Das Ziel ist unverändert. Starten Sie die Wiederherstellung erneut.',
  restore_undone_on_host: '{reason} Das Ziel ist unverändert.',
  restore_unsupported: 'Das Sicherungsprogramm dieser Installation kann nichts wiederherstellen.',
  restore_write_denied:
    '{path} ließ sich nicht schreiben: Das ist nicht erlaubt. Ändern Sie dort Besitzer oder Rechte. Das Ziel ist unverändert.',
  restore_write_failed: '{path} ließ sich nicht schreiben: Fehler {error}. Das Ziel ist unverändert.',
  special_files_not_created: 'Auf {host} nicht angelegt: {count} Spezialdateien.',
  target_spans_file_systems:
    'Das Ziel umfasst mehrere Dateisysteme ({places}): Stellen Sie jedes für sich wieder her.',
  owners_by_name:
    '{count} Besitzer sind am Ziel anders: Dateien von {owner} bekommen die Nummern, die dieser Name dort hat, nicht {ids} ({names}). Stellen Sie nach Nummern wieder her, wenn dies der gesicherte Rechner ist.',
  owners_by_number:
    '{count} Besitzer sind am Ziel anders: Dateien von {owner} bekommen die Nummern {ids}; das ist dort {names}. Stellen Sie nach Namen wieder her, wenn es dieselben Benutzer auf einem anderen Rechner sind.',
  target_ignores_case: 'Das Dateisystem am Ziel unterscheidet Groß- und Kleinschreibung nicht.',
  target_keeps_no_hard_links:
    'Das Dateisystem am Ziel kennt keine Hardlinks: Jeder weitere Name wird zu einer eigenen Datei.',
  target_keeps_no_links: 'Das Dateisystem am Ziel kennt keine Symlinks: {count} werden ausgelassen.',
  target_keeps_no_modes:
    'Das Dateisystem am Ziel speichert keine Zugriffsrechte: Inhalt und Zeiten werden ohne sie wiederhergestellt.',
  target_keeps_no_owners:
    'Das Dateisystem am Ziel speichert keine Besitzer: Alle Dateien gehören dort einem einzigen Benutzer.',
  target_refuses_names:
    'Das Dateisystem am Ziel lehnt {count} Namen ab, zum Beispiel mit Doppelpunkt oder Fragezeichen: Diese Dateien werden ausgelassen.',
  target_too_full:
    'Am Ziel werden höchstens {needed} gebraucht, aber nur {free} sind frei: Schaffen Sie dort Platz. Dateien mit Löchern brauchen weniger: Versuchen Sie es trotzdem.',

  // Schedules and their runs
  checks_planned_again: 'Seine regelmäßigen Prüfungen sind wieder geplant.',
  cron_expression_wrong: 'Der Cron-Ausdruck ist ungültig: {problem}.',
  cron_blank: 'Der Zeitplan ist leer: Geben Sie an, wann er läuft, oder lassen Sie ihn nur von Hand laufen.',
  cron_field_count_wrong: 'Ein Cron-Ausdruck hat fünf Felder ({fields}); dieser hat {count}.',
  cron_field_wrong: 'Ein Feld ist ungültig ({field}): {value}.',
  cron_days_ambiguous:
    'cron läuft an Tagen, auf die {date} und {weekday} beide passen, Holdfast an Tagen, auf die eines passt: Setzen Sie den Tag des Monats oder den Wochentag auf *.',
  cron_range_backwards: 'Der Bereich {value} ({field}) endet, bevor er beginnt: Schreiben Sie {instead}.',
  cron_never_fires: 'Dieser Ausdruck ergibt nie einen Lauf: {expression}.',
  cron_no_longer_valid:
    'Der Cron-Ausdruck {cron_expression} ist in der Zeitzone {timezone} nicht mehr gültig.',
  preview_keeps_nothing:
    'Nach diesen Regeln bleibt nichts: Setzen Sie mindestens eine Anzahl über 0, oder eine Zeit, aus der alles bleibt.',
  prune_keeps_nothing:
    'Keine Regel behält etwas: Setzen Sie im Zeitplan mindestens eine Anzahl über 0, oder eine Zeit, aus der alles bleibt.',
  prune_rules_keep_nothing:
    'Nach diesen Regeln bleibt nichts: Setzen Sie mindestens eine Anzahl über 0, oder eine Zeit, aus der alles bleibt.',
  prune_running:
    'Das Ausdünnen {job} des Zeitplans {schedule} läuft noch. Warten Sie sein Ende ab, oder brechen Sie es ab.',
  prune_schedule_elsewhere: 'Der Zeitplan {schedule} sichert nicht in das Repository {repository}.',
  repository_not_covered: 'Der Zeitplan {schedule} sichert nicht in das Repository {repository}.',
  retention_paused:
    'Das Ausdünnen ruht seit {since}: {reason}. Ist die Sicherung in Ordnung, setzen Sie das Ausdünnen fort.',
  retention_paused_by_changes:
    'Das Ausdünnen ruht seit {since}: {reason}. Sind die Änderungen gewollt, nehmen Sie sie an.',
  rules_keep_nothing:
    'Wenn nach jedem Lauf ausgedünnt wird, muss mindestens eine Anzahl über 0 sein, oder eine Zeit gesetzt, aus der alles bleibt: Sonst würde jedes Archiv des Zeitplans entfernt.',
  run_backup_cancelled: '{repository} wurde abgebrochen.',
  run_backup_failed: '{repository} ist fehlgeschlagen: {reason}',
  run_backup_failed_unexplained: '{repository} ist fehlgeschlagen, ohne Angabe eines Grundes.',
  run_backup_postponed: '{repository} wurde nicht gesichert. {reason}',
  run_backup_warned: '{repository} hat Warnungen: {reason}',
  pause_in_past: 'Eine Ruhe muss in der Zukunft enden.',
  pause_too_long: 'Eine Ruhe kann höchstens ein Jahr dauern.',
  protection_paused: 'Seine Zeitpläne ruhen bis {until}.',
  run_before_change_missed: 'Der Zeitplan wurde geändert, bevor dieser Lauf begann.',
  run_missed: 'Verpasst, während Holdfast nicht lief.',
  run_missed_and_merged: 'Verpasst, während Holdfast nicht lief: mit dem Lauf vom {run} zusammengelegt.',
  run_waited: 'Wartete, bis der nächste Lauf fällig war. {reason}',
  run_waits_for_check: 'Seine Bedingungen werden gerade geprüft.',
  run_waits_for_disk:
    'Der Datenträger von {repository} ist nicht angeschlossen: Unter {path} gibt es kein Repository.',
  run_waits_for_host: '{host} antwortet nicht.',
  run_waits_for_hours: 'Startet nicht zwischen {from} und {to}.',
  run_waits_for_mount: '{mount} ist nicht eingehängt.',
  run_waits_for_other_disk: 'Unter {path} liegt ein anderes Repository als {repository}.',
  run_waits_to_retry: '{reason} Neuer Versuch nach {at}.',
  run_paused: 'Ausgelassen: Der Zeitplan ruhte bis {until}.',
  run_skipped: 'Der Lauf vom {run} wartet noch.',
  run_while_disabled: 'Der Zeitplan war ausgeschaltet.',
  runs_missed: '{count} geplante Läufe vom {first} bis {last}.',
  runs_missed_uncounted: 'Mehr als {count} geplante Läufe ab {first}, vor {before}.',
  schedule_without_hooks:
    'Die Skripte von {repositories} laufen mit diesem Zeitplan nicht, zum Beispiel solche für Snapshots oder Dumps.',
  schedule_has_no_repositories: 'Der Zeitplan hat keine Repositorys: Fügen Sie eines hinzu.',
  schedule_name_taken: 'Ein anderer Zeitplan heißt schon so: Wählen Sie einen anderen Namen.',
  schedule_repositories_missing:
    'Ein Zeitplan braucht mindestens ein Repository, in der Reihenfolge, in der gesichert wird.',
  schedule_repositories_observed:
    'Nur beobachtet, darum wird nicht hineingesichert: {repositories}. Nehmen Sie sie heraus, oder ändern Sie das in ihren Einstellungen.',
  schedule_run_refused_by_script: 'Bei diesem Lauf des Zeitplans {schedule} wurde nicht gesichert. {reason}',
  schedule_script_interrupted:
    'Das Skript des Zeitplans vor der Sicherung wurde unterbrochen, als Holdfast endete.',
  schedule_script_missing: 'Für diese Werte muss ein Skript gewählt sein: {field} ({script_field}).',
  schedule_script_stopped:
    'Das Skript des Zeitplans vor der Sicherung wurde angehalten, bevor es fertig war.',
  schedule_script_unknown: 'Das Skript {id} gibt es nicht ({field}).',
  schedule_unknown: 'Den Zeitplan {id} gibt es nicht.',
  schedule_without_repository_disabled:
    'Sein letztes Repository, {repository}, wurde gelöscht, darum wurde der Zeitplan ausgeschaltet. Fügen Sie ein anderes hinzu, und schalten Sie ihn wieder ein.',
  pin_has_ended: 'Wählen Sie ein Ende in der Zukunft, oder keines.',
  pin_shortened: 'Das Archiv {archive} ist länger festgehalten: Geben Sie es erst frei, um das zu verkürzen.',
  pin_while_removing:
    'Der Auftrag {job} läuft und löscht vielleicht das Archiv {archive}. Warten Sie, bis er endet, oder brechen Sie ihn ab.',
  too_many_pins: 'In diesem Repository sind schon {most} Archive festgehalten: Geben Sie erst einige frei.',
  schedules_still_disabled:
    'Diese Zeitpläne wurden ausgeschaltet, als das Repository entfernt wurde, und sind es noch: {schedules}. Schalten Sie sie ein, wenn sie wieder laufen sollen.',
  time_zone_unknown: 'Unbekannte Zeitzone {zone}: Geben Sie einen IANA-Namen wie Europe/Berlin an.',

  // Jobs that cannot begin
  archive_being_deleted: 'Das Archiv {archive} wird schon vom Auftrag {job} gelöscht.',
  archive_not_pinned: 'Das Archiv {archive} ist nicht festgehalten.',
  archive_pinned:
    'Das Archiv {archive} ist festgehalten ({reason}): Geben Sie es frei, bevor Sie es löschen.',
  archives_locked:
    'Das Repository ist von einem anderen Programm gesperrt: Versuchen Sie es erneut, wenn das fertig ist.',
  archives_locked_by: 'Das Repository ist gesperrt ({holder}): Versuchen Sie es erneut, wenn das fertig ist.',
  backup_in_observe_mode:
    'Das Repository {repository} wird nur beobachtet. Ändern Sie das in seinen Einstellungen, um hineinzusichern.',
  backup_without_sources: 'Das Repository {repository} hat keine Ordner. Fügen Sie mindestens einen hinzu.',
  check_limit_with_verify_data:
    'Eine Prüfung, die alle Daten liest, darf keine Zeitgrenze haben: Setzen Sie diese auf 0.',
  check_unsupported: 'Das Sicherungsprogramm dieser Installation kann Repositorys nicht prüfen.',
  connection_needed_by_job:
    'Der Auftrag {id} ({kind}) des Repositorys {repository} braucht es und ist nicht beendet ({status}): Warten Sie sein Ende ab, oder brechen Sie ihn ab.',
  deletion_in_observe_mode:
    'Das Repository {repository} wird nur beobachtet. Ändern Sie das in seinen Einstellungen, um Archive zu löschen.',
  job_already_ended:
    'Der Auftrag {id} ({kind}) ist schon beendet ({status}): Nur wartende und laufende lassen sich abbrechen.',
  job_cancelled_by_administrators: 'Diesen Auftrag darf nur ein Administrator abbrechen: {job}.',
  job_log_empty: 'Das Log des Auftrags {id} ({kind}) ist leer.',
  job_of_kind_unknown: 'Einen Auftrag {id} ({kind}) gibt es nicht.',
  job_unknown: 'Den Auftrag {id} gibt es nicht.',
  maintenance_already_queued:
    'Nicht angenommen ({what}): Der Auftrag {job} ({kind}) dieses Repositorys ist noch nicht beendet ({status}). Warten Sie sein Ende ab, oder brechen Sie ihn ab.',
  repair_cancelled_by_administrators: 'Eine Reparatur darf nur ein Administrator abbrechen.',
  repair_name_wrong:
    'Das ist nicht der Name dieses Repositorys. Eine Reparatur kann Daten kosten: Geben Sie zur Bestätigung den genauen Namen ein.',
  repository_in_use_by_job:
    'Das Repository wird gerade benutzt ({job}): Versuchen Sie es erneut, wenn das beendet ist.',
  repository_job_unfinished:
    'Der Auftrag {id} ({kind}) dieses Repositorys ist nicht beendet ({status}): Warten Sie sein Ende ab, oder brechen Sie ihn ab.',
  repository_lock_held:
    'Das Repository ist von einem anderen Programm gesperrt: Warten Sie, bis das fertig ist, und versuchen Sie es erneut.',
  repository_lock_held_by:
    'Das Repository ist gesperrt ({holder}): Warten Sie, bis das fertig ist, und versuchen Sie es erneut.',
  repository_observed:
    'Das Repository {repository} wird nur beobachtet. Ändern Sie das in seinen Einstellungen.',
  repository_observed_only: 'Das Repository wird nur beobachtet.',
  repository_read_only: 'Das Repository wird nur beobachtet, also nur gelesen.',

  // Repositories and their settings
  archive_name_brace_stray:
    'Eine geschweifte Klammer im Namen der Archive gehört zu keinem Platzhalter: Verwenden Sie {known}.',
  archive_name_empty: 'Das ergibt einen leeren Namen für Archive: Lassen Sie das Feld leer für den üblichen.',
  archive_name_of_unfinished:
    'Ein Name mit {mark} darin gilt als unfertiges Archiv: Wählen Sie einen anderen.',
  archive_name_placeholder_unknown: 'Unbekannter Platzhalter {placeholder}: Verwenden Sie {known}.',
  bypass_lock_outside_observe_mode:
    'Nur bei einem Repository, das nur beobachtet wird, darf die Sperre umgangen werden.',
  compression_level_wrong: 'Die Kompression {compression} hat Stufen von {min} bis {max}.',
  compression_unknown:
    'Die Kompression muss lz4, zstd, zlib, lzma oder none sein, bei Bedarf mit einer Stufe (zstd,10), auch nach auto (auto,zstd,10) oder obfuscate (obfuscate,110,zstd,10), nicht {compression}.',
  compression_obfuscation_wrong:
    'Nach obfuscate folgt eine Zahl von 1 bis 6 oder von 110 bis 123, und dann eine Kompression (obfuscate,110,zstd).',
  compression_without_level: 'Die Kompression {compression} hat keine Stufen.',
  custom_flags_not_one_line: 'Die weiteren Optionen müssen eine Zeile sein, ohne NUL.',
  custom_flags_quote_open:
    'In den weiteren Optionen ist {quote} nicht geschlossen: Schließen Sie es, oder lassen Sie es weg.',
  custom_flags_rejected: 'Weitere Optionen: {problems}',
  encryption_without_key_file:
    'Bei der Verschlüsselung {encryption} gibt es keine Schlüsseldatei: Es gibt nichts hochzuladen.',
  encryption_without_passphrase: 'Ohne Verschlüsselung gibt es keine Passphrase: Es gibt nichts zu ersetzen.',
  folder_denied: 'Holdfast darf {path} nicht lesen: Ändern Sie Besitzer oder Rechte.',
  folder_hangs:
    'Das Dateisystem von {path} antwortet nicht: Prüfen Sie, ob sein Rechner oder Datenträger läuft.',
  folder_is_file: '{path} ist kein Ordner.',
  folder_name_too_long: '{path} ist zu lang für einen Pfad.',
  folder_unknown: 'Den Ordner {path} gibt es nicht.',
  folder_unreadable: '{path} ließ sich nicht lesen: Prüfen Sie den Datenträger.',
  folders_busy:
    'Holdfast sieht sich gerade andere Ordner an, oder deren Dateisysteme antworten nicht: Versuchen Sie es später erneut.',
  full_mode_without_sources:
    'Wählen Sie mindestens einen Ordner oder eine Datenbank, oder stellen Sie ein, dass das Repository nur beobachtet wird.',
  given_connection_unknown: 'Die Verbindung {id} gibt es nicht ({field}).',
  identity_id_wrong:
    'Das Repository in {path} hat die Kennung {found}, nicht {given}: Prüfen Sie es, bevor Sie es akzeptieren.',
  identity_name_wrong:
    'Geben Sie den Namen des Repositorys ein, {repository}, um ein anderes zu akzeptieren.',
  identity_unchanged: 'Das Repository in {path} ist das bekannte: Es gibt nichts zu akzeptieren.',
  interrupted_repository_not_openable:
    'Als in {path} ein Repository angelegt wurde, kam eine Unterbrechung, und was davon blieb, lässt sich mit dieser Passphrase nicht öffnen: Entfernen Sie den Ordner, oder wählen Sie einen anderen Pfad.',
  interrupted_repository_without_key:
    'Als in {path} ein Repository angelegt wurde, kam eine Unterbrechung, und was davon blieb, lässt sich nicht öffnen, weil die Schlüsseldatei verloren ist: Entfernen Sie den Ordner, oder wählen Sie einen anderen Pfad.',
  key_file_empty:
    'Die Schlüsseldatei ist leer: Nehmen Sie die Datei, die das Sicherungsprogramm ausgegeben hat.',
  key_file_not_stored: 'Die Schlüsseldatei dieses Repositorys liegt hier nicht: Laden Sie sie hoch.',
  key_file_not_text: 'Das ist keine Schlüsseldatei: Es ist kein Text.',
  other_repository_at_path:
    'In {path} liegt ein anderes Repository: Fügen Sie stattdessen das hinzu, oder berichtigen Sie den Pfad.',
  other_repository_exists:
    'Unter diesem Pfad gibt es schon ein Repository, das benutzt wird oder anders verschlüsselt ist: Fügen Sie es als vorhandenes hinzu.',
  other_repository_now: 'Unter diesem Pfad liegt jetzt ein anderes Repository.',
  passphrase_missing:
    'Mit der Verschlüsselung {encryption} braucht es eine Passphrase, und sie darf nicht leer sein.',
  path_has_dots: 'Der Pfad darf „..“ nicht enthalten ({field}): Geben Sie ihn ohne an.',
  path_has_double_slash: 'Im Pfad stehen zwei Schrägstriche hintereinander: Entfernen Sie einen.',
  path_has_line_breaks: 'Der Pfad darf kein NUL und keine Zeilenumbrüche enthalten ({field}).',
  path_not_absolute: 'Geben Sie den ganzen Pfad an, mit einem Schrägstrich am Anfang.',
  path_not_folder_on_host: 'Das muss ein Ordner auf dem Rechner sein.',
  path_not_unicode: 'Der Pfad muss gültiges Unicode sein ({field}).',
  path_on_host_denied:
    '{path} auf {host}: kein Zugang. Wählen Sie einen anderen Pfad, oder ändern Sie Besitzer oder Rechte.',
  path_on_host_unreadable:
    '{path} auf {host}: nicht lesbar. Wählen Sie einen anderen Pfad, oder ändern Sie Besitzer oder Rechte.',
  path_read_as_archive:
    'Der Pfad darf „::“ nicht enthalten und nicht mit „:“ enden: Das Sicherungsprogramm hielte das für ein Archiv.',
  path_too_long:
    'Der Pfad ist zu lang ({field}): höchstens {limit} Bytes, und {segment_limit} für jeden Teil.',
  patterns_unchecked: 'Diese Ausschlussmuster sind in den Zahlen nicht berücksichtigt: {patterns}.',
  place_on_disk_of_sources:
    'Das Repository läge auf demselben Dateisystem wie {paths}: Fällt der Datenträger aus, ist beides verloren.',
  place_too_small:
    'Dort sind {free} frei, die Ordner haben {size}: Die erste Sicherung passt vielleicht nicht.',
  place_without_repository:
    'Unter diesem Pfad ist kein Repository, das das Sicherungsprogramm kennt: Berichtigen Sie ihn.',
  pull_unsupported:
    'Das Sicherungsprogramm kann nur Daten dieses Rechners sichern. Wählen Sie Ordner dieses Rechners.',
  repository_admin_only:
    'Es enthält Kopien von Holdfast mit dem geheimen Schlüssel. Deshalb sehen es nur Administratoren.',
  repository_being_created:
    'Unter diesem Pfad wird gerade ein Repository angelegt: Versuchen Sie es etwas später erneut.',
  repository_busy: 'Andere Anfragen ändern dieses Repository immer wieder: Versuchen Sie es noch einmal.',
  repository_connection_removed:
    'Das Repository liegt auf einem anderen Rechner, aber dessen Verbindung wurde entfernt: Wählen Sie eine andere.',
  repository_denied:
    'Holdfast darf unter diesem Pfad nicht lesen oder schreiben: Ändern Sie Besitzer oder Rechte. {problem}',
  repository_exists: 'Unter diesem Pfad gibt es schon ein Repository: Fügen Sie es als vorhandenes hinzu.',
  repository_folder_missing: '{path} gibt es nicht: Berichtigen Sie den Pfad, oder hängen Sie ihn ein.',
  repository_folder_not_creatable:
    '{folder} lässt sich nicht anlegen: Legen Sie den Ordner selbst an, oder wählen Sie einen anderen Pfad.',
  repository_folder_not_empty: 'In diesem Ordner sind andere Dateien: Wählen Sie einen leeren oder neuen.',
  repository_host_unreachable: 'Keine Verbindung zum Rechner: {problem}',
  repository_inside_other: 'Das läge im Repository {repository}: Wählen Sie einen Pfad außerhalb.',
  repository_inside_source:
    'Das läge in {source}, das Repository würde sich also selbst sichern: Wählen Sie einen Pfad außerhalb, oder schließen Sie {path} aus.',
  repository_key_file_needed: 'Dieses Repository braucht seine Schlüsseldatei: Geben Sie sie an.',
  repository_missing:
    'Unter diesem Pfad gibt es kein Repository: Berichtigen Sie ihn, oder legen Sie dort eines an.',
  repository_moved_meanwhile:
    'Der Pfad des Repositorys hat sich währenddessen geändert: Prüfen Sie ihn, und versuchen Sie es noch einmal.',
  repository_name_taken: 'Ein anderes Repository heißt schon so: Wählen Sie einen anderen Namen.',
  repository_not_encrypted: 'Dieses Repository ist nicht verschlüsselt und hat darum keinen Schlüssel.',
  repository_passphrase_wrong: 'Das ist nicht die Passphrase dieses Repositorys: Geben Sie die richtige ein.',
  repository_path_empty: 'Geben Sie einen Pfad an.',
  repository_path_not_directory: '{path} ist kein Ordner und kann darum kein Repository sein.',
  repository_path_not_local:
    'Der Pfad muss auf diesem Rechner sein: Für einen anderen Rechner wählen Sie eine Verbindung.',
  repository_path_of_other: 'Diesen Pfad hat schon das Repository {repository}: Wählen Sie einen anderen.',
  repository_path_taken: 'Diesen Pfad hat schon ein anderes Repository: Wählen Sie einen anderen.',
  repository_place_denied: 'Holdfast darf {path} nicht lesen: Ändern Sie Besitzer oder Rechte.',
  repository_place_not_directory: '{path} ist kein Ordner: Wählen Sie einen anderen Pfad.',
  repository_place_not_writable:
    'Holdfast darf {path} nicht beschreiben: Ändern Sie Besitzer oder Rechte, oder wählen Sie einen anderen Pfad.',
  repository_unknown: 'Das Repository {id} gibt es nicht.',
  set_by_source_set:
    'Das lässt sich hier nicht einstellen ({fields}): Die Quellgruppe {id} bestimmt es. Ändern Sie diese, oder lösen Sie das Repository davon.',
  source_connection_unfit: 'Bei Ordnern eines anderen Rechners nicht möglich: {problems}',
  source_connection_unsupported: 'Das Sicherungsprogramm kann nur Daten dieses Rechners sichern.',
  source_holds_data_folder:
    'In {source} liegt der Datenordner von Holdfast ({folder}), dessen Datenbank sich während einer Sicherung ändert: Lassen Sie ihn aus.',
  source_inside_repository: '{source} liegt im Repository: Lassen Sie diesen Ordner weg.',
  source_is_symlink:
    '{path} ist eine Verknüpfung auf {target}: Nur sie selbst wird gesichert. Geben Sie stattdessen den Ordner an, auf den sie zeigt.',
  source_is_symlink_elsewhere:
    '{path} ist eine Verknüpfung: Nur sie selbst wird gesichert. Geben Sie stattdessen den Ordner an, auf den sie zeigt.',
  source_missing: '{path} gibt es nicht: Hängen Sie es vor der ersten Sicherung ein, oder legen Sie es an.',
  source_not_absolute:
    '„{source}“ ist kein vollständiger Pfad: Geben Sie ihn ganz an, mit einem Schrägstrich am Anfang.',
  source_secret_again:
    'Quelle {source}: Geben Sie {field} neu ein, da der Server oder der Benutzer jetzt ein anderer ist.',
  source_set_busy:
    'Andere Anfragen ändern diese Quellgruppe und ihre Repositorys immer wieder: Versuchen Sie es noch einmal.',
  source_set_empty: 'Fügen Sie mindestens einen Ordner oder eine Quelle wie eine Datenbank hinzu.',
  source_set_in_use:
    'Die Quellgruppe {name} wird noch benutzt: {repositories}. Lösen Sie diese Repositorys zuerst davon.',
  source_set_name_taken: 'Eine andere Quellgruppe heißt schon so: Wählen Sie einen anderen Namen.',
  source_set_unfit: 'Repository {repository}: {problem}',
  source_set_unknown: 'Die Quellgruppe {id} gibt es nicht.',
  sources_are_symlinks: 'Das sind Verknüpfungen, von denen nur sie selbst gesichert werden: {paths}.',
  sources_missing_before_script:
    'Diese Ordner gibt es gerade nicht: {paths}. Hängt das Skript vor der Sicherung sie ein, lassen sie sich jetzt nicht ansehen: Die Sicherung sieht sie danach an.',
  schedules_without_hooks: 'Diese Zeitpläne führen die Skripte des Repositorys nicht aus: {schedules}.',
  sources_missing: 'Diese Ordner gibt es nicht: {paths}. Berichtigen Sie sie, oder hängen Sie sie ein.',
  sources_skip_file_systems:
    '--one-file-system lässt diese Dateisysteme und Subvolumes aus: {paths}. Nehmen Sie sie in die Quellen auf, oder schließen Sie sie aus.',
  sources_unreadable: 'Nicht lesbare Dateien oder Ordner: {count}. Sie werden den Sicherungen fehlen.',

  // Archives
  archive_directory_unknown: 'Im Archiv gibt es den Ordner {path} nicht.',
  archive_file_missing: 'Diese Datei gibt es im Archiv nicht.',
  archive_file_unknown: 'Im Archiv {archive} gibt es die Datei {path} nicht.',
  archive_not_in_repository: 'Dieses Archiv ist nicht im Repository.',
  archive_path_not_directory: '{path} ist kein Ordner ({type}).',
  archive_path_unknown: 'Im Archiv {archive} gibt es {path} nicht.',
  archive_is_oldest:
    'Archiv {archive} ist das älteste des Repositorys {repository}: Wählen Sie das Archiv zum Vergleichen.',
  archive_unknown: 'Im Repository {repository} gibt es das Archiv {archive} nicht.',
  archives_chosen_twice: 'Wählen Sie Archive entweder einzeln oder nach einem Muster.',
  archives_not_chosen: 'Wählen Sie Archive aus.',
  archives_of_other_schedule:
    'Diese Archive gehören zum Zeitplan {schedule}: {archives}. Lassen Sie sie weg, oder löschen Sie zuerst den Zeitplan.',
  archives_unknown: 'In {repository} gibt es diese Archive nicht: {archives}.',
  archives_unmatched: 'Kein Archiv in {repository} passt zu {pattern}.',
  data_folder_disk_faulty:
    'Der Datenordner von Holdfast ist nicht beschreibbar: Sein Datenträger meldet Fehler. Die Liste der Dateien lässt sich nicht anlegen.',
  data_folder_full:
    'Im Datenordner von Holdfast ist kein Platz mehr: Die Liste der Dateien lässt sich nicht anlegen.',
  data_folder_not_writable:
    'Der Datenordner von Holdfast ist nicht beschreibbar: Die Liste der Dateien lässt sich nicht anlegen.',
  data_folder_read_only:
    'Der Datenordner von Holdfast ist schreibgeschützt: Die Liste der Dateien lässt sich nicht anlegen.',
  download_of_no_file: '{path} ist keine Datei ({type}): Nur Dateien lassen sich herunterladen.',
  download_ticket_unknown: 'Dieser Download gilt nicht mehr: Beginnen Sie ihn erneut.',
  download_tickets_too_many:
    'Sie haben zu viele Downloads angefordert, ohne sie zu beginnen: Warten Sie eine Minute.',
  downloads_too_many: 'Es laufen zu viele Downloads. Versuchen Sie es später erneut.',
  folder_download_unsupported:
    'Das Sicherungsprogramm dieser Installation kann nur einzelne Dateien herausgeben.',
  own_downloads_too_many: 'Ihre laufenden Downloads: {count}. Warten Sie, bis einer davon fertig ist.',
  path_in_no_archive: 'Kein Archiv des Repositorys {repository} enthält {path}.',
  reading_archive_failed: 'Das Sicherungsprogramm ist gescheitert: {problem}',

  // Sign-in, people and tokens
  access_token_revoked: 'Ihre Anmeldung gilt nicht mehr: Melden Sie sich wieder an.',
  second_factor_required: 'Geben Sie auch den zweiten Faktor an.',
  second_factor_setup_required: 'Richten Sie zuerst einen zweiten Faktor ein.',
  second_factor_missing: 'Richten Sie zuerst einen zweiten Faktor ein: Wiederherstellungscodes ersetzen ihn.',
  code_wrong:
    'Der Code ist falsch oder wurde schon benutzt. Warten Sie auf den nächsten, oder nehmen Sie einen Wiederherstellungscode.',
  current_code_wrong: 'Der Code ist falsch oder wurde schon benutzt. Warten Sie auf den nächsten.',
  first_code_wrong:
    'Der Code ist falsch. Vergleichen Sie die Uhren von Server und Telefon, und nehmen Sie den nächsten Code.',
  totp_set_up: 'Eine Authenticator-App ist schon eingerichtet: Entfernen Sie sie zuerst.',
  totp_missing: 'Es ist keine Authenticator-App eingerichtet.',
  setup_over: 'Dieser Schritt ist abgelaufen oder schon geschehen: Beginnen Sie von vorn.',
  passkey_copied:
    'Eine neuere Antwort des Passkeys {name} war schon da: Er wurde vielleicht kopiert. Melden Sie sich anders an und entfernen Sie ihn.',
  passkey_elsewhere:
    'Sie haben keinen Passkey für {origin}: Passkeys antworten nur an der Adresse, an der sie hinzugefügt wurden.',
  passkey_known: 'Dieser Passkey wurde schon hinzugefügt: Nehmen Sie einen anderen.',
  passkey_needs_session:
    'Ein API-Token kann keine Passkeys entfernen: Melden Sie sich mit Ihrem Passwort an.',
  passkey_not_valid:
    'Dieser Passkey kann an {origin} nicht verwendet werden. Ist das nicht die Adresse im Browser, muss Holdfast seinem Proxy vertrauen, und dieser muss Host weitergeben.',
  passkey_unknown: 'Sie haben keinen solchen Passkey.',
  passkey_wrong:
    'Dieser Passkey ist hier nicht bekannt, oder seine Antwort gilt nicht: Nehmen Sie einen anderen oder das Passwort.',
  passkeys_too_many: 'Sie haben {count} Passkeys: Entfernen Sie einen, den Sie nicht mehr benutzen.',
  sign_in_step_over: 'Dieser Schritt der Anmeldung ist abgelaufen oder schon getan: Beginnen Sie von vorn.',
  access_token_unknown: 'Ihre Anmeldung gilt nicht mehr: Melden Sie sich wieder an.',
  browser_session_needed: 'Das geht nur aus einem Browser, in dem Sie angemeldet sind.',
  identity_taken: 'Dieses Konto beim Anbieter ist mit einem anderen Benutzer von Holdfast verknüpft.',
  identity_unknown: 'Sie haben kein verknüpftes Konto {id}.',
  last_way_in:
    'Sie könnten sich nicht mehr anmelden: Lassen Sie sich zuerst von einem Administrator ein Passwort geben.',
  public_url_missing:
    'Setzen Sie PUBLIC_URL auf die Adresse von Holdfast, damit Browser dorthin zurückfinden.',
  sign_in_failed:
    'Die Anmeldung mit {label} ist fehlgeschlagen: {problem}. Melden Sie sich mit einem Passwort an, oder versuchen Sie es später noch einmal.',
  sign_in_name_invalid:
    'Der Name, den der Anbieter nennt, kann kein Benutzername sein: Fragen Sie einen Administrator.',
  sign_in_name_taken:
    'Es gibt schon ein Konto mit diesem Namen oder dieser E-Mail-Adresse: Melden Sie sich mit dessen Passwort an, und verknüpfen Sie es in den Einstellungen.',
  sign_in_refused: 'Sie sind nicht angemeldet: {problem}.',
  sign_in_unknown: 'Es gibt keine Anmeldung {id}.',
  sign_in_user_unknown: 'Sie haben hier kein Konto: Fragen Sie einen Administrator danach.',
  account_deactivated: 'Dieses Konto ist ausgeschaltet: Fragen Sie einen Administrator.',
  administrator_required: 'Das dürfen nur Administratoren.',
  details_need_right: 'Für die Einzelheiten ist das Recht `restore` auf dieses Repository nötig.',
  grants_without_limit:
    'Nur eingeschränkte Benutzer haben Rechte auf einzelne Repositorys und Ordner für Wiederherstellungen.',
  right_missing:
    'Ihr Konto oder dieses Token ist auf einige Repositorys beschränkt: Fragen Sie einen Administrator.',
  token_narrowed:
    'Ein eingeschränktes Token kann keine Tokens erstellen: Melden Sie sich mit Ihrem Passwort an.',
  role_contradicts: 'Rolle und Administratorrecht widersprechen sich: Geben Sie nur eines davon an.',
  api_token_expiry_past: 'Der Ablauf muss in der Zukunft liegen.',
  api_token_unknown: 'Sie haben kein Token {id}.',
  changed_since_read:
    'Seit Sie es gelesen haben, hat es sich geändert: Sehen Sie nach, was anders ist, und speichern Sie noch einmal.',
  confirmation_required: 'Bestätigen Sie zuerst Ihr Passwort.',
  credentials_wrong: 'Benutzername oder Passwort ist falsch.',
  current_password_wrong: 'Das bisherige Passwort ist falsch.',
  email_taken: 'Diese E-Mail-Adresse hat schon jemand anderes: Wählen Sie eine andere.',
  foreign_page:
    'Nur die eigenen Seiten von Holdfast dürfen diese Sitzung benutzen. Hinter einem Proxy muss Holdfast ihm vertrauen, und er muss den Host-Header weitergeben.',
  last_administrator:
    '{username} ist der letzte aktive Administrator mit Passwort: Machen Sie zuerst jemand anderen zum Administrator.',
  login_attempts_too_many: 'Zu viele Anmeldeversuche. Versuchen Sie es in {seconds} s erneut.',
  new_password_same: 'Das neue Passwort ist das bisherige: Wählen Sie ein anderes.',
  own_account_not_deletable:
    'Ihr eigenes Konto können Sie nicht löschen: Bitten Sie einen anderen Administrator.',
  password_change_required: 'Ändern Sie zuerst Ihr Passwort.',
  password_changed_elsewhere: 'Das Passwort wurde anderswo geändert: Melden Sie sich wieder an.',
  password_wrong: 'Das Passwort ist falsch.',
  session_ended: 'Ihre Sitzung ist zu Ende: Melden Sie sich wieder an.',
  session_reused:
    'Die Sitzung wurde beendet, weil ihr Cookie zweimal benutzt wurde: Vielleicht hat jemand eine Kopie. Melden Sie sich wieder an, und sehen Sie im Protokoll nach.',
  user_unknown: 'Das Konto {id} gibt es nicht.',
  username_resembles:
    'Dieser Benutzername sieht aus wie ein anderer oder wie gar nichts: Wählen Sie einen anderen.',
  username_taken: 'Diesen Benutzernamen hat schon jemand anderes: Wählen Sie einen anderen.',

  // SSH
  connection_address_taken:
    'Eine Verbindung mit diesem Rechner, Port und Benutzer gibt es schon: Benutzen Sie diese.',
  connection_in_use:
    'Repositorys benutzen diese Verbindung: {names}. Um sie trotzdem zu entfernen, bestätigen Sie mit {name}.',
  connection_is_jump:
    'Andere Verbindungen führen über diese: {names}. Wählen Sie für sie zuerst einen anderen Weg.',
  jump_circle: 'Der andere Rechner wird selbst über diesen erreicht.',
  jump_host_key_unknown:
    'Der Host-Schlüssel von {host} ist noch nicht bekannt: Testen Sie dessen Verbindung, bevor andere über ihn führen.',
  jump_needs_admin: 'Einen Weg über einen anderen Rechner wählen nur Administratoren.',
  connection_key_deleted:
    'Der SSH-Schlüssel wurde gelöscht: Erzeugen Sie einen neuen, und kopieren Sie ihn auf diesen Rechner.',
  connection_key_lost:
    'Der SSH-Schlüssel ging mit dem geheimen Schlüssel von Holdfast verloren: Erzeugen Sie einen neuen, und kopieren Sie ihn auf diesen Rechner.',
  deployment_fields_missing: 'Geben Sie auch {fields} an, oder erzeugen Sie nur den Schlüssel.',
  host_key_changed_again:
    'Der Host-Schlüssel hat sich noch einmal geändert. Prüfen Sie ihn, bevor Sie ihn akzeptieren.',
  host_key_not_accepted:
    'Der Host-Schlüssel der Verbindung hat sich geändert: Ein Administrator muss ihn akzeptieren.',
  host_key_not_offered:
    'Der Rechner hat nur den bekannten Schlüssel gezeigt: Testen Sie zuerst die Verbindung.',
  host_key_not_shown:
    'Der Rechner hat zuletzt den Schlüssel {shown} gezeigt, nicht {fingerprint}: Vergleichen Sie ihn auf dem Rechner selbst.',
  host_protocol: 'Der Rechner spricht nicht richtig SSH: {problem}',
  private_key_encrypted: 'Dieser private Schlüssel ist verschlüsselt: Geben Sie seine Passphrase ein.',
  private_key_is_public: 'Das ist ein öffentlicher Schlüssel: Geben Sie den privaten an, der dazugehört.',
  private_key_passphrase_wrong:
    'Das ist nicht die Passphrase dieses privaten Schlüssels: Geben Sie die richtige ein.',
  private_key_too_short: 'Dieser RSA-Schlüssel ist zu kurz: Er muss mindestens 3072 Bit haben.',
  private_key_type_unsupported:
    'Diese Art von privatem Schlüssel geht nicht: Nehmen Sie rsa, ed25519 oder ecdsa.',
  private_key_unreadable:
    'Das ist kein lesbarer privater Schlüssel: Geben Sie einen im Format OpenSSH oder PEM an.',
  public_key_of_other_key:
    'Der öffentliche Schlüssel gehört nicht zu diesem privaten: Geben Sie den richtigen an, oder keinen.',
  public_key_unreadable:
    'Der öffentliche Schlüssel ist nicht lesbar: Geben Sie den an, der zu diesem privaten gehört, oder keinen.',
  ssh_connection_unknown: 'Die SSH-Verbindung {id} gibt es nicht.',
  ssh_key_exists:
    'Es gibt schon einen SSH-Schlüssel: Löschen Sie ihn zuerst, bevor Sie einen neuen erzeugen oder übernehmen.',
  ssh_key_missing: 'Es gibt noch keinen SSH-Schlüssel: Erzeugen Sie einen.',
  ssh_key_setup_running: 'Gerade wird ein SSH-Schlüssel eingerichtet: Warten Sie, bis das fertig ist.',
  ssh_key_turned_off: 'Der SSH-Schlüssel {key} ist ausgeschaltet: Schalten Sie ihn zuerst ein.',
  ssh_key_unknown: 'Den SSH-Schlüssel {id} gibt es nicht.',

  // Channels of notifications
  delivery_unknown: 'Die Nachricht {id} dieses Kanals gibt es nicht.',
  monitored_repositories_unknown: 'Diese Repositorys gibt es nicht: {repositories}.',
  notification_setting_disabled: 'Der Kanal ist ausgeschaltet.',
  notification_setting_unknown: 'Den Kanal {id} gibt es nicht.',
  notification_transport_missing:
    'An {scheme}:// kann Holdfast nichts senden. Es kennt: {supported}. Andere Dienste brauchen einen Apprise-Server.',
  service_url_empty: 'In der Adresse steht nach {scheme}:// nichts.',
  service_url_has_hash:
    'In der Adresse steht ein #, das alles Folgende abschneidet: Schreiben Sie es als %23.',
  service_url_has_spaces:
    'In der Adresse stehen Leerzeichen oder Steuerzeichen: Schreiben Sie ein Leerzeichen als %20.',
  service_url_has_two_schemes: 'Die Adresse hat zwei Schemata: Entfernen Sie das nach {scheme}://.',
  service_url_masked: 'Diese Adresse ist verdeckt: Geben Sie sie ganz ein, oder lassen Sie sie weg.',
  service_url_of_web_page:
    'An {scheme}:// kann Holdfast nichts senden. Für einen Webhook schreiben Sie {instead}:// statt {scheme}://; für einen von Discord oder Slack discord:// oder slack://. Es kennt: {supported}. Andere Dienste brauchen einen Apprise-Server.',
  service_url_scheme_local:
    'Das Schema {scheme} wirkt auf dem Rechner, auf dem Holdfast läuft, und geht darum nicht.',
  service_url_too_long: 'Die Adresse hat {length} Zeichen; höchstens {limit} sind möglich.',
  service_url_undecryptable:
    'Die Adresse lässt sich mit dem jetzigen geheimen Schlüssel nicht entschlüsseln: Geben Sie sie im Kanal neu ein.',
  service_url_without_scheme:
    'Der Adresse fehlt der Anfang: Schreiben Sie zum Beispiel json://host/path oder mailto://user:password@host.',
  transport_failed: 'Das Senden ist gescheitert.',

  // Scripts
  attached_script_removed: 'Das Skript wurde inzwischen von dort entfernt.',
  attached_script_unknown: 'Am Repository {repository} gibt es das Skript {id} nicht.',
  script_aborted: 'Das Skript wurde angehalten, bevor es fertig war.',
  script_already_attached: 'Dieses Skript ist dort schon eingetragen: Ändern Sie den Eintrag.',
  script_exited: 'Das Skript endete mit dem Exit-Code {code}.',
  script_in_use: 'Das Skript {script} wird benutzt ({count}): Entfernen Sie es zuerst dort: {users}.',
  script_name_taken: 'Ein anderes Skript heißt schon so: Wählen Sie einen anderen Namen.',
  script_not_started: 'Das Skript ist nicht gestartet.',
  script_parameter_has_nul: '{parameter} darf kein NUL enthalten.',
  script_parameter_missing: 'Das Skript {script} braucht einen Wert für {parameter}.',
  script_parameter_too_long: '{parameter} darf höchstens {limit} Zeichen haben.',
  script_parameter_type_wrong: '{parameter} muss ein Text, eine Zahl oder ein Wahrheitswert sein.',
  script_postpones:
    'Das Skript endete mit dem Exit-Code {code}, das heißt „jetzt nicht“: Vor einer Sicherung würde es sie auslassen, und nichts schlägt fehl.',
  script_template_not_changeable: 'Vorlagen lassen sich nicht ändern: Machen Sie daraus ein eigenes Skript.',
  script_template_not_deletable: 'Vorlagen lassen sich nicht löschen.',
  script_timed_out: 'Das Skript wurde nach seiner Zeitgrenze von {seconds} Sekunden angehalten.',
  script_unknown: 'Das Skript {id} gibt es nicht.',

  // The service itself
  body_too_large: 'Das ist zu groß: höchstens 1 MB.',
  cache_settings_not_stored:
    'Die Einstellungen ließen sich nicht speichern: Die bisherigen gelten weiter. Versuchen Sie es später erneut.',
  cache_settings_rejected: '{problem} Die bisherigen Einstellungen gelten weiter.',
  check_again: 'Prüfen Sie es noch einmal.',
  event_gone: 'Dieses Ereignis gibt es nicht mehr.',
  expensive_calls_too_many: 'Aufwendige Anfragen in der letzten Minute: {limit}. Warten Sie {seconds} s.',
  history_too_long: 'Höchstens {days} Tage auf einmal: Wählen Sie einen Teil der Zeit.',
  internal: 'Ein Fehler in Holdfast. Die Ursache steht in seinem Log, unter der Nummer dieser Anfrage.',
  secret_modified:
    'Ein gespeichertes Geheimnis lässt sich nicht entschlüsseln: Es wurde verändert oder für etwas anderes verschlüsselt.',
  secret_of_other_key:
    'Ein gespeichertes Geheimnis lässt sich nicht entschlüsseln: Es wurde mit einem anderen geheimen Schlüssel verschlüsselt. Starten Sie Holdfast mit diesem.',
  self_backup_cancelled: 'Der Auftrag {job_id} wurde abgebrochen.',
  self_backup_copy_failed: 'Die Kopie von Holdfast selbst ist nicht gelungen: {problem}',
  self_backup_exists:
    'Holdfast sichert sich schon nach {path}: Ändern Sie den Pfad in den Einstellungen dieses Repositorys, oder entfernen Sie es zuerst aus Holdfast.',
  self_backup_files_protected:
    'Die Sicherung von Holdfast selbst enthält den geheimen Schlüssel: Ein Token, das nur lesen darf, bekommt keine Dateien daraus.',
  self_backup_on_data_disk:
    'Die Sicherung von Holdfast selbst liegt auf der Platte des Datenordners und wäre mit ihr verloren: Wählen Sie eine andere Platte oder einen anderen Rechner.',
  self_backup_without_space:
    'Die Kopie von Holdfast selbst braucht {needed} in {folder}, wo {free} frei sind: Schaffen Sie Platz auf der Platte des Datenordners.',
  service_stopping: 'Holdfast wird gerade beendet. Versuchen Sie es gleich erneut.',
  storage_conflict: 'Eine andere Anfrage hat dasselbe geändert. Versuchen Sie es noch einmal.',
  storage_unavailable: 'Die Datenbank antwortet nicht. Versuchen Sie es später erneut.',
  upload_too_large: 'Die Datei darf höchstens {kilobytes} KB haben.',
  value_in_use: 'Das ist schon vergeben ({field}). Wählen Sie etwas anderes.',

  // Drills
  drill_already_queued:
    'Die Probe wurde abgelehnt: Die Probe {job} dieses Repositorys hat schon den Zustand {status}. Warten Sie ihr Ende ab, oder brechen Sie sie ab.',
  drill_archive_unreadable: 'Das Archiv {archive} lässt sich nicht lesen: {problem}',
  drill_content_oversized: 'Im Archiv steckt dafür mehr, als seine Liste sagt.',
  drill_dump_without_room: 'Der Test braucht {needed} in {folder}; dort sind {free} frei.',
  drill_dump_counted: 'In einem eigenen Server wiederhergestellt. Tabellen: {tables}, Zeilen: {rows}.',
  containers_unsupported: 'Kein Plugin kann Programme in Containern ausführen.',
  dump_cut_off: 'Der Dump {dump} endet zu früh: Die Endmarke fehlt.',
  dump_empty: 'Der Dump {dump} ist leer.',
  dump_failed:
    'Der Dump {dump} ist mit Exit-Code {exit_code} fehlgeschlagen: siehe das Protokoll des Auftrags.',
  dump_killed: 'Das Programm, das den Dump {dump} erstellt, wurde vorzeitig beendet.',
  dump_kind_without_restore: 'Quellen der Art {kind} können keine Dumps wiederherstellen.',
  dump_into_own_database: '{into} ist die Datenbank von Holdfast: Wählen Sie einen anderen Namen.',
  dump_replace_mismatch: 'Um {into} zu ersetzen, geben Sie denselben Namen noch einmal ein.',
  dump_restore_interrupted:
    'Unterbrochen: Holdfast wurde beendet, während {into} wiederhergestellt wurde. Starten Sie die Wiederherstellung neu.',
  dump_source_removed:
    'Das Repository hat die Quelle {source} nicht mehr: Fügen Sie sie in seinen Einstellungen wieder hinzu.',
  dump_stalled:
    'Der Dump {dump} hat {seconds} s lang nichts gesendet und wurde beendet: Suchen Sie nach einer gesperrten Tabelle oder einem Server, der nicht antwortet.',
  not_a_dump: '{path} ist kein Dump einer Datenbank: Wählen Sie eine Datei unter holdfast-sources.',
  host_socket_refused:
    '{username} kann sich auf {host} nicht mit {address} verbinden: Der Dienst muss laufen, der Benutzer muss ihn benutzen dürfen, und sshd_config muss es erlauben (AllowStreamLocalForwarding, AllowTcpForwarding).',
  source_field_missing: 'Der Quelle {source} fehlt: {field}.',
  source_field_not_a_number: '{field} der Quelle {source} muss eine Zahl sein.',
  source_field_unknown: 'Die Quelle {source} hat keine Einstellung {field}.',
  source_host_removed: 'Die SSH-Verbindung zum Rechner der Quellen wurde entfernt: Wählen Sie eine andere.',
  source_kind_unknown: 'Es gibt keine Art von Quelle namens {kind}.',
  source_name_taken: 'Zwei Quellen heißen {name}: Wählen Sie einen anderen Namen.',
  source_not_in_archive: '{source} ist durch diese Sicherung nicht geschützt: {reason}',
  source_not_named: 'Geben Sie eine Quelle an.',
  source_not_released: '{source} konnte nicht freigegeben werden; es wird weiter versucht: {reason}',
  waiting_for_release: 'auf die Freigabe von {source} nach Sicherung {job}',
  tool_without_dumps: 'Das Sicherungsprogramm kann Dumps und Snapshots nicht speichern: {reasons}',
  waiting_for_source: 'Sicherung {job} von Repository {repository}, die dieselbe Quelle vorbereitet',
  drill_content_lost:
    'Das Archiv führt sie als beschädigt: Inhalt ging verloren und wurde durch Nullen ersetzt.',
  drill_differs_from_source:
    'Ihr Inhalt ist anders als an der Quelle, die dieselbe Größe und Zeit hat und seit der Sicherung nicht geändert wurde.',
  drill_entry_refused: 'Sie wurde ausgelassen: {problem}.',
  drill_export_too_long:
    'Diese Proben haben mehr als {limit} Dateien: Wählen Sie einen kürzeren Zeitraum oder ein einzelnes Repository.',
  drill_files_failed:
    'Von {examined} Dateien aus {archive} wurden {count} nicht so wiederhergestellt, wie sie gesichert wurden: {paths}. Das Ergebnis der Probe nennt alle. Prüfen Sie das Repository; sichern Sie nach einer Reparatur erneut.',
  drill_fixed_path_is_root: 'Feste Pfade nennen Dateien oder Ordner, nicht das ganze Archiv.',
  drill_interrupted:
    'Unterbrochen: Holdfast wurde während der Probe beendet, darum gibt es kein Ergebnis. Starten Sie sie erneut.',
  drill_left_out: 'Sie wurde ausgelassen, weil davor {count} Dateien fehlschlugen.',
  drill_not_readable: 'Sie lässt sich nicht wiederherstellen: {problem}',
  drill_not_restored: 'Sie wurde nicht wiederhergestellt.',
  drill_nothing_to_restore:
    'Das Archiv {archive} hat keine Datei, die die Probe wiederherstellen kann: Erlauben Sie eine größere Stichprobe, oder sichern Sie erneut.',
  drill_other_link_target: 'Die Verknüpfung zeigt auf etwas anderes, als das Archiv angibt.',
  drill_other_size: '{restored} Bytes wurden wiederhergestellt; das Archiv gibt {listed} an.',
  drill_other_time: 'Sie wurde mit einer anderen Zeit wiederhergestellt, als das Archiv angibt.',
  drill_path_not_in_archive: 'Das Archiv hat keinen solchen Pfad.',
  drill_repository_unreadable: 'Die Archive lassen sich nicht auflisten: {problem}',
  drill_scratch_too_small:
    'Die Probe braucht {needed} in {folder}, wo {free} frei sind: Schaffen Sie Platz, oder verkleinern Sie die Stichprobe.',
  drill_skipped: 'Die Probe vom {at} entfiel: Die Probe {job_id} hatte noch den Zustand {status}.',
  drill_unknown: 'Es gibt keine Probe {drill}.',
  drill_unsupported:
    'Das Sicherungsprogramm dieser Installation kann nichts wiederherstellen, also auch nichts proben.',
  drill_without_archive:
    'Es gibt kein Archiv, aus dem sich etwas wiederherstellen lässt: Sichern Sie zuerst.',
  drills_planned_again: 'Die Wiederherstellungsproben sind wieder geplant.',
  incident_planned_too_far:
    '{name} läuft erst am {next_run} wieder, obwohl mindestens alle {hours} h ein Lauf fällig ist: Eine Uhr ging falsch.',
  incident_over_planned_too_far: 'Der nächste Lauf ist wieder rechtzeitig geplant.',
  run_by_clock_ahead:
    'Eine vorgehende Uhr startete diesen Lauf zu früh; er wurde wiederholt, als er fällig war.',
  incident_drill_failed: 'Die Probe {job_id} von {repository} schlug fehl: {reason}',
  incident_over_drill:
    'Eine spätere Probe hat {files} Dateien so wiederhergestellt, wie sie gesichert wurden.',
  protection_schedule_too_rare:
    'Bei {schedules} kann zwischen zwei Läufen mehr als ein Jahr liegen. Legen Sie eine Altersgrenze fest.',
  protection_backup_failed_later:
    'Der letzte Sicherungsauftrag hat sein Archiv erstellt und ist danach fehlgeschlagen ({ended}).',
  protection_archive_lacks_sources: 'Das Archiv vom {archive} zählt nicht: Ihm fehlt {paths}.',
  protection_drill_failed:
    'Die Probe {job} konnte nicht alle Dateien so wiederherstellen, wie sie gesichert wurden ({ended}), und seither keine spätere.',
  // Moving in and out
  adoption_of_several_series:
    'Die Archive gehören zu mehreren Reihen: {series}. Unter einer Aufbewahrung verdrängen sie einander: Wählen Sie eine durch ihr Muster.',
  take_over_other_series:
    'Die Archive gehören zu mehreren Reihen: {series}. Weiter geht nur, was dieser Zeitplan sichert: Sehen Sie nach, dass die anderen noch erstellt werden.',
  borgmatic_alert_backups_only:
    'In Holdfast erfährt es nur von Sicherungen: Lassen Sie sich fehlgeschlagenes Ausdünnen und Prüfen durch eine Benachrichtigung melden.',
  borgmatic_check_last: 'Eine Prüfung umfasst in Holdfast alle Archive, nicht nur die letzten.',
  borgmatic_host_jumps:
    'ssh erreicht {host} über {via}: Legen Sie dafür eine SSH-Verbindung an, dann eine zu {host}, die über sie führt, und importieren Sie die Datei erneut.',
  borgmatic_hook_exact:
    'Jede Zeile läuft in einer eigenen Shell, wie in borgmatic; nach {hours} Stunden beendet Holdfast ein Skript.',
  borgmatic_hook_skips:
    'Der Exit-Code 75 ist in Holdfast eine fehlgeschlagene Sicherung, keine ausgelassene.',
  borgmatic_paths_absent:
    'Auf {paths} passt jetzt nichts, und Holdfast löst keine Platzhalter auf: Was dort später dazukommt, wird nicht gesichert.',
  borgmatic_place_placeholder:
    '{path} hat einen Platzhalter, den nur Borg füllt: Schreiben Sie den Pfad, für den er steht.',
  borgmatic_saves_less:
    'Es würde weniger gesichert, behalten oder gemeldet als mit borgmatic: {options}. Lösen Sie es in der Datei, oder nehmen Sie es mit Namen hin: ohne {names}.',
  borgmatic_repositories_missing: '{file} nennt keine Repositorys. Es wurde nichts importiert.',
  import_replaces_sources:
    '{name} umfasst jetzt {lost}, und danach nicht mehr. Importieren Sie alles zusammen, oder lassen Sie die bisherigen Quellordner ersetzen.',
  protection_left_out:
    'Es wird weniger gesichert als vor dem Übernehmen: {names}. Lösen Sie es, und sagen Sie es dann in den Einstellungen des Repositorys.',
  borgmatic_answers_missing:
    'Die Dateien verweisen auf etwas, das fehlt: {places}. Es wurde nichts importiert.',
  borgmatic_archive_filter:
    'Die Aufbewahrung geht in Holdfast nie nach Namen: Ordnen Sie vorhandene Archive einem Zeitplan zu.',
  borgmatic_archive_name:
    'Holdfast hat andere Platzhalter: Archive heißen nach dem Zeitplan. Vorhandene behalten ihren Namen.',
  borgmatic_channel_unfit:
    'Es nennt keine Adresse, an die Nachrichten gehen könnten, oder eine in einem Ordner.',
  borgmatic_check_always:
    'Sie lief mit jeder Sicherung, und keine Zeit ist genannt: Planen Sie Prüfungen in Holdfast.',
  borgmatic_check_days: 'Holdfast plant Prüfungen mit einem Cron-Ausdruck: Ändern Sie es dort.',
  borgmatic_check_planned: 'Daraus wurde eine vollständige Prüfung, geplant mit {cron}.',
  borgmatic_check_restores:
    'Holdfast testet Wiederherstellungen durch Proben: Planen Sie eine für das Repository.',
  borgmatic_checks_skipped: 'Die Datei lässt Prüfungen aus, bei allen Repositorys oder bei einigen.',
  borgmatic_compression: 'Es bleibt bei lz4.',
  borgmatic_connection_missing:
    'Es gibt keine SSH-Verbindung zu {address}: Legen Sie sie an, und importieren Sie die Datei noch einmal.',
  borgmatic_constants: 'Die Konstanten sind dort eingesetzt, wo sie benutzt werden.',
  borgmatic_creation_only:
    'Das zählt nur, wenn ein Repository angelegt wird; dieses wird gelesen, wie es ist.',
  borgmatic_credentials:
    'Es sagt nur, wie borgmatic Geheimnisse liest; Holdfast speichert sie verschlüsselt.',
  borgmatic_data_check:
    'Holdfast plant eine Prüfung je Repository, und die kommt öfter: Starten Sie eine Prüfung aller Daten von Hand.',
  borgmatic_database:
    'Holdfast hat keine Quelle für diese Datenbank: Fügen Sie ein Skript vor der Sicherung hinzu, das einen Dump in einen Quellordner schreibt.',
  borgmatic_database_settings:
    'Holdfast erstellt Dumps ohne {settings}: Sehen Sie sich nach dem Import die Datenbanken des Repositorys an.',
  borgmatic_database_ways: 'Holdfast hat ein eigenes Format für Dumps: {settings} haben keine Wirkung.',
  export_database_password: 'Schreiben Sie das Passwort von {name} nach {file}, mit Modus 600.',
  export_snapshots: 'Für Ordner auf ZFS fügen Sie der Datei die Zeile "zfs:" hinzu.',
  export_source: 'Die Quelle {name} ({kind}) wird nicht exportiert: borgmatic hat nichts Entsprechendes.',
  borgmatic_extra_flags:
    'Zusätzliche Optionen nimmt Holdfast nur für das Anlegen von Archiven, und nicht alle.',
  borgmatic_file_inlined:
    'Die Zeilen der Datei stehen in Holdfast, wie sie jetzt sind: Spätere Änderungen der Datei wirken nicht.',
  importer_absent: 'Der Importer {importer} läuft nicht. Es gibt: {importers}.',
  importer_failed: '{plugin} ist gescheitert: {problem}. Es wurde nichts importiert.',
  importer_nonsense: '{plugin} hat ungültig geantwortet ({field}). Es wurde nichts importiert.',
  borgmatic_file_unreadable: '{file}, Zeile {line}: {problem}. Es wurde nichts importiert.',
  borgmatic_flags_too_long: 'Zusammen sind die Muster länger, als Holdfast speichert: Kürzen Sie sie.',
  borgmatic_hook_around:
    'Es läuft um jede Sicherung eines Repositorys, nicht um andere Arbeit; nach {hours} Stunden beendet Holdfast ein Skript.',
  borgmatic_hook_elsewhere: 'Skripte laufen in Holdfast nur vor und nach Sicherungen.',
  borgmatic_hook_too_long:
    'Länger darf ein Skript in Holdfast nicht sein: Legen Sie es in eine Datei, die der Hook aufruft.',
  borgmatic_hook_words:
    '{error}, {output} und {log_file} kann Holdfast nicht einsetzen: Ändern Sie das Skript.',
  borgmatic_keep_unknown: 'Holdfast hat keine solche Regel.',
  borgmatic_keep_within: 'Holdfast zählt nur in Stunden, Tagen, Wochen, Monaten und Jahren.',
  borgmatic_key_file: 'Der Schlüssel ist verschlüsselt gespeichert; die Datei wird nicht mehr gelesen.',
  borgmatic_message_texts: 'Holdfast formuliert seine Nachrichten selbst.',
  borgmatic_missing_sources:
    'Eine fehlende Quelle ist in Holdfast eine Warnung, und ein Fehler, wenn nichts zu sichern übrig bleibt.',
  borgmatic_monitor_detail: 'Das Skript meldet nur Beginn, Erfolg und Fehlschlag.',
  borgmatic_monitor_unknown:
    'Für diesen Dienst hat Holdfast keinen Kanal: Nehmen Sie einen Webhook, oder einen Apprise-Server, wenn der ihn kennt.',
  borgmatic_newer_borg: 'Das hat erst Borg 2.',
  borgmatic_option_unknown: 'Diese Option kennt Holdfast nicht.',
  borgmatic_output: 'Es sagt nur, was borgmatic ausgibt und aufschreibt.',
  borgmatic_own_files: 'Holdfast hat eigene Dateien und Caches, getrennt von denen von borgmatic.',
  borgmatic_passcommand:
    'Was der Befehl jetzt ausgibt, ist verschlüsselt gespeichert. Er läuft nicht noch einmal.',
  borgmatic_paths_absolute:
    'Relative Quellen sind jetzt absolut: In neuen Archiven beginnen ihre Pfade an der Wurzel.',
  borgmatic_paths_expanded:
    'Holdfast löst weder ~ noch Platzhalter auf: Es sind die {count} Pfade, für die sie jetzt stehen. Was später dazukommt, wird nicht gesichert.',
  borgmatic_place_unsupported: 'Repositorys der Art {kind} gibt es in Holdfast nicht.',
  borgmatic_retries:
    'Holdfast wartet selbst auf Sperren und Verbindungen; eine fehlgeschlagene Sicherung läuft zur nächsten Zeit wieder.',
  borgmatic_service_sets: 'Das legt Holdfast selbst fest.',
  borgmatic_skip_actions: 'Davon hat Holdfast Sicherungen, Ausdünnen, Verdichten und Prüfungen.',
  borgmatic_snapshot_settings: 'Holdfast kennt {settings} nicht.',
  borgmatic_snapshots:
    'Holdfast macht Snapshots von allen Quellordnern und muss dafür als root laufen: Wählen Sie in der Quelle Ordner aus, wenn manche auf anderen Dateisystemen liegen.',
  borgmatic_ssh_command:
    'Verbindungen haben in Holdfast einen eigenen Schlüssel und eigene Optionen: Sehen Sie bei der SSH-Verbindung nach.',
  borgmatic_take_over_only: 'Nur beobachtete Repositorys haben keinen Zeitplan: Es kommt beim Übernehmen.',
  borgmatic_value_empty: 'Es hat keinen Wert.',
  borgmatic_value_unfit: 'Einen Wert dieser Form lehnt borgmatic ab: Berichtigen Sie die Datei.',
  borgmatic_without_effect: 'Ohne relative Pfade wirkt es nicht.',
  settings_document_invalid: 'Das Dokument ist ungültig bei {place}: {problem}. Es wurde nichts geändert.',
  settings_format_unknown: 'Das ist kein Dokument mit Einstellungen: Sein format muss „{format}“ sein.',
  settings_host_key_differs:
    'Hier ist ein anderer Host-Schlüssel hinterlegt: {here}, nicht {given}. Vergleichen Sie beide mit dem Rechner.',
  settings_key_sealed:
    'Der private Schlüssel ist nicht im Dokument: Exportieren Sie es mit verschlüsselten Geheimnissen, oder importieren Sie den Schlüssel selbst.',
  settings_mostly_refused:
    'Mehr als {count} Teile des Dokuments lassen sich nicht importieren; der letzte: {problem} Es wurde nichts geändert.',
  settings_not_sealed:
    'Dieses Dokument hat keine verschlüsselten Geheimnisse: Lassen Sie die Passphrase weg.',
  settings_other_key:
    'Hier ist ein anderer SSH-Schlüssel in Gebrauch: Löschen Sie ihn zuerst, wenn der aus dem Dokument ihn ersetzen soll.',
  settings_reference_missing: 'Dazu fehlt {name} ({kind}), im Dokument und hier.',
  settings_seal_wrong:
    'Die Passphrase öffnet die verschlüsselten Geheimnisse dieses Dokuments nicht, oder sie wurden verändert.',
  settings_url_sealed:
    'Die Dienst-URL ist ein Geheimnis und nicht im Dokument: Exportieren Sie es mit verschlüsselten Geheimnissen, oder legen Sie den Kanal von Hand an.',
  settings_version_unknown:
    'Das Dokument hat die Version {version}; diese Ausgabe liest Version {known}. Importieren Sie es in eine neuere.',
};

const fields = {
  minute: 'Minute',
  hour: 'Stunde',
  'day of month': 'Tag des Monats',
  month: 'Monat',
  'day of week': 'Wochentag',
  name: 'Name',
  path: 'Pfad',
  destination: 'Ziel',
  host: 'Rechner',
  username: 'Benutzername',
  password: 'Passwort',
  email: 'E-Mail-Adresse',
  source_directories: 'Quellordner',
  exclude_patterns: 'Ausschlussmuster',
  connection_id: 'Verbindung',
  source_connection_id: 'Verbindung zum Rechner der Ordner',
};

/** Words of the server that stand for a value, by the name of the value. */
const words: Translations['words'] = {
  plugin: {
    storage: 'Speicher',
    jobs: 'Aufträge',
    cache: 'Cache',
    notify: 'Benachrichtigungen',
    driver: 'Sicherungsprogramm',
    importer: 'Import',
  },
  kind: {
    backup: 'Sicherung',
    restore: 'Wiederherstellung',
    check: 'Prüfung',
    prune: 'Ausdünnen',
    compact: 'Verdichten',
    archive_deletion: 'Löschen eines Archivs',
    'archive deletion': 'Löschen eines Archivs',
    drill: 'Wiederherstellungsprobe',
    passphrase_change: 'Änderung der Passphrase',
    'passphrase change': 'Änderung der Passphrase',
    discovery: 'Suche nach Repositorys',
  },
  status: {
    pending: 'wartet',
    running: 'läuft',
    completed: 'fertig',
    completed_with_warnings: 'fertig, mit Warnungen',
    failed: 'fehlgeschlagen',
    cancelled: 'abgebrochen',
  },
  what: {
    Check: 'Prüfung',
    'Partial check': 'Teilprüfung',
    Repair: 'Reparatur',
    Compact: 'Verdichten',
    Prune: 'Ausdünnen',
    'Dry run of a prune': 'Probelauf',
    Signing: 'Signieren',
  },
  field: fields,
  fields,
  type: {
    'pre-backup': 'vor der Sicherung',
    'post-backup': 'nach der Sicherung',
    file: 'Datei',
    directory: 'Ordner',
    symlink: 'Verknüpfung',
    other: 'Spezialdatei',
    'special file': 'Spezialdatei',
  },
  why: {
    'its name is unknown': 'Seinen Namen gibt es nicht',
    'its name cannot be resolved at the moment': 'Sein Name lässt sich gerade nicht auflösen',
    'the connection was refused': 'Er lehnt die Verbindung ab',
    'there is no route to it': 'Kein Weg führt dorthin',
    'this machine does not permit the connection': 'Dieser Rechner erlaubt die Verbindung nicht',
  },
  reason: {
    'two trees of the archive would be merged here': 'Hier kämen zwei Ordner des Archivs zusammen',
    'a directory is in the way of a file': 'Ein Ordner steht einer Datei im Weg',
  },
  by: { 'check schedule': 'Zeitplan der Prüfungen', 'drill schedule': 'Zeitplan der Proben' },
  // Of fields of notification services and sources; those of other plugins stay English.
  hint: {
    'discord webhook_id': 'In der URL des Webhooks (Integrationen, Webhooks) der vorletzte Teil, eine Zahl.',
    'discord token': 'Der letzte Teil dieser URL.',
    'discord thread': 'Die ID eines Threads des Kanals.',
    'gotify host': 'Ihr Gotify-Server. Mit gotify statt gotifys ohne TLS.',
    'gotify token': 'Auf der Seite Ihres Servers unter „Apps“.',
    'gotify priority':
      'Von 0 bis 10 für alle Nachrichten. Sonst 8 bei Fehlern, 6 bei Warnungen, 4 für den Rest.',
    'mail host':
      'Der SMTP-Server Ihres Anbieters, mit Port, wenn er nicht 587 (STARTTLS) oder 465 (TLS) ist.',
    'mail user': 'Ihr Anmeldename, oft die E-Mail-Adresse.',
    'mail password': 'Viele Anbieter verlangen ein App-Passwort, das Sie in Ihrem Konto anlegen.',
    'mail from': 'Die Absenderadresse, oft dieselbe wie der Benutzer.',
    'mail to': 'E-Mail-Adressen, durch Kommas getrennt.',
    'mail mode':
      'starttls, ssl (TLS von Anfang an) oder insecure (keine). Sonst entscheiden Schema und Port.',
    'ntfy host': 'ntfy.sh oder Ihr Server. Mit ntfy statt ntfys ohne TLS.',
    'ntfy topic': 'Bis zu 64 Buchstaben, Ziffern, _ und -. Wer ein ungeschütztes Thema kennt, kann es lesen.',
    'ntfy token': 'Für ein geschütztes Thema, aus den Kontoeinstellungen der Web-App.',
    'ntfy priority': 'Von 1 bis 5 für alle Nachrichten. Sonst 4 bei Fehlern und Warnungen, 3 für den Rest.',
    'pushover user': 'Auf Ihrer Seite bei pushover.net, oder der Schlüssel einer Gruppe.',
    'pushover token': 'Legen Sie unter pushover.net/apps eine Anwendung an.',
    'pushover device': 'Der Name eines Geräts. Sonst bekommen alle Geräte die Nachrichten.',
    'pushover priority':
      'Von -2 bis 2 für alle Nachrichten. Sonst 1 bei Fehlern, auch in Ruhezeiten, und 0 für den Rest.',
    'pushover sound': 'Der Name eines Tons in der Pushover-App.',
    'slack workspace': 'Der Teil der URL des Webhooks, der mit T beginnt.',
    'slack webhook': 'Der Teil der URL des Webhooks, der mit B beginnt.',
    'slack token': 'Der letzte Teil der URL des Webhooks.',
    'source user': 'Ein Benutzer des Servers, der alles lesen darf.',
    'source password': 'Nicht nötig, wo der Server dem Systembenutzer vertraut.',
    'source password_from':
      'Statt eines Passworts: eine Variable des Containers oder der Pfad einer Datei mit dem Passwort.',
    'source databases': 'Je Zeile ein Name. Ohne Namen: alle Datenbanken, auch spätere.',
    'postgresql host': 'Name, Adresse oder Ordner eines Sockets. Leer: der Socket dieses Rechners.',
    'postgresql port': 'Meist 5432.',
    'postgresql run_as':
      'Für Server, die dem Systembenutzer statt einem Passwort vertrauen. Holdfast muss als root laufen.',
    'mongodb host': 'Name oder Adresse, vom Rechner oder Container der Quelle aus. Leer: 127.0.0.1.',
    'mongodb port': 'Meist 27017.',
    'mongodb user':
      'Ein Benutzer mit der Rolle backup; Wiederherstellen braucht restore und dbAdminAnyDatabase. Leer: ohne Anmeldung.',
    'mongodb password': 'Das Passwort dieses Benutzers.',
    'mongodb auth_database': 'Wo der Benutzer angelegt wurde. Leer: admin.',
    'mysql host': 'Name oder Adresse. Leer: der Socket dieses Rechners.',
    'mysql port': 'Meist 3306.',
    'mysql socket': 'Der Pfad des Sockets, wenn es nicht der übliche ist.',
    'snapshot folders':
      'Absolute Pfade, je Zeile einer, auf Btrfs, LVM oder ZFS. Leer: alle Quellverzeichnisse.',
    'snapshot lvm_size':
      'Für Daten, die sich während der Sicherung ändern: ein Teil des Volumes oder eine Größe wie 5G. Leer: 10%. Thin-Volumes brauchen keinen.',
    'sqlite files': 'Absolute Pfade, je Zeile einer. * und ? gelten innerhalb eines Namens.',
    'container stop':
      'Je Zeile ein Name. Sie halten in dieser Reihenfolge an und starten in der umgekehrten wieder.',
    'container pause':
      'Je Zeile ein Name. Schneller als Anhalten, aber was ein Programm im Speicher hält, fehlt in der Sicherung.',
    'container stop_labels':
      'Je Zeile ein Label, mit oder ohne Wert. Jeder laufende Container damit hält an.',
    'container volumes':
      'Ein Container für alle seine Volumes, oder Container, Doppelpunkt und der Pfad von einem darin.',
    'container exclude': 'Je Zeile ein Container, ein Doppelpunkt und ein Pfad darin.',
    'container stop_seconds': 'Danach wird er hart beendet. Leer: wie er eingestellt ist, meist 10.',
    'telegram token': 'Senden Sie /newbot an @BotFather: Die Antwort enthält das Token.',
    'telegram chat':
      'Die Nummer des Chats oder der @Name eines öffentlichen Kanals. Schreiben Sie dem Bot zuerst.',
    'telegram topic': 'Die Nummer eines Themas in einer Gruppe mit Themen.',
    'telegram silent': 'Nachrichten machen dann keinen Ton.',
    'webhook host': 'Der Rechner des Empfängers. Mit dem Schema jsons wird TLS verwendet.',
    'webhook path': 'Der Teil der Adresse nach dem Rechner.',
    'webhook user': 'Für die Basic-Authentifizierung.',
    'webhook password': 'Für die Basic-Authentifizierung.',
    verify: '„Nein“ akzeptiert jedes Zertifikat.',
  },
};

const translations: Translations = { sentences, words };
export default translations;
