import { isIP } from 'node:net';
import { parseDuration } from '../../go/duration.js';
import { quote } from '../../go/quote.js';
import type { FlagValues } from '../../kubernetes/server-options.js';
import { type KnownFlag, knownFlag } from './known-flags.js';

/** The flags of a command line, or the message of kube-apiserver's refusal. */
export type ParsedFlags = { readonly flags: FlagValues } | { readonly error: string };

/** Parses a command line of kube-apiserver of a minor version such as 36. Source: pflag flag.go parseArgs, cobra args.go. */
export function parseFlags(argv: readonly string[], minor: number): ParsedFlags {
  const flags = new Map<string, readonly string[]>();
  const others: string[] = [];
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i] ?? '';
    if (word === '--') {
      others.push(...argv.slice(i + 1));
      break;
    }
    const match = /^(--?)([^=]*)(?:=([\s\S]*))?$/.exec(word);
    if (match === null || word === '-') {
      others.push(word);
      continue;
    }
    const [, dashes, text = '', attached] = match;
    const isShort = dashes === '-';
    if (isShort && !text.startsWith('v')) return { error: `unknown shorthand flag: ${quoteRune(text)} in ${word}` };
    if (!isShort && /^$|^[-=]/.test(text)) return { error: `bad flag syntax: ${word}` };
    const flag = knownFlag(isShort ? 'v' : text.replaceAll('_', '-'), minor);
    if (flag === undefined) return { error: `unknown flag: --${text}` };
    const inWord = isShort && text.length > 1 ? text.slice(1) : attached;
    const isSeparate = inWord === undefined && flag.type !== 'boolean';
    if (isSeparate && i + 1 >= argv.length) return { error: `flag needs an argument: ${isShort ? `'v' in ${word}` : word}` };
    if (isSeparate) i += 1;
    const value = inWord ?? (isSeparate ? (argv[i] ?? '') : 'true');
    const parsed = valuesOf(flag, value);
    if ('error' in parsed)
      return {
        error: `invalid argument ${quote(value)} for ${quote(`${flag.name === 'v' ? '-v, ' : ''}--${flag.name}`)} flag: ${parsed.error}`,
      };
    flags.set(flag.name, [...(flags.get(flag.name) ?? []), ...parsed.values]);
  }
  if (others.length > 0) return { error: `"kube-apiserver" does not take any arguments, got [${others.map(quote).join(' ')}]` };
  return { flags };
}

function quoteRune(text: string): string {
  return `'${text.slice(0, 1)}'`;
}

type Values = { readonly values: readonly string[] } | { readonly error: string };

function valuesOf({ type }: KnownFlag, value: string): Values {
  switch (type) {
    case 'list':
      return { values: commaSeparated(value) };
    case 'settings':
      return { values: value.split(',').filter(part => part.trim() !== '') };
    case 'boolean':
      return booleanOf(value);
    case 'integer':
      return /^[-+]?(?:\d+|0[xX][\da-fA-F]+)$/.test(value) ? { values: [value] } : { error: syntaxError('ParseInt', value) };
    case 'level':
      return /^\d+$/.test(value) ? { values: [value] } : { error: syntaxError('ParseUint', value) };
    case 'number':
      return value !== '' && Number.isFinite(Number(value)) ? { values: [value] } : { error: syntaxError('ParseFloat', value) };
    case 'address':
      return isIP(value.trim()) === 0 ? { error: `failed to parse IP: ${quote(value)}` } : { values: [value.trim()] };
    case 'duration':
      return durationOf(value);
    default:
      return { values: [value] };
  }
}

/** Source: pflag string_slice.go: a line of CSV, in which `""` is one empty value. */
function commaSeparated(value: string): string[] {
  if (value === '') return [];
  const fields = [...value.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)];
  return fields.map(([, quoted, plain = '']) => (quoted === undefined ? plain : quoted.replaceAll('""', '"')));
}

/** Source: Go strconv.ParseBool. */
function booleanOf(value: string): Values {
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value)) return { values: ['true'] };
  if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(value)) return { values: ['false'] };
  return { error: syntaxError('ParseBool', value) };
}

function durationOf(value: string): Values {
  try {
    parseDuration(value);
    return { values: [value] };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function syntaxError(what: string, value: string): string {
  return `strconv.${what}: parsing ${quote(value)}: invalid syntax`;
}
