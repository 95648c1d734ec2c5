import type { Type } from './type.js';
import { type CelValue, type ExtensionValue, noSuchOverload } from './value.js';

/** Definition of an extension value: its type, content, comparison and printed form. */
export interface ExtensionParts<T> {
  readonly type: Type;
  readonly content: T;
  /** Called only for values of the same family; undefined if Go does not compare them. */
  readonly equals: (other: T) => boolean | undefined;
  readonly size?: number | undefined;
  /** The value as Go prints it with %v, and the name of its Go type. */
  readonly goText: string;
  readonly goType: string;
  /** Go's internal value, if it is not the value itself. */
  readonly inner?: ExtensionValue['inner'];
  readonly text?: string | undefined;
  readonly hashedAs?: ExtensionValue['hashedAs'];
}

/** A family of extension values: creates and recognizes them. */
export interface ExtensionKind<T> {
  readonly make: (parts: Omit<ExtensionParts<T>, 'type'>) => ExtensionValue;
  /** The content of a value; undefined when it is not of the family. */
  readonly contentOf: (value: CelValue) => T | undefined;
}

/** Creates a family of values of a type. Comparing one with anything else is an error. */
export function extensionKind<T>(type: Type): ExtensionKind<T> {
  const contents = new WeakMap<ExtensionValue, T>();
  const contentOf = (value: CelValue) => (typeof value === 'object' && value.kind === 'extension' ? contents.get(value) : undefined);
  const make = ({ content, equals, ...rest }: Omit<ExtensionParts<T>, 'type'>): ExtensionValue => {
    const value: ExtensionValue = {
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
