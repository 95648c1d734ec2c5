import type { RefusalCause } from './refusal-causes.js';

// kubectl prints a refusal with reason Invalid with its only cause, which has no field.
const validating =
  /^\S+ "(?<name>[^"]*)" is (?:forbidden|invalid: ): ValidatingAdmissionPolicy '(?<policy>[^']*)'(?: with binding '(?<binding>[^']*)')? denied request: /;
const mutating = /^(?:\S+ "[^"]*" is invalid: : )?policy ['"](?<policy>[^'"]*)['"](?: with binding '(?<binding>[^']*)')? denied request: /;

/** Returns the refusal of either kind of policy with this message. */
function either(message: string): RegExp {
  return new RegExp(`(?:${unnamed(validating)}|${unnamed(mutating)})${message}`, 's');
}

/** Returns the pattern without group names, which must be unique in a pattern. */
function unnamed({ source }: RegExp): string {
  return source.replace(/\?<\w+>/g, '');
}

/** Refusals by admission policies. The first match is used. */
export const policyCauses: readonly RefusalCause[] = [
  {
    id: 'policy-params-missing',
    fault: 'configuration',
    text: either('failed to configure binding: no params found'),
    why: 'the parameter of a binding does not exist, and its parameterNotFoundAction is Deny',
    try: 'create the object in spec.paramRef (in the namespace of the request, unless paramRef has one)',
  },
  {
    id: 'policy-param-kind',
    fault: 'configuration',
    text: either("failed to configure policy: failed to find resource referenced by paramKind: '(?<kind>[^']*)'"),
    why: 'the API server does not serve the kind {kind}',
    try: 'apply the CustomResourceDefinition of the parameters, or correct spec.paramKind',
  },
  {
    id: 'policy-configuration',
    fault: 'configuration',
    text: either('failed to configure (?<part>policy|binding): (?<error>.+)'),
    why: 'the {part} cannot be used for this request: {error}',
    try: 'webhook-cli match --explain shows the values that the policy and its binding got',
  },
  {
    id: 'policy-budget',
    fault: 'configuration',
    text: either('(?:failed messageExpression: )?validation failed due to running out of cost budget'),
    why: "the expressions of one policy exceed the API server's cost limit",
    try: 'iterate over fewer items: split the policy, or check size(...) of long lists',
  },
  {
    id: 'policy-expression',
    fault: 'configuration',
    text: either("expression '(?<expression>.*?)' resulted in error: (?<error>.*)"),
    why: 'an expression of the policy cannot be evaluated for this request: {error}',
    try: 'use has(...) or optional selection; object is null on DELETE',
  },
  {
    id: 'policy-atomic',
    fault: 'configuration',
    text: new RegExp(
      `${mutating.source}error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: (?<paths>.*)`,
      's',
    ),
    why: 'ApplyConfiguration would replace all of {paths}, which are atomic, and that is not allowed',
    try: 'use patchType JSONPatch for these fields',
  },
  {
    id: 'policy-patch',
    fault: 'configuration',
    text: new RegExp(`${mutating.source}(?<error>(?:error applying patch|type mismatch|JSON Patch|JSONPath valueExpression)[ :].*)`, 's'),
    why: 'a mutation of the policy {policy} does not apply to this object: {error}',
    try: 'webhook-cli review with --state shows the mutation and the object before it',
  },
  {
    id: 'policy-denied',
    fault: 'manifest',
    text: new RegExp(`${validating.source}(?<said>.+)`, 's'),
    why: 'a validation of the policy {policy} failed',
    try: 'change the manifest as the message says',
  },
];
