import { formatFloat } from '../go/float.js';
import { ownMember } from '../go/own-members.js';
import { quote, quoteToAscii } from '../go/quote.js';
import { type GoInteger, isGoList, isGoMap, isGoStruct, sortedKeys, type TemplateValue, templateTypeOf } from './values.js';

/** Returns a value as fmt's %v prints it. */
export function printValue(value: TemplateValue): string {
  if (value === undefined || value === null) return '<nil>';
  if (typeof value === 'number') return formatFloat(value);
  if (isGoMap(value))
    return `map[${sortedKeys(value)
      .map(key => `${key}:${printValue(value.entries.get(key))}`)
      .join(' ')}]`;
  if (isGoList(value)) return `[${value.items.map(printValue).join(' ')}]`;
  if (isGoStruct(value)) return value.printed ?? `{${value.values().map(printValue).join(' ')}}`;
  return typeof value === 'object' ? printValue(value.value) : String(value);
}

/** fmt.Sprint: adds spaces between operands when neither is a string. */
export function sprint(values: readonly TemplateValue[]): string {
  return values
    .map((value, i) => (i > 0 && typeof value !== 'string' && typeof values[i - 1] !== 'string' ? ' ' : '') + printValue(value))
    .join('');
}

/** fmt.Sprintln. */
export function sprintln(values: readonly TemplateValue[]): string {
  return `${values.map(printValue).join(' ')}\n`;
}

interface Verb {
  readonly flags: string;
  readonly width: number | undefined;
  readonly precision: number | undefined;
  readonly verb: string;
}

