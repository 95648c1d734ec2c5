import { formatFloat } from '../go/float.js';
import { quote, quoteToAscii } from '../go/quote.js';
import { type GoValue, isGoList, isGoMap, isGoStruct, sortedKeys, typeOf } from './values.js';

/** Returns a value as fmt's %v prints it. */
export function printValue(value: GoValue): string {
  if (value === undefined || value === null) return '<nil>';
  if (typeof value === 'number') return formatFloat(value);
  if (isGoMap(value))
    return `map[${sortedKeys(value)
      .map(key => `${key}:${printValue(value.entries.get(key))}`)
      .join(' ')}]`;
  if (isGoList(value)) return `[${value.items.map(printValue).join(' ')}]`;
  if (isGoStruct(value)) return `{${value.values().map(printValue).join(' ')}}`;
  return typeof value === 'object' ? printValue(value.value) : String(value);
}

/** fmt.Sprint: adds spaces between operands when neither is a string. */
export function sprint(values: readonly GoValue[]): string {
  return values
    .map((value, i) => (i > 0 && typeof value !== 'string' && typeof values[i - 1] !== 'string' ? ' ' : '') + printValue(value))
    .join('');
}

/** fmt.Sprintln. */
export function sprintln(values: readonly GoValue[]): string {
  return `${values.map(printValue).join(' ')}\n`;
}

interface Verb {
  readonly flags: string;
  readonly width: number | undefined;
  readonly precision: number | undefined;
  readonly verb: string;
}

