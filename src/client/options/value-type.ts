/**
 * A kind of values that users write as text: on the command line, in variables, in `webhook-cli.yaml`, in suite files and in options of the
 * library. The text is parsed there, once; everything behind gets the value.
 */
export interface ValueType<T> {
  /** Returns the value of a text; undefined for an invalid one. */
  readonly parse: (text: string) => T | undefined;
  /** What a text must be, after the word "expected". */
  readonly expected: string;
  /** What to write in YAML, where that is more than the text. */
  readonly expectedInYaml?: string;
  /** Returns what is expected in the place of an invalid text, where that depends on the text. */
  readonly expectedFor?: (text: string) => string;
  /** Texts are not shown in messages. */
  readonly isSecret?: true;
  /** Of addresses: reports whether a text is one of this machine. */
  readonly isLocal?: (text: string) => boolean;
  /** Returns suggestions for an invalid text. */
  readonly suggest?: (text: string) => readonly string[];
  /** Type of the value in suite files. */
  readonly schema: TextSchema;
  /** Values of the library that are not texts. */
  readonly inLibrary?: LibraryForm;
}

/** The part of a JSON schema that editors check. */
export type TextSchema =
  | { readonly type: 'string' }
  | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number }
  | { readonly enum: readonly string[] };

/** How the library takes a value that is not only a text. */
export interface LibraryForm {
  /** TypeScript's type. */
  readonly type: string;
  /** What a value must be, after the word "expected". */
  readonly expected: string;
  /** Returns the text of a value; undefined for a value of another type. */
  readonly textOf: (value: unknown) => string | undefined;
}

/** Parses one value, or returns what it must be. */
export function parseValue<T>(type: ValueType<T>, text: string): ParsedValue<T> {
  const value = type.parse(text);
  if (value !== undefined) return { value };
  return { expected: type.expectedFor?.(text) ?? type.expected, suggestions: type.suggest?.(text) ?? [] };
}

export type ParsedValue<T> = { readonly value: T } | { readonly expected: string; readonly suggestions: readonly string[] };

/** Any text. */
export const textValue: ValueType<string> = { parse: text => text, expected: 'a string', schema: { type: 'string' } };

/** One of some words, compared without case; parsed as it is listed. */
export function wordValue<W extends string>(choices: readonly W[]): ValueType<W> {
  return {
    parse: text => choices.find(word => word.toLowerCase() === text.toLowerCase()),
    expected: `one of ${choices.join(', ')}`,
    schema: { enum: choices },
    inLibrary: {
      type: choices.map(word => `'${word}'`).join(' | '),
      expected: `one of ${choices.join(', ')}`,
      textOf: value => (typeof value === 'string' && choices.some(word => word === value) ? value : undefined),
    },
  };
}

/** A whole number within bounds, both included. */
export function numberOptionValue({ min, max }: { readonly min: number; readonly max: number }): ValueType<number> {
  const expected = `an integer from ${min} to ${max}`;
  return {
    parse: text => (/^-?\d+$/.test(text) && isWithin(Number(text), min, max) ? Number(text) : undefined),
    expected,
    schema: { type: 'integer', minimum: min, maximum: max },
    inLibrary: { type: 'number', expected, textOf: value => (Number.isSafeInteger(value) ? String(value) : undefined) },
  };
}

/** A number of threads; `auto` leaves it to the program. */
export function jobsValue(max: number): ValueType<number | 'auto'> {
  const { parse, expected } = numberOptionValue({ min: 1, max });
  return { parse: text => (text === 'auto' ? text : parse(text)), expected: `${expected}, or auto`, schema: { type: 'string' } };
}

/** A time: RFC 3339, or a date alone. */
export const timeValue: ValueType<Date> = {
  parse: text => {
    const time = new Date(text);
    return /^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:?\d\d))?$/.test(text) && !Number.isNaN(time.getTime()) ? time : undefined;
  },
  expected: 'a time such as 2026-01-02T15:04:05Z',
  // YAML parses unquoted times as timestamps.
  expectedInYaml: 'a time such as 2026-01-02T15:04:05Z, in quotes',
  schema: { type: 'string' },
  inLibrary: {
    type: 'Date',
    expected: 'a Date',
    textOf: value => (value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined),
  },
};

/** A patch, or its data. */
export const patchOption: ValueType<string> = {
  ...textValue,
  inLibrary: {
    type: 'object | string',
    expected: 'an object or a string',
    textOf: value => (typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : undefined),
  },
};

function isWithin(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}
