import type { ConversionRule } from './conversion-rules.js';
import type { DefaultRule } from './default-rules.js';

/** Rules of Go types by the table's name of the type, `core/v1.PodSpec`. Source: apimachinery runtime.Scheme. */
export interface Scheme {
  readonly defaultRule: (structName: string) => DefaultRule | undefined;
  readonly conversionRule: (structName: string) => ConversionRule | undefined;
}

let installed: Scheme | undefined;

/** Registers the rules of the API groups for the codecs. */
export function installScheme(scheme: Scheme): void {
  installed = scheme;
}

/** Returns the installed scheme. Throws before {@link installScheme}. */
export function scheme(): Scheme {
  if (installed === undefined) throw new Error('no scheme is installed: call installApis() first');
  return installed;
}