/** fmt.Sprintf for the verbs used in templates. Source: fmt print.go doPrintf. */
export function sprintf(format: string, args: readonly GoValue[]): string {
  let next = 0;
  const take = (): { readonly value: GoValue } | undefined => {
    next += 1;
    return next <= args.length ? { value: args[next - 1] } : undefined;
  };
  const starOf = (text: string | undefined): number | undefined => {
    if (text !== '*') return text === undefined ? undefined : Number(text);
    const value = take()?.value;
    return typeof value === 'bigint' ? Number(value) : undefined;
  };
  const text = format.replace(
    /%([+\-# 0]*)(\*|\d+)?(?:\.(\*|\d+)?)?(.|$)/gsu,
    (whole: string, flags: string, width, precision, verb: string) => {
      if (verb === '') return '%!(NOVERB)';
      const made: Verb = { flags, width: starOf(width), precision: whole.includes('.') ? (starOf(precision) ?? 0) : undefined, verb };
      if (verb === '%') return '%';
      const arg = take();
      return arg === undefined ? `%!${verb}(MISSING)` : pad(formatted(arg.value, made), made, arg.value);
    },
  );
  const extra = args.slice(next);
  if (extra.length === 0) return text;
  return `${text}%!(EXTRA ${extra.map(value => (value === undefined || value === null ? '<nil>' : `${typeOf(value)}=${printValue(value)}`)).join(', ')})`;
}

function pad(text: string, { flags, width, verb }: Verb, value: GoValue): string {
  let { flags: used } = { flags };
  if (typeof value === 'string' && verb !== 'v') used = used.replaceAll('0', used.includes('-') ? '' : '0');
  if (width === undefined || [...text].length >= width) return text;
  const fill = width - [...text].length;
  if (used.includes('-')) return text + ' '.repeat(fill);
  if (!used.includes('0')) return ' '.repeat(fill) + text;
  const isSigned = typeof value !== 'string' && /^[+-]/.test(text);
  return isSigned ? text[0] + '0'.repeat(fill) + text.slice(1) : '0'.repeat(fill) + text;
}

function formatted(value: GoValue, verb: Verb): string {
  if (verb.verb === 'v') return verb.flags.includes('#') ? goSyntax(value) : signed(printValue(value), value, verb.flags);
  if (verb.verb === 'T') return typeOf(value);
  if (value === undefined || value === null) return `%!${verb.verb}(<nil>)`;
  if (isGoList(value)) return `[${value.items.map(item => formatted(item, verb)).join(' ')}]`;
  if (isGoMap(value)) {
    return `map[${sortedKeys(value)
      .map(key => `${formatted(key, verb)}:${formatted(value.entries.get(key), verb)}`)
      .join(' ')}]`;
  }
  if (isGoStruct(value))
    return `{${value
      .values()
      .map(item => formatted(item, verb))
      .join(' ')}}`;
  if (typeof value === 'object') return formatted(value.value, verb);
  return scalar(value, verb) ?? `%!${verb.verb}(${typeOf(value)}=${printValue(value)})`;
}

function signed(text: string, value: GoValue, flags: string): string {
  const isNumber = typeof value === 'bigint' || typeof value === 'number';
  if (!isNumber || text.startsWith('-')) return text;
  if (flags.includes('+')) return `+${text.replace(/^\+/, '')}`;
  return flags.includes(' ') ? ` ${text}` : text;
}

function scalar(value: boolean | string | bigint | number, verb: Verb): string | undefined {
  if (typeof value === 'boolean') return verb.verb === 't' ? String(value) : undefined;
  if (typeof value === 'string') return stringText(value, verb);
  const text = typeof value === 'bigint' ? intText(value, verb) : floatText(value, verb);
  return text === undefined ? undefined : signed(text, value, verb.flags);
}

function stringText(value: string, { verb, precision, flags }: Verb): string | undefined {
  const cut = precision === undefined ? value : [...value].slice(0, precision).join('');
  if (verb === 's') return cut;
  if (verb === 'q') return flags.includes('+') ? quoteToAscii(cut) : flags.includes('#') && !cut.includes('`') ? `\`${cut}\`` : quote(cut);
  const hex = Buffer.from(cut).toString('hex');
  return verb === 'x' ? hex : verb === 'X' ? hex.toUpperCase() : undefined;
}

function intText(value: bigint, { verb, flags, precision }: Verb): string | undefined {
  const bases: Readonly<Record<string, number>> = { d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 };
  const base = bases[verb];
  if (verb === 'c') return String.fromCodePoint(Number(value));
  if (verb === 'q') return `'${String.fromCodePoint(Number(value))}'`;
  if (verb === 'U') return `U+${value.toString(16).toUpperCase().padStart(4, '0')}`;
  if (base === undefined) return undefined;
  const digits = (value < 0n ? -value : value).toString(base).padStart(precision ?? 0, '0');
  const prefixes: Readonly<Record<string, string>> = { x: '0x', X: '0X', o: '0', b: '0b', O: '0o' };
  const prefix = flags.includes('#') || verb === 'O' ? (prefixes[verb] ?? '') : '';
  return (value < 0n ? '-' : '') + prefix + (verb === 'X' ? digits.toUpperCase() : digits);
}

function floatText(value: number, { verb, precision }: Verb): string | undefined {
  switch (verb) {
    case 'f':
    case 'F':
      return value.toFixed(precision ?? 6);
    case 'e':
      return value.toExponential(precision ?? 6).replace(/e([+-])(\d)$/, 'e$10$2');
    case 'g':
      return precision === undefined ? formatFloat(value) : formatFloat(Number(value.toPrecision(Math.max(precision, 1))));
    default:
      return undefined;
  }
}

/** %#v */
function goSyntax(value: GoValue): string {
  if (value === undefined || value === null) return '<nil>';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return Math.abs(value) >= 1e21 ? formatFloat(value) : String(value);
  if (isGoMap(value))
    return `${typeOf(value)}{${sortedKeys(value)
      .map(key => `${quote(key)}:${goSyntax(value.entries.get(key))}`)
      .join(', ')}}`;
  if (isGoList(value)) return `${typeOf(value)}{${value.items.map(goSyntax).join(', ')}}`;
  return printValue(value);
}
