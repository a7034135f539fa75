/** Options of borgmatic that, set so, are a flag of `borg create`; with other spellings of the flag. */
export const switches: readonly [name: string, when: boolean, flag: string, ...others: string[]][] = [
  ['one_file_system', true, '--one-file-system', '-x'],
  ['numeric_ids', true, '--numeric-ids', '--numeric-owner'],
  ['atime', true, '--atime'],
  ['atime', false, '--noatime'],
  ['ctime', false, '--noctime'],
  ['birthtime', false, '--nobirthtime'],
  ['read_special', true, '--read-special'],
  ['flags', false, '--noflags', '--nobsdflags'],
  ['exclude_caches', true, '--exclude-caches'],
  ['keep_exclude_tags', true, '--keep-exclude-tags'],
  ['exclude_nodump', true, '--exclude-nodump'],
];

/** Options whose value is the value of a flag. */
export const withValue: readonly [name: string, of: 'text' | 'number', flag: string, ...others: string[]][] =
  [
    ['files_cache', 'text', '--files-cache'],
    ['chunker_params', 'text', '--chunker-params'],
    ['checkpoint_interval', 'number', '--checkpoint-interval', '-c'],
    ['upload_rate_limit', 'number', '--upload-ratelimit'],
    ['upload_buffer_size', 'number', '--upload-buffer'],
  ];

/** Whether a pattern names its style. */
export const isStyled = (text: string): boolean => /^(fm|sh|re|pp|pf):/.test(text);
