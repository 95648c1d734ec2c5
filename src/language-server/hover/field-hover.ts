import type { ObjectAround } from '../completion/object-around.js';
import type { Range } from '../diagnostics/problem.js';
import { type FieldType, type TypedField, textOfType, typeAt } from '../types/field-type.js';

/** What the editor shows about a word. */
export interface HoverText extends Range {
  /** Code, such as a type. */
  readonly code: string;
  /** Plain text. */
  readonly text: string;
}

/** Returns the type of the field at a place, and what its definition says about it. */
export function fieldHover({ document, place, type, path }: ObjectAround, name: string): HoverText | undefined {
  const whole = place.position === 'key' ? [...path, name] : path;
  const around = type === undefined ? undefined : typeAt(type, whole.slice(0, -1));
  const last = whole.at(-1);
  const field = last === undefined || around === undefined ? undefined : fieldIn(around, last);
  if (field === undefined) return undefined;
  const lines = [field.description ?? '', ...factsOf(field)].filter(line => line !== '');
  return {
    start: document.start + place.start,
    end: document.start + place.end,
    code: `${String(last)}: ${textOfType(field.type)}`,
    text: lines.join('\n\n'),
  };
}

function fieldIn(type: FieldType, step: string | number): TypedField | undefined {
  if (type.kind === 'struct') return type.fields().get(String(step));
  if (type.kind === 'map') return { type: type.values };
  return type.kind === 'list' && typeof step === 'number' ? { type: type.items } : undefined;
}

function factsOf({ type, isRequired, default: fallback }: TypedField): string[] {
  return [
    isRequired === true ? 'Required.' : '',
    type.kind === 'leaf' && type.values !== undefined ? `One of ${type.values.join(', ')}.` : '',
    fallback === undefined || fallback instanceof Map
      ? ''
      : `Default: ${typeof fallback === 'bigint' ? fallback : JSON.stringify(fallback)}.`,
  ];
}
