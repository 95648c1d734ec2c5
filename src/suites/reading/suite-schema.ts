import { callCheckNames } from '../../client/options/call-checks.js';
import type { Option, OptionTable } from '../../client/options/option.js';
import { scenarioNames } from '../scenarios/scenario.js';
import { failureClasses } from './expectation-fields.js';
import { fieldsOf, type OptionFields } from './option-fields.js';
import { callFields, conversionFields, stepFields, webhookFields } from './suite-fields.js';
import { suiteApiVersion } from './suite-file.js';

type Json = boolean | string | number | readonly Json[] | { readonly [key: string]: Json };

/**
 * JSON Schema of suite files for editors: what `readSuite` accepts, as far as a schema can express it. Every property has a description.
 * Alternatives have several types, or a condition, instead of `oneOf`, so that editors name the wrong member.
 */
export function suiteSchema(): Json {
  const callProperties = propertiesOf(callFields);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A suite of webhook-cli',
    ...map({
      apiVersion: { const: suiteApiVersion, description: 'the version of this format' },
      kind: { const: 'Suite', description: 'the kind of this document' },
      name: text('name in reports; the file name by default'),
      ...propertiesOf(webhookFields),
      ...callProperties,
      services: {
        ...texts('the address, such as https://127.0.0.1:8443'),
        description: 'addresses where services listen, by NAMESPACE/NAME',
      },
      exec: process,
      apiserver,
      checks,
      snapshot,
      redact,
      'kubernetes-versions': { ...listOf(text()), description: 'versions of the API server; all cases run for each of them' },
      cases: { ...listOf({ $ref: '#/$defs/case' }), minItems: 1, description: 'the tests' },
    }),
    required: ['apiVersion', 'kind', 'cases'],
    $defs: {
      case: {
        ...map({
          name: { ...text('unique name in the suite'), minLength: 1 },
          ...propertiesOf(conversionFields),
          ...callProperties,
          expect: { description: 'expectations for every call or conversion of the case' },
          steps: {
            ...listOf({ $ref: '#/$defs/step' }),
            minItems: 1,
            description: 'calls in order, each in the state that the calls before it left, with the fields of the case as defaults',
          },
          matrix: {
            ...matrixOf(fieldsOf({ ...conversionFields.table, ...callFields.table })),
            description: 'one case for each combination of the values of these fields',
          },
          scenarios: {
            type: ['string', 'array'],
            if: { type: 'string' },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
            then: { const: 'all' },
            items: { enum: scenarioNames },
            description: 'the lifecycle of an object, from one manifest: all, or a list of scenarios',
          },
          checks,
          snapshot,
          redact,
          skip: { type: ['string', 'boolean'], description: 'why it is skipped' },
          only: { type: 'boolean', description: 'run no other case; refused with --check' },
        }),
        required: ['name'],
        if: { anyOf: [{ required: ['to'] }, { required: ['round-trip'] }] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { properties: { expect: { $ref: '#/$defs/expectOfConversion' } } },
        else: { properties: { expect: { $ref: '#/$defs/expect' } } },
      },
      step: map({
        name: text('name in reports and in the snapshot; the operation by default'),
        ...propertiesOf(stepFields),
        expect: { $ref: '#/$defs/expect', description: 'expectations for the calls of the step; without them, they have to be allowed' },
      }),
      expect: { ...map(expectation), minProperties: 1 },
      expectOfConversion: { ...map(conversionExpectation), minProperties: 1 },
    },
  };
}

function text(description?: string): { readonly [key: string]: Json } {
  return { type: 'string', ...(description === undefined ? {} : { description }) };
}

function texts(value: string): { readonly [key: string]: Json } {
  return { type: 'object', additionalProperties: text(value) };
}

const pattern = { type: 'string', format: 'regex', description: "a regular expression in Go's syntax that matches a part of the text" };

/** The exact text, or `{matches: REGEX}`. */
function matcher(description: string): { readonly [key: string]: Json } {
  return {
    type: ['string', 'object'],
    properties: { matches: pattern },
    required: ['matches'],
    additionalProperties: false,
    description: `${description}: the exact text, or {matches: REGEX}`,
  };
}

const snapshot = { type: 'boolean', description: 'compare the result with a snapshot; true by default' };
const checks = { ...listOf({ enum: callCheckNames }), description: 'checks of the webhooks' };

