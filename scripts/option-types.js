// Generates the types of the library's options from the tables of options.
import { registrationOptions } from '../dist/src/client/options/webhook-options.js';
import { libraryCallOptions, libraryStateOptions, libraryWebhookOptions } from '../dist/src/library/read-options.js';

/** Returns the source of `flag-options.ts`: the types of the options that are flags of the command line. */
export function flagOptionTypes() {
  return [
    '// Generated from the tables in src/client/options by `npm run docs`.',
    '',
    ...interfaceOf('StateFlagOptions', 'Options of `loadState` that are flags of the command line.', libraryStateOptions),
    ...interfaceOf('CallOptions', 'Options of the API call: flags of the command line, in camel case.', libraryCallOptions),
    ...interfaceOf(
      'WebhookOptions',
      'Which webhooks exist and how to reach them. Without `url` and `demo`, the configurations of the state decide.',
      libraryWebhookOptions,
    ).slice(0, -1),
  ]
    .map(line => `${line}\n`)
    .join('');
}

function interfaceOf(name, description, options) {
  const members = Object.entries(options).flatMap(([name, option]) => [
    `  /** ${sentenceOf(name, option)} */`,
    `  readonly ${name}?: ${typeOf(option)} | undefined;`,
  ]);
  return [`/** ${description} */`, `export interface ${name} {`, ...members, '}', ''];
}

/** Returns the description as a sentence, which begins with the condition of options that need `url`. */
function sentenceOf(name, option) {
  const text = option.description.replace(/; repeatable$/, '');
  const sentence = name in registrationOptions ? `With \`url\`: ${text}` : text.charAt(0).toUpperCase() + text.slice(1);
  return `${sentence}.`.replace(/\.{3,}$/, '...');
}

function typeOf({ shape, value }) {
  if (shape === 'switch') return 'boolean';
  if (shape === 'many') return 'string | readonly string[]';
  return shape === 'pairs' ? 'Readonly<Record<string, string | readonly string[]>>' : (value.inLibrary?.type ?? 'string');
}
