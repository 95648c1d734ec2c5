import type { ConversionRule } from './conversion-rules.js';
import type { DefaultRule } from './default-rules.js';

/** Rules of Go types by the table's name of the type, `core/v1.PodSpec`. Source: apimachinery runtime.Scheme. */
export interface Scheme {
  readonly defaultRule: (structName: string) => DefaultRule | undefined;
  readonly conversionRule: (structName: string) => ConversionRule | undefined;
  /** Returns the Go package of a group's internal types, as errors print it: `core`. */
  readonly internalPackage: (group: string) => string;
}

/** How objects are stored. Source: apiserver server/storage StorageFactory. */
export interface StorageFactory {
  /** Returns the key of a resource's objects below the prefix of the store: `services/specs`. Resources with the same one are stored together. */
  readonly prefixOf: (resource: { readonly group: string; readonly resource: string; readonly custom: boolean }) => string;
  /** Reports whether the built-in objects of a group are stored as JSON, and not as protobuf. */
  readonly isStoredAsJson: (group: string) => boolean;
}

declare module '../../kubernetes/api-server.js' {
  interface ApiServer {
    readonly scheme: Scheme;
    readonly storageFactory: StorageFactory;
  }
}
