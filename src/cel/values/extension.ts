import type { Type } from './type.js';
import { type CelValue, type Extension, noSuchOverload } from './value.js';

/** What makes a value of a library: its type, what it holds, and how it compares and prints. */
export interface ExtensionParts<T> {
  readonly type: Type;
  readonly content: T;
  /** Only asked about values of the same family; undefined: Go does not compare them. */
  readonly equals: (other: T) => boolean | undefined;
  readonly size?: number | undefined;
  /** How Go prints the value with %v, and the name of its Go type. */
  readonly goText: string;
  readonly goType: string;
  /** What Go holds inside, when that is not the value itself. */
  readonly inner?: Extension['inner'];
  readonly text?: string | undefined;
  readonly hashedAs?: Extension['hashedAs'];
}

/** A family of library values: makes them and knows them again. */
export interface ExtensionKind<T> {
  readonly make: (parts: Omit<ExtensionParts<T>, 'type'>) => Extension;
  /** What a value holds; undefined when it is none of the family. */
  readonly contentOf: (value: CelValue) => T | undefined;
}

/** A family of values of a type. Comparing one with anything else is an error. */
export function extensionKind<T>(type: Type): ExtensionKind<T> {
  const contents = new WeakMap<Extension, T>();
  const contentOf = (value: CelValue) => (typeof value === 'object' && value.kind === 'extension' ? contents.get(value) : undefined);
  const make = ({ content, equals, ...rest }: Omit<ExtensionParts<T>, 'type'>): Extension => {
    const value: Extension = {
      kind: 'extension',
      type,
      unitEqualityCost: true,
      hashedAs: 'itself',
      ...rest,
      equals: other => {
        const found = contentOf(other);
        return (found === undefined ? undefined : equals(found)) ?? noSuchOverload(other);
      },
    };
    contents.set(value, content);
    return value;
  };
  return { make, contentOf };
}
