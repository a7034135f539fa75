import { asOpenApi30 } from './openapi-3.0.js';
import { mapSchema, type Schema } from './schema.js';
import { nameKeyword } from './schema-names.js';

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

/** What parameters of these names mean wherever they stand. */
const texts: Record<string, string> = {
  archive: 'Name of the archive, or its id.',
  archive_id: 'Name of the archive, percent-encoded, or its id of 64 hex digits.',
  archive_name: 'Name of the archive, percent-encoded, or its id of 64 hex digits.',
  attachment_id: 'Id of the attachment.',
  cached_only: 'Only looks into listings that are in the cache already.',
  case_sensitive: 'Whether upper and lower case differ.',
  category: 'Only scripts of this category.',
  connection_id: 'Id of the SSH connection.',
  delivery_id: 'Id of the message.',
  drill_id: 'Id of the drill.',
  file: 'Name of the file.',
  file_limit: 'At most so many files.',
  file_path: 'Path inside the archive, as the listing shows it.',
  hours: 'How far to look ahead.',
  id: 'Id of the user or token.',
  include_files: 'Whether the first files are listed as well.',
  job_id: 'Id of the job, or of the schedule.',
  key_id: 'Id of the key.',
  known_only: 'Answers at once from what is known, without asking the backup tool.',
  kinds: 'Only these kinds, separated by commas.',
  'last-event-id': 'Goes on behind this event.',
  last_event_id: 'Goes on behind this event, where a header can not be set.',
  limit: 'At most so many entries.',
  manual_only: 'Only backups that were started by hand.',
  mode: 'How `query` is meant: as a part of the name, or as a pattern with `*` and `?`.',
  offset: 'So many entries are passed over.',
  path: 'Path inside the archive; empty: the top.',
  progress: 'Also the progress of running jobs, at most once a second each.',
  query: 'What is looked for.',
  repo_id: 'Id of the repository.',
  repository: 'Path of the repository, as it was registered; or give `repository_id`.',
  repository_id: 'Id of the repository.',
  schedule_id: 'Id of the schedule.',
  scheduled_only: 'Only backups that a schedule started.',
  script_id: 'Id of the script.',
  setting_id: 'Id of the notification setting.',
  incident_id: 'The id of an incident.',
  source_set_id: 'Id of the source set.',
  status: 'Only those with this status.',
  with: 'Name of the archive to compare with, or its id.',
};

export function parameterOf(parameter: Parameter): Parameter {
  const { [nameKeyword]: _inline, description, ...schema } = mapSchema(parameter.schema ?? {}, asOpenApi30);
  const text = parameter.description ?? description ?? texts[parameter.name];
  return { ...parameter, schema, ...(text === undefined ? {} : { description: text }) };
}
