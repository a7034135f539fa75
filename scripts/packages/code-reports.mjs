import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';

/**
 * Writes the declarations that each entry point exports, using API Extractor.
 * @param {{ folder: string, types: string, name: string }[]} doors the package's folder and the entry point's `.d.ts`
 */
export function codeReports(folder, doors) {
  const temporary = join(folder, 'temp');
  const configs = doors.map((door) => configOf(door, { folder, temporary }));
  const additionalEntryPoints = doors.slice(1).map(({ types }) => types);
  // One compiler for all, with the settings of the first, which knows Node's types.
  const compilerState = CompilerState.create(configs[0], { additionalEntryPoints });
  for (const config of configs) {
    const messages = [];
    const { succeeded } = Extractor.invoke(config, {
      localBuild: true,
      compilerState,
      messageCallback(message) {
        if (message.logLevel === 'error') messages.push(message.text);
        message.handled = true;
      },
    });
    if (!succeeded) throw new Error(`${config.mainEntryPointFilePath}: ${messages.join('; ')}`);
  }
  rmSync(temporary, { recursive: true });
}

const quiet = { logLevel: 'none' };

const configOf = ({ folder: place, types, name }, { folder, temporary }) =>
  ExtractorConfig.prepare({
    configObject: {
      projectFolder: place,
      mainEntryPointFilePath: types,
      compiler: { tsconfigFilePath: join(place, 'tsconfig.json') },
      newlineKind: 'lf',
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: folder,
        reportTempFolder: temporary,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      // Comments are for people, not for a tool, so missing tags are not reported.
      messages: { extractorMessageReporting: { default: quiet }, tsdocMessageReporting: { default: quiet } },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(place, 'package.json'),
  });
