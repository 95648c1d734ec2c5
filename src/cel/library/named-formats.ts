import { isCalendarDate } from '../../go/civil-time.js';
import { ownMember } from '../../go/own-members.js';
import { parseRequestUri, UrlError } from '../../go/url/parse.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { memoize } from '../../kubernetes/memoize.js';
import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelKeyProblems,
  labelValueProblems,
} from '../../kubernetes/name-rules.js';
import { binary, type FunctionDeclaration, fn, memberDeclaration, overload, unary, variadic } from '../check/declarations.js';
import { extensionKind } from '../values/extension.js';
import { textInside } from '../values/found.js';
import { listType, optionalType, STRING, structType } from '../values/type.js';
import { type CelValue, celListOf, type ExtensionValue, noSuchOverload, optionalNone, optionalOf } from '../values/value.js';

const FORMAT = structType('kubernetes.NamedFormat');
const formatValues = extensionKind<Format>(FORMAT);

interface Format {
  readonly name: string;
  /** Pattern length assumed for the cost of validation. */
  readonly patternLength: number;
  readonly problems: (text: string) => readonly string[];
}

const formatsOf = memoize(
  (server: ApiServer): Readonly<Record<string, Format>> => ({
    dns1123Label: { name: 'DNS1123Label', patternLength: 30, problems: dns1123LabelProblems },
    dns1123Subdomain: { name: 'DNS1123Subdomain', patternLength: 60, problems: dns1123SubdomainProblems },
    dns1035Label: { name: 'DNS1035Label', patternLength: 30, problems: dns1035LabelProblems },
    qualifiedName: { name: 'QualifiedName', patternLength: 60, problems: text => labelKeyProblems(server, text) },
    dns1123LabelPrefix: { name: 'DNS1123LabelPrefix', patternLength: 30, problems: prefix(dns1123LabelProblems) },
    dns1123SubdomainPrefix: { name: 'DNS1123SubdomainPrefix', patternLength: 60, problems: prefix(dns1123SubdomainProblems) },
    dns1035LabelPrefix: { name: 'DNS1035LabelPrefix', patternLength: 30, problems: prefix(dns1035LabelProblems) },
    labelValue: { name: 'LabelValue', patternLength: 40, problems: text => labelValueProblems(server, text) },
    uri: { name: 'URI', patternLength: 1103, problems: uriProblems },
    uuid: { name: 'uuid', patternLength: 70, problems: unless(isUuid, 'does not match the UUID format') },
    byte: { name: 'byte', patternLength: 84, problems: unless(isBase64, 'invalid base64') },
    date: { name: 'date', patternLength: 71, problems: unless(isDate, 'invalid date') },
    datetime: { name: 'datetime', patternLength: 71, problems: unless(isDateTime, 'invalid datetime') },
  }),
);

/** Validation of strings by named format. Source: apiserver pkg/cel/library/format.go. */
export const formatFunctions: (server: ApiServer) => readonly FunctionDeclaration[] = memoize(server => [
  fn('validate', memberDeclaration('format-validate', [FORMAT, STRING], optionalType(listType(STRING)), binary(validate))),
  fn(
    'format.named',
    overload(
      'format-named',
      [STRING],
      optionalType(FORMAT),
      unary(name => named(formatsOf(server), name)),
    ),
  ),
  ...Object.keys(formatsOf(server)).map(name =>
    fn(
      `format.${name}`,
      overload(
        `format.${name}`,
        [],
        FORMAT,
        variadic(() => formatNamed(formatsOf(server), name) ?? noSuchOverload()),
      ),
    ),
  ),
]);

/** The pattern length used for costs; undefined for a value that is not a format. */
export function formatPatternLength(value: CelValue): number | undefined {
  return formatValues.contentOf(value)?.patternLength;
}

function formatNamed(formats: Readonly<Record<string, Format>>, name: string): ExtensionValue | undefined {
  const format = ownMember(formats, name);
  if (format === undefined) return undefined;
  return formatValues.make({
    content: format,
    equals: other => other.name === format.name,
    goText: `{${format.name}}`,
    goType: 'cel.Format',
    hashedAs: 'nothing',
  });
}

function named(formats: Readonly<Record<string, Format>>, name: CelValue): CelValue {
  const text = textInside(name);
  if (text === undefined) return noSuchOverload(name);
  const format = formatNamed(formats, text);
  return format === undefined ? optionalNone : optionalOf(format);
}

function validate(value: CelValue, text: CelValue): CelValue {
  const format = formatValues.contentOf(value);
  if (format === undefined) return noSuchOverload(value);
  const checked = textInside(text);
  if (checked === undefined) return noSuchOverload(text);
  const problems = format.problems(checked);
  return problems.length === 0 ? optionalNone : optionalOf(celListOf(problems));
}

/**
 * A trailing dash may be followed by more characters, so it and the character before it are masked. Source: apimachinery maskTrailingDash.
 */
function prefix(problems: Format['problems']): Format['problems'] {
  return text => problems(Buffer.byteLength(text) > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
}

function unless(holds: (text: string) => boolean, problem: string): Format['problems'] {
  return text => (holds(text) ? [] : [problem]);
}

function uriProblems(text: string): readonly string[] {
  try {
    parseRequestUri(text);
    return [];
  } catch (error) {
    if (error instanceof UrlError) return [error.message];
    throw error;
  }
}

function isUuid(text: string): boolean {
  return /^[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}$/i.test(text);
}

function isBase64(text: string): boolean {
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/.test(text);
}

function isDate(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []).map(Number);
  return isCalendarDate(year, month, day);
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  const match = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/u.exec(time ?? '');
  if (match === null || !isDate(date)) return false;
  const [, hour = '', minute = '', second = ''] = match;
  return hour <= '23' && minute <= '59' && second <= '59';
}
