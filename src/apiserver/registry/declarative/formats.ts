import { goString } from '../../../go/json/write.js';
import { quote } from '../../../go/quote.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { type BadValue, type FieldError, invalidValue, tooLong } from '../../../kubernetes/field-error.js';
import {
  caselessLongNameProblems,
  cIdentifierProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelKeyProblems,
  labelValueProblems,
  longNameProblems,
  pathSegmentProblems,
  uuidProblems,
} from '../../../kubernetes/name-rules.js';
import type { ValidationSite } from './site.js';

type Validator = (site: ValidationSite) => FieldError[];

/** Validators of `+k8s:format`. Source: apimachinery api/validate/strfmt.go. */
export const declarativeFormats: readonly (readonly [name: string, validator: Validator])[] = [
  ['ShortName', format(dns1123LabelProblems)],
  ['LongName', format(dns1123SubdomainProblems)],
  ['LongNameCaseless', format(caselessLongNameProblems)],
  ['LabelKey', format((text, server) => labelKeyProblems(server, text))],
  ['LabelValue', format((text, server) => labelValueProblems(server, text))],
  ['PrefixedLabelKey', format(prefixedLabelKeyProblems)],
  ['PathSegmentName', format(pathSegmentProblems)],
  ['ConditionReason', format(reasonProblems)],
  ['UUID', plain(uuidProblems)],
  ['ExtendedResourceName', plain(extendedNameProblems)],
  ['ResourcePoolName', poolNameErrors],
  ['ResourceFullyQualifiedName', fullyQualifiedNameErrors],
];

/** Returns a string as errors show it: that of a type with a name as JSON. */
export function shownFormatText({ named }: Pick<ValidationSite, 'named'>, text: string): BadValue {
  return named ? { rawJson: goString(text) } : text;
}

function format(problemsOf: (text: string, server: ApiServer) => string[]): Validator {
  return site => {
    const { server, path, value } = site;
    if (typeof value !== 'string') return [];
    return problemsOf(value, server).map(problem => invalidValue(path, shownFormatText(site, value), problem));
  };
}

/** The same for validators that convert the value to a string first. */
function plain(problemsOf: (text: string, server: ApiServer) => string[]): Validator {
  return ({ server, path, value }) =>
    typeof value === 'string' ? problemsOf(value, server).map(problem => invalidValue(path, value, problem)) : [];
}

function prefixedLabelKeyProblems(text: string, server: ApiServer): string[] {
  const problems = labelKeyProblems(server, text);
  if (problems.length > 0) return problems;
  return text.includes('/') ? [] : ["must include a prefix (e.g. 'example.com/key')"];
}

const reasonPattern = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';

function reasonProblems(text: string): string[] {
  if (new RegExp(`^${reasonPattern}$`).test(text)) return [];
  const message =
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
  return [
    `${message} (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${reasonPattern}')`,
  ];
}

function extendedNameProblems(text: string, server: ApiServer): string[] {
  const problems: string[] = [];
  if (!text.includes('/')) problems.push("a name must be a domain-prefixed path, such as 'example.com/my-prop'");
  else if (text.includes('kubernetes.io/')) problems.push(`must not have ${quote('kubernetes.io/')} domain`);
  if (text.startsWith('requests.')) problems.push(`must not have ${quote('requests.')} prefix`);
  return [...problems, ...labelKeyProblems(server, `requests.${text}`)];
}

function poolNameErrors({ path, value }: ValidationSite): FieldError[] {
  if (typeof value !== 'string') return [];
  const segments = value.split('/').flatMap((segment, i) => {
    if (segment === '') return [invalidValue(path, value, `segment ${i}: must not be empty`)];
    return longNameProblems(segment).map(problem => invalidValue(path, segment, `segment ${i}: ${problem}`));
  });
  return [...(Buffer.byteLength(value) > 253 ? [tooLong(path, 253)] : []), ...segments];
}

function fullyQualifiedNameErrors(site: ValidationSite): FieldError[] {
  const { path, value } = site;
  if (typeof value !== 'string') return [];
  const errors = qualifiedNameErrors(site, value);
  if (value.includes('/')) return errors;
  return [...errors, invalidValue(path, value, 'a fully qualified name must be a domain and a name separated by a slash')];
}

/** Up to v1.37, a name with more than one slash has no error. */
function qualifiedNameErrors({ server, path }: ValidationSite, name: string): FieldError[] {
  const parts = name.split('/');
  const [first = '', second = ''] = parts;
  if (parts.length === 1) return identifierErrors(path, first);
  if (parts.length > 2) return server.since('v1.38') ? [invalidValue(path, name, 'must not contain more than one slash')] : [];
  return [
    ...(first === '' ? [invalidValue(path, '', 'prefix must not be empty')] : prefixErrors(path, first)),
    ...(second === '' ? [invalidValue(path, '', 'name must not be empty')] : identifierErrors(path, second)),
  ];
}

function prefixErrors(path: string, prefix: string): FieldError[] {
  return [
    ...(Buffer.byteLength(prefix) > 63 ? [tooLong(path, 63)] : []),
    ...longNameProblems(prefix).map(problem => invalidValue(path, prefix, `prefix: ${problem}`)),
  ];
}

function identifierErrors(path: string, name: string): FieldError[] {
  return [
    ...(Buffer.byteLength(name) > 32 ? [tooLong(path, 32)] : []),
    ...cIdentifierProblems(name).map(problem => invalidValue(path, name, problem)),
  ];
}
