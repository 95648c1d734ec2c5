import type { RefusalCause } from './refusal-causes.js';

const validating =
  /^\S+ "(?<name>[^"]*)" is forbidden: ValidatingAdmissionPolicy '(?<policy>[^']*)'(?: with binding '(?<binding>[^']*)')? denied request: /;
const mutating = /^policy ['"](?<policy>[^'"]*)['"](?: with binding '(?<binding>[^']*)')? denied request: /;

/** The refusal of either kind of policy with these words. */
function either(words: string): RegExp {
  return new RegExp(`(?:${unnamed(validating)}|${unnamed(mutating)})${words}`, 's');
}

/** A pattern may name a group once. */
function unnamed({ source }: RegExp): string {
  return source.replace(/\?<\w+>/g, '');
}

/** Refusals by admission policies. The first that fits counts. */
export const policyCauses: readonly RefusalCause[] = [
  {
    id: 'policy-params-missing',
    fault: 'configuration',
    text: either('failed to configure binding: no params found'),
    why: 'the parameter of a binding does not exist, and its parameterNotFoundAction is Deny',
    try: 'create the object that spec.paramRef names (in the namespace of the request, unless it names one)',
  },
  {
    id: 'policy-param-kind',
    fault: 'configuration',
    text: either("failed to configure policy: failed to find resource referenced by paramKind: '(?<kind>[^']*)'"),
    why: 'the API server serves no such kind: {kind}',
    try: 'apply the CustomResourceDefinition of the parameters, or correct spec.paramKind',
  },
  {
    id: 'policy-configuration',
    fault: 'configuration',
    text: either('failed to configure (?<part>policy|binding): (?<error>.+)'),
    why: 'the {part} cannot be used for this request: {error}',
    try: 'webhook-cli match --explain shows what the policy and its binding saw',
  },
  {
    id: 'policy-budget',
    fault: 'configuration',
    text: either('(?:failed messageExpression: )?validation failed due to running out of cost budget'),
    why: 'the expressions of one policy cost more than the API server lets them',
    try: 'loop over less: split the policy, or guard long lists with size(...)',
  },
  {
    id: 'policy-expression',
    fault: 'configuration',
    text: either("expression '(?<expression>.*?)' resulted in error: (?<error>.*)"),
    why: 'an expression of the policy cannot be evaluated for this request: {error}',
    try: 'guard it: has(...) or optional selection, and object is null on DELETE',
  },
  {
    id: 'policy-atomic',
    fault: 'configuration',
    text: new RegExp(
      `${mutating.source}error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: (?<paths>.*)`,
      's',
    ),
    why: 'ApplyConfiguration would replace all of {paths}, which merge as one value, and that is refused',
    try: 'use patchType JSONPatch for these fields',
  },
  {
    id: 'policy-patch',
    fault: 'configuration',
    text: new RegExp(`${mutating.source}(?<error>(?:error applying patch|type mismatch|JSON Patch|JSONPath valueExpression)[ :].*)`, 's'),
    why: 'a mutation of the policy {policy} does not fit this object: {error}',
    try: 'webhook-cli review with --state shows the mutation and the object as it found it',
  },
  {
    id: 'policy-denied',
    fault: 'manifest',
    text: new RegExp(`${validating.source}(?<said>.+)`, 's'),
    why: 'a validation of the policy {policy} does not hold',
    try: 'change the manifest as the message says',
  },
  {
    id: 'invalid-policy',
    fault: 'configuration',
    text: /^(?:Mutating|Validating)AdmissionPolicy\S* "(?<name>[^"]*)" is invalid: (?<field>\[?[^:]+): /,
    why: 'the API server does not take this policy or binding: {field}',
    try: 'look at all that is wrong with it: webhook-cli lint',
  },
];
