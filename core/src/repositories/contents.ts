import type {
  BackupDriver,
  OperationOptions,
  RepositoryContents,
  RepositoryTarget,
} from '@holdfast/plugin-api/driver';

export interface Contents {
  contents: RepositoryContents;
  /** The text of the key file to store; null without one. */
  keyFile: string | null;
  warnings: string[];
}

/** What is in a repository that is not registered, with as few calls of the tool as possible. Throws DriverError. */
export async function contentsOf(
  driver: BackupDriver,
  bare: RepositoryTarget,
  options: OperationOptions,
): Promise<Contents> {
  const text = bare.keyFile;
  const keyFile = text === null ? null : (await driver.importKey(bare, { text }, options)).value.keyFile;
  const target = { ...bare, keyFile };
  if (driver.look) {
    const { value, warnings } = await driver.look(target, {}, options);
    return { contents: value, keyFile, warnings };
  }
  const opened = await driver.open(target, {}, options);
  const listed = await driver.listArchives(target, { checkpoints: true }, options);
  const archives = listed.value.map((archive) => ({ ...archive, commandLine: [] }));
  return {
    contents: { ...opened.value, archives },
    keyFile,
    warnings: [...opened.warnings, ...listed.warnings],
  };
}
