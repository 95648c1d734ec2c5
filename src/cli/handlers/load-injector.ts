import path from 'node:path';
import { CliError, type Location, printLocation } from '../../client/cli-error.js';
import type { InjectorWebhook } from '../../webhook-server/api/types.js';
import { InjectorConfigurationError } from '../../webhook-server/injector/configuration-error.js';
import { injector } from '../../webhook-server/injector/injector.js';
import { readInputFile } from '../input/files.js';
import type { Surroundings } from '../surroundings.js';

export interface InjectorFiles {
  readonly config: string;
  readonly values: string | undefined;
  readonly revision: string | undefined;
}

/** Returns the injector of a configuration and its values, and prints warnings about them. Throws CliError. */
export function injectorOf(
  { config, values, revision }: InjectorFiles,
  { cwd, stderr }: Pick<Surroundings, 'cwd' | 'stderr'>,
): InjectorWebhook {
  for (const file of [config, ...(values === undefined ? [] : [values])]) readInputFile(file, cwd);
  const absolute = (file: string): string => path.resolve(cwd, file);
  const asGiven = (location: Location): Location => ({ ...location, file: location.file === absolute(config) ? config : (values ?? '') });
  try {
    const handler = injector({
      config: absolute(config),
      values: values === undefined ? undefined : absolute(values),
      revision,
    });
    for (const { message, location } of handler.warnings) {
      stderr.write(`warning: ${location === undefined ? '' : `${printLocation(asGiven(location))}: `}${message}\n`);
    }
    return handler;
  } catch (error) {
    if (!(error instanceof InjectorConfigurationError)) throw error;
    const location = error.location === undefined ? undefined : asGiven(error.location);
    const suggestions = /: function ".*" not defined$/.test(error.reason)
      ? ['use functions of Go, sprig or Istio; "Functions of templates" in docs/injector.md lists them']
      : [];
    throw new CliError('invalid-configuration', error.reason, { location, suggestions, cause: error });
  }
}