const redact = {
  ...listOf({
    type: ['string', 'object'],
    properties: {
      path: text('a field of the objects that webhooks receive and patch'),
      matches: { ...pattern, description: 'a regular expression: every match in any text is redacted' },
      as: text('the text instead'),
    },
    additionalProperties: false,
    if: { required: ['matches'] },
    else: { required: ['path'] },
  }),
  description: 'parts that snapshots ignore: paths into the object, or {matches: REGEX, as: TEXT} for any text',
};

const fieldMatcher = {
  path: text('the field, such as spec.containers[0].image'),
  equals: { description: 'its value' },
  matches: pattern,
  absent: { const: true, description: 'the field does not exist' },
};

const failure = {
  ...map({
    class: { enum: failureClasses, description: 'the class of the failure' },
    message: matcher("the API server's message about the call"),
  }),
  minProperties: 1,
  description: 'of every failed webhook call: without it, a webhook that cannot be called makes the case broken',
};

const conversionExpectation = {
  converted: { type: 'boolean', description: 'whether every object is converted' },
  message: matcher("the API server's message when it fails"),
  failure,
  object: {
    ...listOf({ ...map({ to: text('in this version only'), ...fieldMatcher }), required: ['path'] }),
    description: 'fields of the converted objects',
  },
  lost: { ...listOf(text()), description: 'paths of all fields lost or changed in a round trip' },
  findings: { ...listOf(matcher('the message of a finding')), description: 'the messages of all other findings of the round trips' },
};

const expectation = {
  allowed: { type: 'boolean', description: 'whether the call is allowed' },
  code: { type: 'integer', minimum: 0, maximum: 999, description: 'the HTTP status of the answer' },
  reason: text('the reason of the status that the client gets, such as Forbidden'),
  message: matcher('the message of the status that the client gets'),
  warnings: { ...listOf(matcher('a warning')), description: 'all warnings that the client gets, in order' },
  patch: { ...listOf({ type: 'object' }), description: 'the operations of all mutating webhooks, in order' },
  object: { ...listOf({ ...map(fieldMatcher), required: ['path'] }), description: 'fields of the object that the client gets' },
  called: { ...listOf(text()), description: 'the names of the webhooks that are called, in order' },
  auditAnnotations: {
    type: 'object',
    additionalProperties: matcher('the value'),
    description: 'audit annotations by key; others are allowed',
  },
  failure,
};

const command = { type: ['string', 'array'], items: text(), minItems: 1 };

const process = {
  description: 'the webhook under test: started before the cases, stopped after them with its child processes',
  type: ['string', 'array', 'object'],
  items: text(),
  minItems: 1,
  properties: {
    command: { ...command, description: 'a command of the shell, or a list with the program and its arguments' },
    env: { ...texts('the value'), description: 'environment variables' },
    cwd: text('its working directory, relative to the suite file'),
    ready: {
      ...map({
        path: text('of a GET request; a review is sent by default'),
        port: { type: ['integer', 'string'], description: "the webhook's by default" },
        status: { type: 'integer', minimum: 100, maximum: 599, description: '200 by default' },
        log: { ...pattern, description: 'matches a line of its output' },
        timeout: text('30s by default'),
      }),
      description: 'when it is ready',
    },
    'ready-timeout': text('30s by default'),
    'stop-grace': text('5s by default'),
  },
  additionalProperties: false,
  required: ['command'],
};

const apiserver = {
  description: 'an API server in memory for the clients of the process: with the state of each case, or another one',
  type: ['boolean', 'object'],
  properties: { state: { type: ['string', 'array'], items: text(), description: 'files and folders of what it holds' } },
  additionalProperties: false,
};

function map(properties: Record<string, Json>): { readonly [key: string]: Json } {
  return { type: 'object', additionalProperties: false, properties };
}

function listOf(items: Json): { readonly [key: string]: Json } {
  return { type: 'array', items };
}

function propertiesOf({ byField }: OptionFields<OptionTable>): Record<string, Json> {
  return Object.fromEntries([...byField].map(([name, { option }]) => [name, { ...schemaOf(option), description: option.description }]));
}

function matrixOf({ byField }: OptionFields<OptionTable>): { readonly [key: string]: Json } {
  return map(
    Object.fromEntries(
      [...byField].map(([name, { option }]) => [name, { ...listOf(schemaOf(option)), minItems: 1, description: option.description }]),
    ),
  );
}

function schemaOf(option: Option): { readonly [key: string]: Json } {
  if (option.shape === 'switch') return { type: 'boolean' };
  const { shape, value } = option;
  if (shape === 'one') return value.schema;
  if (shape === 'many') return { type: ['string', 'array'], items: value.schema };
  return { type: ['string', 'array', 'object'], items: value.schema, additionalProperties: text() };
}
