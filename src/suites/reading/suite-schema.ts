import type { Option, OptionTable } from '../../client/options/option.js';
import { checkNames } from '../checks/check.js';
import { scenarioNames } from '../scenarios/scenario.js';
import { failureClasses } from './expectation-fields.js';
import { fieldsOf, type OptionFields } from './option-fields.js';
import { callFields, conversionFields, webhookFields } from './suite-fields.js';
import { suiteApiVersion } from './suite-file.js';

type Json = boolean | string | number | readonly Json[] | { readonly [key: string]: Json };

/** JSON Schema of suite files for editors: what `readSuite` accepts, as far as a schema can express it. */
export function suiteSchema(): Json {
  const callProperties = propertiesOf(callFields);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A suite of webhook-cli',
    ...map({
      apiVersion: { const: suiteApiVersion },
      kind: { const: 'Suite' },
      name: { type: 'string', description: 'name in reports; the file name by default' },
      ...propertiesOf(webhookFields),
      ...callProperties,
      services: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'addresses where services listen, by NAMESPACE/NAME',
      },
      exec: process,
      apiserver,
      checks,
      snapshot,
      redact: { $ref: '#/$defs/redact' },
      'kubernetes-versions': listOf({ type: 'string' }),
      cases: { type: 'array', minItems: 1, items: { $ref: '#/$defs/case' } },
    }),
    required: ['apiVersion', 'kind', 'cases'],
    $defs: {
      case: {
        ...map({
          name: { type: 'string', minLength: 1 },
          ...propertiesOf(conversionFields),
          ...callProperties,
          expect: { anyOf: [{ $ref: '#/$defs/expect' }, { $ref: '#/$defs/expectOfConversion' }] },
          matrix: matrixOf(fieldsOf({ ...conversionFields.table, ...callFields.table })),
          scenarios: {
            oneOf: [{ const: 'all' }, listOf({ enum: scenarioNames })],
            description: 'the lifecycle of an object, from one manifest',
          },
          checks,
          snapshot,
          redact: { $ref: '#/$defs/redact' },
          skip: { type: ['string', 'boolean'], description: 'why it is skipped' },
          only: { type: 'boolean', description: 'run no other case; refused with --check' },
        }),
        required: ['name'],
      },
      expect: { ...map(expectation), minProperties: 1 },
      expectOfConversion: { ...map(conversionExpectation), minProperties: 1, description: 'for conversion cases: with to or round-trip' },
      redact: listOf({
        oneOf: [
          { type: 'string' },
          { ...map({ path: { type: 'string' }, as: { type: 'string' } }), required: ['path'] },
          { ...map({ matches: { type: 'string', format: 'regex' }, as: { type: 'string' } }), required: ['matches'] },
        ],
      }),
      text: { oneOf: [{ type: 'string' }, { ...map({ matches: { type: 'string', format: 'regex' } }), required: ['matches'] }] },
    },
  };
}

const text = { $ref: '#/$defs/text' };
const snapshot = { type: 'boolean', description: 'compare the result with a snapshot; true by default' };
const checks = { ...listOf({ enum: checkNames }), description: 'checks of the webhooks' };

const fieldMatcher = { path: { type: 'string' }, equals: true, matches: { type: 'string', format: 'regex' }, absent: { const: true } };

const failure = {
  ...map({ class: { enum: failureClasses }, message: text }),
  minProperties: 1,
  description: 'of every failed webhook call: without it, a webhook that cannot be called makes the case broken',
};

const conversionExpectation = {
  converted: { type: 'boolean' },
  message: { ...text, description: "the API server's message when it fails" },
  failure,
  object: {
    ...listOf({ ...map({ to: { type: 'string', description: 'in this version only' }, ...fieldMatcher }), required: ['path'] }),
    description: 'of the converted objects',
  },
  lost: { ...listOf({ type: 'string' }), description: 'paths of all fields lost or changed in a round trip' },
  findings: { ...listOf(text), description: 'the messages of all other findings of the round trips' },
};

const expectation = {
  allowed: { type: 'boolean' },
  code: { type: 'integer', minimum: 0, maximum: 999, description: 'the HTTP status of the answer' },
  reason: { type: 'string' },
  message: text,
  warnings: listOf(text),
  patch: { ...listOf({ type: 'object' }), description: 'the operations of all mutating webhooks, in order' },
  object: listOf({ ...map(fieldMatcher), required: ['path'] }),
  called: { ...listOf({ type: 'string' }), description: 'the names of the webhooks that are called, in order' },
  auditAnnotations: { type: 'object', additionalProperties: text },
  failure,
};

const command = { oneOf: [{ type: 'string' }, { ...listOf({ type: 'string' }), minItems: 1 }] };

const process = {
  description: 'the webhook under test: started before the cases, stopped after them with its child processes',
  oneOf: [
    ...command.oneOf,
    {
      ...map({
        command,
        env: { type: 'object', additionalProperties: { type: 'string' } },
        cwd: { type: 'string' },
        ready: {
          ...map({
            path: { type: 'string', description: 'of a GET request; a review is sent by default' },
            port: { type: ['integer', 'string'], description: "the webhook's by default" },
            status: { type: 'integer', minimum: 100, maximum: 599, description: '200 by default' },
            log: { type: 'string', format: 'regex', description: 'matches a line of its output' },
            timeout: { type: 'string', description: '30s by default' },
          }),
          description: 'when it is ready',
        },
        'ready-timeout': { type: 'string', description: '30s by default' },
        'stop-grace': { type: 'string', description: '5s by default' },
      }),
      required: ['command'],
    },
  ],
};

const apiserver = {
  description: 'an API server in memory for the clients of the process: with the state of each case, or another one',
  oneOf: [{ type: 'boolean' }, map({ state: { oneOf: [{ type: 'string' }, listOf({ type: 'string' })] } })],
};

function map(properties: Record<string, Json>): { readonly [key: string]: Json } {
  return { type: 'object', additionalProperties: false, properties };
}

function listOf(items: Json): { readonly [key: string]: Json } {
  return { type: 'array', items };
}

function propertiesOf({ byField }: OptionFields<OptionTable>): Record<string, Json> {
  return Object.fromEntries(
    [...byField].map(([name, { option: field }]) => [name, { ...schemaOf(field), description: field.description }]),
  );
}

function matrixOf({ byField }: OptionFields<OptionTable>): Json {
  return map(Object.fromEntries([...byField].map(([name, { option }]) => [name, { ...listOf(schemaOf(option)), minItems: 1 }])));
}

function schemaOf(option: Option): { readonly [key: string]: Json } {
  switch (option.takes) {
    case 'switch':
      return { type: 'boolean' };
    case 'number':
      return { type: 'integer', minimum: option.min, maximum: option.max };
    case 'texts':
      return { oneOf: [{ type: 'string' }, listOf({ type: 'string' })] };
    case 'pairs':
      return { oneOf: [{ type: 'string' }, listOf({ type: 'string' }), { type: 'object', additionalProperties: { type: 'string' } }] };
    case 'word':
      return { enum: option.words };
    default:
      return { type: 'string' };
  }
}
