import { free, numberOption, path, textOption } from '../../client/options/option.js';

const port = { ...numberOption(0, 65_535), ...free, placeholder: 'PORT' } as const;

/** Where a command listens. */
export const host = { ...textOption, placeholder: 'ADDRESS', description: 'the address to listen on; 127.0.0.1 by default' } as const;

/** Returns the option of a port with a description. */
export function portOption<const D extends string>(description: D) {
  return { ...port, description };
}

/** Returns the option of a folder with certificates, with a description. */
export function certDirOption<const D extends string>(description: D) {
  return { ...path, placeholder: 'PATH', description };
}
