import { quote } from '../go/quote.js';
import type { ApiServer } from './api-server.js';
import { memoizeStrings } from './memoize.js';

/**
 * Kubernetes' rules for names. Each function returns the error messages about a text, none if it is valid. Lengths are bytes. Source:
 * apimachinery util/validation.
 */

const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain1123 = `${label1123}(\\.${label1123})*`;
const qualifiedPart = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const wildcardSubdomain = `\\*\\.${subdomain1123}`;

/** Checks namespaces and container names. */
export function dns1123LabelProblems(text: string): string[] {
  const problems = longerThan(text, 63, 'characters');
  if (matches(label1123, text)) return problems;
  if (matches(subdomain1123, text)) return [...problems, 'must not contain dots'];
  return [
    ...problems,
    withExamples(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
      label1123,
      ['my-name', '123-abc'],
    ),
  ];
}

/** Checks uids whose field declares that format. Source: apimachinery api/validate/strfmt.go UUID. */
export function uuidProblems(text: string): string[] {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? [] : ['must be a lowercase UUID in 8-4-4-4-12 format'];
}

/** Checks the names of most objects. */
export function dns1123SubdomainProblems(text: string): string[] {
  const problems = longerThan(text, 253, 'characters');
  return matches(subdomain1123, text) ? problems : [...problems, subdomainWords];
}

/** The same where fields declare their format. Source: apimachinery api/validate/content IsDNS1123Subdomain. */
export function longNameProblems(text: string): string[] {
  const problems = longerThan(text, 253, 'bytes');
  return matches(subdomain1123, text) ? problems : [...problems, subdomainWords];
}

/** The same for names that may have capitals. Source: apimachinery api/validate/content IsDNS1123SubdomainCaseless. */
export function caselessLongNameProblems(text: string): string[] {
  const problems = longerThan(text, 253, 'bytes');
  if (new RegExp(`^(?:${subdomain1123})$`, 'iu').test(text)) return problems;
  const message =
    "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [...problems, withExamples(message, subdomain1123, ['Example.com'])];
}

const subdomainWords = withExamples(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomain1123,
  ['example.com'],
);

/** Checks the names of services. */
export function dns1035LabelProblems(text: string): string[] {
  const pattern = '[a-z]([-a-z0-9]*[a-z0-9])?';
  const problems = longerThan(text, 63, 'characters');
  if (matches(pattern, text)) return problems;
  return [
    ...problems,
    withExamples(
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
      pattern,
      ['my-name', 'abc-123'],
    ),
  ];
}

/** Checks the hosts of ingresses: `*.example.com`. */
export function wildcardSubdomainProblems(text: string): string[] {
  const problems = longerThan(text, 253, 'characters');
  if (matches(wildcardSubdomain, text)) return problems;
  return [
    ...problems,
    withExamples(
      "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
      wildcardSubdomain,
      ['*.example.com'],
    ),
  ];
}

/**
 * Checks label and annotation keys and finalizers: an optional subdomain, a slash, a name. Source: apimachinery api/validate/content
 * IsLabelKey.
 */
