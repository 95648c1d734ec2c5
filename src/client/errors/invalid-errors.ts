import type { KnownError } from './known-error.js';

/** A field error after its field: `Invalid value: "x": ...`. */
function field(detail: string): RegExp {
  return new RegExp(`^(?<field>[^:]*(?:::[^:]*)*?): ${detail}`, 's');
}

const askManifest = 'pass the manifest with -f: it shows whether the value is from there or from a mutating webhook';

/** Causes of one field error in `KIND "NAME" is invalid: `. The first match is used. Source: apimachinery util/validation/field. */
export const fieldErrors: readonly KnownError[] = [
  {
    id: 'annotations-too-long',
    fault: null,
    text: /^metadata\.annotations: Too long: /,
    why: 'the annotations are longer than 256 KiB, mostly because kubectl apply stores the whole manifest in one, as with large definitions',
    try: 'use server-side apply, which needs no annotation (kubectl apply --server-side, in Argo CD ServerSideApply=true), or kubectl create',
  },
  {
    id: 'stored-version-removed',
    fault: 'configuration',
    text: /^status\.storedVersions\[\d+\]: Invalid value: "(?<version>[^"]*)": (?:must appear in|missing from) spec\.versions/,
    why: 'objects may still be stored in {version}, which the new definition no longer has',
    try: 'keep the version with served: false, rewrite all objects, and remove it from status.storedVersions; then drop it',
    command: ['kubectl', 'get', 'customresourcedefinitions', 'PLURAL.GROUP', '-o', 'yaml'],
  },
  {
    id: 'preserve-unknown-fields',
    fault: 'configuration',
    text: /^spec\.preserveUnknownFields: Invalid value: true: must be false/,
    why: 'the stored definition is from v1beta1 with preserveUnknownFields: true, which v1 refuses',
    try: 'set spec.preserveUnknownFields: false explicitly',
    command: ['kubectl', 'get', 'customresourcedefinitions', 'PLURAL.GROUP', '-o', 'yaml'],
  },
  {
    id: 'rule-cost',
    fault: 'configuration',
    text: field(
      'Forbidden: (?:estimated (?:rule|messageExpression) cost|contributed to estimated rule cost|x-kubernetes-validations estimated rule cost)',
    ),
    why: 'the CEL rules of the definition can cost too much',
    try: 'set maxItems, maxLength and maxProperties on lists, strings and maps that the rules read, or simplify the rule: webhook-cli lint --explain-cost finds limits that suffice',
    command: ['webhook-cli', 'lint', '-f', 'MANIFEST.yaml', '--explain-cost'],
  },
  {
    id: 'invalid-bundle',
    fault: 'configuration',
    text: /^(?<field>\S*caBundle): Invalid value: .*?unable to load root certificates: /s,
    why: '{field} is not a PEM bundle: mostly a placeholder (Cg== is a line feed) or text that was encoded twice',
    try: 'leave caBundle out until a tool writes it, or write it with webhook-cli certs inject',
    command: ['webhook-cli', 'lint', '-f', 'MANIFEST.yaml'],
  },
  {
    id: 'resource-version-missing',
    fault: null,
    text: /^metadata\.resourceVersion: Invalid value: \S+: must be specified for an update/,
    why: 'an update of this kind must have the resourceVersion that was read',
    try: 'read the object first and change it, or use kubectl apply',
  },
  {
    id: 'service-cluster-ip',
    fault: null,
    text: /^spec\.(?:clusterIPs?|ipFamilies)(?:\[\d+\])?: Invalid value: .*?(?:primary \S+ can not be unset|field is immutable|may not change once set)/s,
    why: 'the update changes or removes spec.clusterIP, which the API server has assigned',
    try: 'use apply (a patch) in place of replace, or leave clusterIP and clusterIPs out of the manifest; a Service is replaced only by deletion',
  },
  {
    id: 'immutable-field',
    fault: 'manifest',
    text: field(
      '(?:Invalid value|Forbidden): .*?(?:field is immutable|is immutable|(?:pod )?updates (?:to .* )?(?:may not change fields|for fields) other than|cannot change roleRef|may not be changed|cannot be changed|is forbidden to change)',
    ),
    why: '{field} cannot be changed after the object was created',
    try: 'delete the object and create it again (kubectl replace --force; in Flux spec.force: true, in Argo CD Force=true,Replace=true), or keep the old value',
  },
  {
    id: 'violates-schema',
    fault: null,
    text: /^\[\]: Invalid value: .*?: validation failure list:\s*(?<list>.*)/s,
    why: 'the object violates the schema of its definition: {list}',
    try: 'correct the object: a program that writes it, the manifest or a mutating webhook leaves these fields out, or sets them to another type',
  },
  {
    id: 'selector-mismatch',
    fault: null,
    text: field(String.raw`Invalid value: .*?\x60selector\x60 does not match template \x60labels\x60`),
    why: 'the labels of the pod template do not match spec.selector',
    try: 'use the same labels in both; a mutating webhook that changes labels of templates breaks this too: webhook-cli review -o diff',
    dependsOn: 'field',
  },
  {
    id: 'required-field',
    fault: null,
    text: field('Required value'),
    why: '{field} is missing',
    try: `add it; ${askManifest}`,
    dependsOn: 'field',
  },
  {
    id: 'unsupported-value',
    fault: null,
    text: field(String.raw`Unsupported value: (?<value>"[^"]*"|\S+?)(?:: supported values: (?<supported>.*))?$`),
    why: '{field} is {value}, which is not supported',
    try: `use a supported value: {supported}; ${askManifest}`,
    dependsOn: 'field',
  },
  {
    id: 'duplicate-value',
    fault: null,
    text: field('Duplicate value: (?<value>.*)'),
    why: '{field} is in the list twice: {value}',
    try: `remove one of them; ${askManifest}`,
    dependsOn: 'field',
  },
  {
    id: 'reference-not-found',
    fault: null,
    text: field('Not found: (?<value>.*)'),
    why: '{field} refers to {value}, which the same object does not define',
    try: `define it, or correct the name; ${askManifest}`,
    dependsOn: 'field',
  },
  {
    id: 'wrong-type',
    fault: null,
    text: field(String.raw`Invalid value: .*?(?:in body )?must be of type (?<wanted>\S+): "(?<got>[^"]*)"`),
    why: '{field} must be of type {wanted}, and is {got}',
    try: `correct the value; ${askManifest}`,
    dependsOn: 'field',
  },
  {
    id: 'pattern',
    fault: null,
    text: field(String.raw`Invalid value: (?<value>"(?:\\.|[^"\\])*"|\S+): .*?should (?:match|be) (?<wanted>.*)`),
    why: '{field} is {value}, and should match or be {wanted}',
    try: `correct the value; ${askManifest}`,
    dependsOn: 'field',
  },
  {
    id: 'invalid-name',
    fault: null,
    text: field(
      String.raw`Invalid value: (?<value>"(?:\\.|[^"\\])*"): .*?(?:RFC 1123|RFC 1035|DNS-1035|qualified name|a valid label|label must)`,
    ),
    why: '{field} is {value}, which is not a valid name',
    try: `use lower case letters, digits and "-", within the length in the message; ${askManifest}`,
    dependsOn: 'field',
  },
  {
    id: 'rule-of-definition',
    fault: null,
    text: field(String.raw`Invalid value: (?:"(?:object|array|string|integer|number|boolean)"|\{.*?\}): (?<said>.*)`),
    why: 'a rule (x-kubernetes-validations) of the definition refuses the object: {said}',
    try: `change the object as the message says; ${askManifest}`,
    dependsOn: 'field',
  },
  {
    id: 'invalid-field',
    fault: null,
    isGeneral: true,
    text: field('(?:Invalid value|Forbidden|Too long|Too many|Too few|Internal error): '),
    why: 'the value of {field} is not allowed',
    try: `read the message after the field; ${askManifest}`,
    dependsOn: 'field',
  },
];

