/** A file with something of each kind, with secrets and with losses. */
export const content = `
<<: !include common.yaml
repositories:
  - {path: /backups/home, label: home}
  - {path: 'ssh://ann@nas:2222/./home', label: away}
source_directories: [/home]
exclude_patterns: ['*.tmp']
compression: zstd,12
encryption_passphrase: sesame-4712
checks: [{name: repository, frequency: 2 weeks}]
before_backup: [sync]
ntfy: {topic: backups, server: 'https://ntfy.example', access_token: '{credential systemd topic}'}
healthchecks: {ping_url: 'https://hc.example/sesame-4713'}
postgresql_databases: [{name: shop, password: sesame-4714, options: --no-comments}]
strange: 1
color: false
`;