export function labelKeyProblems(server: ApiServer, text: string): string[] {
  const message = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  const slash = text.indexOf('/');
  if (slash >= 0 && text.includes('/', slash + 1)) {
    return [
      `${server.since('v1.35') ? 'a valid label key' : 'a qualified name'} ${withExamples(message, qualifiedPart, ['MyName', 'my.name', '123-abc'])} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const problems: string[] = [];
  if (slash === 0) problems.push('prefix part must be non-empty');
  if (slash > 0) {
    const prefix = text.slice(0, slash);
    problems.push(
      ...longerThan(prefix, 253, labelUnit(server)).map(p => `prefix part ${p}`),
      ...(matches(subdomain1123, prefix) ? [] : [`prefix part ${subdomainWords}`]),
    );
  }
  const name = text.slice(slash + 1);
  if (name === '') problems.push('name part must be non-empty');
  else problems.push(...longerThan(name, 63, labelUnit(server)).map(p => `name part ${p}`));
  if (!matches(qualifiedPart, name)) problems.push(`name part ${withExamples(message, qualifiedPart, ['MyName', 'my.name', '123-abc'])}`);
  return problems;
}

/** Unit of the lengths of label keys and values in messages. */
function labelUnit(server: ApiServer): 'bytes' | 'characters' {
  return server.since('v1.35') ? 'bytes' : 'characters';
}

/** Checks label values. */
export function labelValueProblems(server: ApiServer, text: string): string[] {
  const pattern = `(${qualifiedPart})?`;
  const problems = longerThan(text, 63, labelUnit(server));
  if (matches(pattern, text)) return problems;
  return [
    ...problems,
    withExamples(
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      pattern,
      ['MyValue', 'my_value', '12345'],
    ),
  ];
}

/** Checks the names of environment variables taken from config maps. */
export function envVarNameProblems(text: string): string[] {
  const pattern = '[-._a-zA-Z][-._a-zA-Z0-9]*';
  const message =
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit";
  const problems = matches(pattern, text) ? [] : [withExamples(message, pattern, ['my.env-name', 'MY_ENV.NAME', 'MyEnvName1'])];
  return [...problems, ...dotProblems(text)];
}

/** Checks the environment variable names of containers, with relaxed rules. */
export function relaxedEnvVarNameProblems(text: string): string[] {
  if (text === '') return ['environment variable name must be non-empty'];
  const fine = /^[ -<>-~]+$/.test(text);
  return fine ? [] : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/** Checks the keys of config maps and secrets. */
export function configMapKeyProblems(text: string): string[] {
  const pattern = '[-._a-zA-Z0-9]+';
  const problems = longerThan(text, 253, 'characters');
  if (!matches(pattern, text))
    problems.push(
      withExamples("a valid config key must consist of alphanumeric characters, '-', '_' or '.'", pattern, [
        'key.name',
        'KEY_NAME',
        'key-name',
      ]),
    );
  return [...problems, ...dotProblems(text)];
}

/** Checks the names of container ports. */
export function portNameProblems(text: string): string[] {
  const problems = longerThan(text, 15, 'characters');
  if (!/^[-a-z0-9]+$/.test(text)) problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(text)) problems.push('must contain at least one letter (a-z)');
  if (text.includes('--')) problems.push('must not contain consecutive hyphens');
  if (text !== '' && (text.startsWith('-') || text.endsWith('-'))) problems.push('must not begin or end with a hyphen');
  return problems;
}

/** Checks the names of HTTP headers. */
export function httpHeaderNameProblems(text: string): string[] {
  const pattern = '[-A-Za-z0-9]+';
  return matches(pattern, text)
    ? []
    : [withExamples("a valid HTTP header must consist of alphanumeric characters or '-'", pattern, ['X-Header-Name'])];
}

/** Checks C identifiers. */
export function cIdentifierProblems(text: string): string[] {
  const pattern = '[A-Za-z_][A-Za-z0-9_]*';
  const message =
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'";
  return matches(pattern, text) ? [] : [withExamples(message, pattern, ['my_name', 'MY_NAME', 'MyName'])];
}

/** Checks names that become part of a path, such as the names of roles. Source: apimachinery api/validation/path. */
export function pathSegmentProblems(text: string): string[] {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return pathSegmentPrefixProblems(text);
}

/**
 * Returns client-go's error for a name that cannot be a part of a request's path, and undefined if it can. Source: client-go rest/request.go Name, Namespace.
 */
export function pathSegmentError(what: string, text: string): string | undefined {
  if (text === '') return `${what} may not be empty`;
  const problems = pathSegmentProblems(text);
  return problems.length === 0 ? undefined : `invalid ${what} ${quote(text)}: [${problems.join(' ')}]`;
}

/** Checks prefixes of such names. */
export function pathSegmentPrefixProblems(text: string): string[] {
  return ['/', '%'].filter(character => text.includes(character)).map(character => `may not contain '${character}'`);
}

function matches(pattern: string, text: string): boolean {
  return wholeText(pattern).test(text) && !text.endsWith('\n');
}

/** Compiled patterns. */
const wholeText = memoizeStrings(100, pattern => new RegExp(`^(?:${pattern})$`));

function longerThan(text: string, maximum: number, unit: 'bytes' | 'characters'): string[] {
  return Buffer.byteLength(text) > maximum ? [`must be no more than ${maximum} ${unit}`] : [];
}

/** Two spaces precede each `or`, as in Kubernetes. */
function withExamples(message: string, pattern: string, examples: readonly string[]): string {
  const quoted = examples.map(example => `'${example}', `);
  return `${message} (e.g. ${quoted.join(' or ')}regex used for validation is '${pattern}')`;
}

function dotProblems(text: string): string[] {
  if (text === '.') return ["must not be '.'"];
  if (text === '..') return ["must not be '..'"];
  return text.startsWith('..') ? ["must not start with '..'"] : [];
}

/** Returns what is wrong with a path such as `acme.io/foo`, and the part that it is about. Source: apimachinery util/validation IsDomainPrefixedPath. */
export function domainPrefixedPathProblems(text: string): readonly { readonly part: string; readonly detail: string }[] {
  const [host = '', ...rest] = text.split('/');
  const path = rest.join('/');
  if (host === '' || path === '') return [{ part: text, detail: 'must be a domain-prefixed path (such as "acme.io/foo")' }];
  const isPath = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path);
  return [
    ...dns1123SubdomainProblems(host).map(detail => ({ part: host, detail })),
    ...(isPath ? [] : [{ part: path, detail: "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')" }]),
  ];
}