/** An object that is invalid, and its errors. */
export interface InvalidObject {
  /** `Deployment.apps` */
  readonly kind: string;
  readonly name: string;
  readonly errors: readonly string[];
}

/** Returns true for a field error without its object: `spec.a[0].b: Required value`. */
export function isFieldError(message: string): boolean {
  return bareField.test(message);
}

/** Parses `KIND "NAME" is invalid: `, with one error, a list in brackets or kubectl's bullets; undefined for other texts. */
export function readInvalidObject(message: string): InvalidObject | undefined {
  const match = /^(?:The )?(?<kind>\S+) "(?<name>[^"]*)" is invalid:\s*(?<rest>.*)$/s.exec(message);
  const { kind = '', name = '', rest = '' } = match?.groups ?? {};
  if (match === null) return undefined;
  return { kind, name, errors: splitErrors(rest.trim()) };
}

const types = 'Invalid value|Required value|Unsupported value|Forbidden|Duplicate value|Not found|Too long|Too many|Too few|Internal error';

const bareField = new RegExp(`^(?:\\* )?(?:spec|metadata|status|webhooks|roleRef|data)[\\w.-]*(?:\\[[^\\]]*\\][\\w.-]*)*: (?:${types})\\b`);

function splitErrors(rest: string): string[] {
  if (/^\* /.test(rest)) return rest.split(/(?:^|\s+)\* (?=\S)/).flatMap(part => part.trim() || []);
  const list = /^\[(?<list>.*)\](?:\.\.\.\s.*)?[)'".]*$/s.exec(rest)?.groups?.['list'];
  // A path such as spec.containers[0] starts with a name, not with a bracket.
  if (list === undefined) return rest === '' ? [] : [rest];
  return list.split(new RegExp(`, (?=[A-Za-z<][^\\s:,]*(?:\\[[^\\]]*\\][^\\s:,]*)*: (?:${types}))`));
}
