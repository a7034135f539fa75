/** A file name that people recognise: `/backups/home` becomes `backups_home.key`. */
export function keyFileName(path: string): string {
  const plain = path.replace(/^\/+/, '').replace(/[^A-Za-z0-9_.-]/g, '_');
  return `${plain.slice(-200) || 'repository'}.key`;
}