/** fmt.Sprintf for the verbs used in templates. Source: fmt print.go doPrintf. */
export function sprintf(format: string, args: readonly TemplateValue[]): string {
  let next = 0;
  const take = (): { readonly value: TemplateValue } | undefined => {
    next += 1;
    return next <= args.length ? { value: args[next - 1] } : undefined;
  };
  const starOf = (text: string | undefined): number | undefined | 'bad' => {
    if (text !== '*') return text === undefined ? undefined : Number(text);
    const value = take()?.value;
    return typeof value === 'bigint' ? Number(value) : 'bad';
  };
  const text = format.replace(
    /%([+\-# 0]*)(\*|\d+)?(?:\.(\*|\d+)?)?(.|$)/gsu,
    (whole: string, flags: string, width, precision, verb: string) => {
      if (verb === '') return '%!(NOVERB)';
      const [wide, precise] = [starOf(width), whole.includes('.') ? (starOf(precision) ?? 0) : undefined];
      const bad = `${wide === 'bad' ? '%!(BADWIDTH)' : ''}${precise === 'bad' ? '%!(BADPREC)' : ''}`;
      const made: Verb = { flags, width: numeric(wide), precision: numeric(precise), verb };
      if (verb === '%') return `${bad}%`;
      const arg = take();
      return bad + (arg === undefined ? `%!${verb}(MISSING)` : formatted(arg.value, made));
    },
  );
  const extra = args.slice(next);
  if (extra.length === 0) return text;
  return `${text}%!(EXTRA ${extra.map(value => (value === undefined || value === null ? '<nil>' : `${templateTypeOf(value)}=${printValue(value)}`)).join(', ')})`;
}

function numeric(value: number | undefined | 'bad'): number | undefined {
  return value === 'bad' ? undefined : value;
}

function pad(text: string, { flags, width, verb }: Verb, value: TemplateValue): string {
  let { flags: used } = { flags };
  if (typeof value === 'string' && verb !== 'v') used = used.replaceAll('0', used.includes('-') ? '' : '0');
  if (width === undefined || [...text].length >= width) return text;
  const fill = width - [...text].length;
  if (used.includes('-')) return text + ' '.repeat(fill);
  if (!used.includes('0')) return ' '.repeat(fill) + text;
  const isSigned = typeof value !== 'string' && /^[+-]/.test(text);
  return isSigned ? text[0] + '0'.repeat(fill) + text.slice(1) : '0'.repeat(fill) + text;
}

/** A value as a verb prints it; width and flags apply to each value inside of it. Source: fmt print.go printArg, printValue, badVerb. */
function formatted(value: TemplateValue, verb: Verb): string {
  if (verb.verb === 'T') return pad(templateTypeOf(value), verb, value);
  if (verb.verb === 'v' && verb.flags.includes('#')) return pad(goSyntax(value), verb, value);
  if (value === undefined || value === null) return verb.verb === 'v' ? pad('<nil>', verb, value) : `%!${verb.verb}(<nil>)`;
  if (isGoList(value)) return `[${value.items.map(item => formattedInside(item, verb)).join(' ')}]`;
  if (isGoMap(value)) {
    return `map[${sortedKeys(value)
      .map(key => `${formatted(key, verb)}:${formattedInside(value.entries.get(key), verb)}`)
      .join(' ')}]`;
  }
  if (isGoStruct(value))
    return `{${value
      .values()
      .map(item => formattedInside(item, verb))
      .join(' ')}}`;
  if (typeof value === 'object' && value.kind === 'interface') return formatted(value.value, verb);
  return formattedScalar(value, verb);
}

function formattedScalar(given: boolean | string | bigint | number | GoInteger, verb: Verb): string {
  const value = typeof given === 'object' ? given.value : given;
  // With %v, the plus adds names of fields.
  const text = verb.verb === 'v' ? signed(plainText(value, verb), value, verb.flags.replaceAll('+', '')) : scalar(value, verb);
  if (text !== undefined) return pad(text, verb, value);
  return `%!${verb.verb}(${templateTypeOf(given)}=${pad(signed(plainText(value, verb), value, verb.flags), verb, value)})`;
}

/** A value as %v prints it with a precision. */
function plainText(value: boolean | string | bigint | number, verb: Verb): string {
  const verbs = { boolean: 't', string: 's', bigint: 'd', number: 'g' } as const;
  const text =
    verb.precision === undefined ? undefined : scalar(value, { ...verb, flags: '', verb: verbs[typeof value as keyof typeof verbs] });
  return text ?? printValue(value);
}

function formattedInside(item: TemplateValue, verb: Verb): string {
  return item === undefined || item === null ? '<nil>' : formatted(item, verb);
}

function signed(text: string, value: TemplateValue, flags: string): string {
  const isNumber = typeof value === 'bigint' || typeof value === 'number';
  if (!isNumber || text.startsWith('-')) return text;
  if (flags.includes('+')) return `+${text.replace(/^\+/, '')}`;
  return flags.includes(' ') ? ` ${text}` : text;
}

function scalar(value: boolean | string | bigint | number, verb: Verb): string | undefined {
  if (typeof value === 'boolean') return verb.verb === 't' ? String(value) : undefined;
  if (typeof value === 'string') return stringText(value, verb);
  const text = typeof value === 'bigint' ? intText(value, verb) : floatText(value, verb);
  return text === undefined || 'cqU'.includes(verb.verb) ? text : signed(text, value, verb.flags);
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
  const base = ownMember(bases, verb);
  if (verb === 'c') return characterOf(value);
  if (verb === 'q') return quoteCharacter(value, flags);
  if (verb === 'U') return `U+${value.toString(16).toUpperCase().padStart(4, '0')}`;
  if (base === undefined) return undefined;
  const digits = (value < 0n ? -value : value).toString(base).padStart(precision ?? 0, '0');
  const prefixes: Readonly<Record<string, string>> = { x: '0x', X: '0X', o: '0', b: '0b', O: '0o' };
  const prefix = flags.includes('#') || verb === 'O' ? (ownMember(prefixes, verb) ?? '') : '';
  return (value < 0n ? '-' : '') + prefix + (verb === 'X' ? digits.toUpperCase() : digits);
}

/** Source: strconv QuoteRune, QuoteRuneToASCII. */
function quoteCharacter(value: bigint, flags: string): string {
  const character = characterOf(value);
  if (character === '"') return `'"'`;
  if (character === "'") return "'\\''";
  return `'${(flags.includes('+') ? quoteToAscii(character) : quote(character)).slice(1, -1)}'`;
}

function characterOf(value: bigint): string {
  const isValid = value >= 0n && value <= 0x10ffffn && !(value >= 0xd800n && value <= 0xdfffn);
  return isValid ? String.fromCodePoint(Number(value)) : '\ufffd';
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
    case 'x':
      return precision === undefined ? hexadecimal(value) : undefined;
    case 'X':
      return precision === undefined ? hexadecimal(value).toUpperCase() : undefined;
    default:
      return undefined;
  }
}

/** `0x1.4p+02`, with as many digits as the value has. Source: strconv ftoa.go fmtX. */
function hexadecimal(value: number): string {
  if (!Number.isFinite(value)) return formatFloat(value);
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  let [mantissa, exponent] = [Math.abs(value), 0];
  for (; mantissa >= 2; exponent += 1) mantissa /= 2;
  for (; mantissa !== 0 && mantissa < 1; exponent -= 1) mantissa *= 2;
  const digits = mantissa.toString(16).replace(/^\d/, '');
  return `${sign}0x${Math.floor(mantissa)}${digits}p${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** %#v */
function goSyntax(value: TemplateValue): string {
  if (value === undefined || value === null) return '<nil>';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'object' && value.kind === 'integer')
    return value.type === 'uint8' ? `0x${value.value.toString(16)}` : `${value.value}`;
  if (typeof value === 'number') return Math.abs(value) >= 1e21 ? formatFloat(value) : String(value);
  if (isGoMap(value))
    return `${templateTypeOf(value)}{${sortedKeys(value)
      .map(key => `${quote(key)}:${goSyntaxInside(value.entries.get(key))}`)
      .join(', ')}}`;
  if (isGoList(value)) return `${templateTypeOf(value)}{${value.items.map(goSyntaxInside).join(', ')}}`;
  return printValue(value);
}

function goSyntaxInside(item: TemplateValue): string {
  return item === undefined || item === null ? 'interface {}(nil)' : goSyntax(item);
}
