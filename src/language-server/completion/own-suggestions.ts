import { type StructType, textOfType, typeAt } from '../types/field-type.js';
import { placeAround } from './object-around.js';
import type { Suggestions } from './suggestion.js';
import { keySuggestions, valueList } from './yaml-suggestions.js';

/** Returns the fields or values that may be written at a place of a file with a type of its own; undefined where nothing can be written. */
export function ownSuggestions(text: string, offset: number, type: StructType): Suggestions | undefined {
  const around = placeAround(text, offset, type);
  if (around === undefined) return undefined;
  const { document, place, path } = around;
  const range = { start: document.start + place.start, end: document.start + place.end };
  if (place.position === 'key') return { ...range, items: keySuggestions(around, document.text.trimStart().startsWith('{')) };
  const here = typeAt(type, path);
  if (here?.kind !== 'leaf') return { ...range, items: [] };
  const words = here.values ?? (here.leaf === 'boolean' ? ['true', 'false'] : []);
  return { ...range, items: valueList(words, textOfType(here)) };
}
