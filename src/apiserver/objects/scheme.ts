import type { ConversionRule } from './conversion-rules.js';
import type { DefaultRule } from './default-rules.js';

/** Rules of Go types by the table's name of the type, `core/v1.PodSpec`. Source: apimachinery runtime.Scheme. */
export interface Scheme {
  readonly defaultRule: (structName: string) => DefaultRule | undefined;
  readonly conversionRule: (structName: string) => ConversionRule | undefined;
}

declare module '../../kubernetes/api-server.js' {
  interface ApiServer {
    readonly scheme: Scheme;
  }
}
