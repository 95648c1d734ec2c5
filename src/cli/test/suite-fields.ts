import type { FlagField, FlagFields } from '../../suites/reading/flag-fields.js';
import type { SuiteFields } from '../../suites/reading/suite-fields.js';
import { CliError } from '../cli-error.js';
import { convertFlags } from '../convert/convert-flags.js';
import { callFlags } from '../flags/call-flags.js';
import { pathFlags } from '../flags/configuration.js';
import { webhookFlags } from '../flags/webhook-flags.js';

const { case: _recordedCases, ...callFlagsOfSuites } = callFlags;
const { webhook: _chosenWebhooks, ...webhookFlagsOfSuites } = webhookFlags;
const conversionFlagsOfSuites = {
  filename: convertFlags.filename,
  recursive: convertFlags.recursive,
  namespace: convertFlags.namespace,
  to: convertFlags.to,
  'round-trip': convertFlags['round-trip'],
  state: convertFlags.state,
  'kubernetes-version': convertFlags['kubernetes-version'],
  seed: convertFlags.seed,
  now: convertFlags.now,
};

/** Every flag that describes a call, a conversion or a webhook is a field of suite files, and reads its values as the command line does. */
export const suiteFields: SuiteFields = {
  call: {
    // A case may be about some of the suite's webhooks only.
    webhook: fieldOf('webhook', webhookFlags.webhook),
    ...fieldsOf(callFlagsOfSuites),
    words: fieldOf('words', {
      type: 'option',
      multiple: true,
      description: 'what stands behind -- on the command line: the command of exec, the ports of portforward, the path of a proxy',
    }),
  },
  conversion: fieldsOf(conversionFlagsOfSuites),
  webhook: fieldsOf(webhookFlagsOfSuites),
};

/** What of a flag's definition matters here. */
interface Definition {
  readonly type: string;
  readonly description?: string | undefined;
  readonly multiple?: boolean | undefined;
  readonly words?: readonly string[] | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly minMs?: number | undefined;
  readonly maxMs?: number | undefined;
  readonly helpValue?: unknown;
  readonly parse?: unknown;
}

function fieldsOf(definitions: Readonly<Record<string, Definition>>): FlagFields {
  return Object.fromEntries(Object.entries(definitions).map(([name, definition]) => [name, fieldOf(name, definition)]));
}

function fieldOf(name: string, definition: Definition): FlagField {
  return {
    takes: takenBy(definition),
    isPath: pathFlags.has(name),
    wanted: wantedBy(definition),
    words: definition.words,
    description: definition.description ?? '',
    parse: text => parsed(name, definition, text),
  };
}

function takenBy({ type, multiple, min }: Definition): FlagField['takes'] {
  if (type === 'boolean') return 'switch';
  if (multiple === true) return 'texts';
  return min === undefined ? 'text' : 'number';
}

function wantedBy({ words, min, max, minMs, maxMs, helpValue }: Definition): string {
  if (words !== undefined) return `one of ${words.join(', ')}`;
  if (min !== undefined) return `a whole number from ${min} to ${max}`;
  if (minMs !== undefined) return `a duration from ${minMs / 1000}s to ${(maxMs ?? 0) / 1000}s`;
  return helpValue === 'TIME' ? 'a time such as 2026-01-02T15:04:05Z, in quotes' : 'a text';
}

async function parsed(name: string, definition: Definition, text: string): ReturnType<FlagField['parse']> {
  const { parse } = definition;
  if (typeof parse !== 'function') return { value: text };
  try {
    return { value: await parse(text, {}, { ...definition, name }) };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { error: error.message.replace(/^--\S+ /, '') };
  }
}
