import { builtins } from './builtins.js';
import { execute } from './execute.js';
import type { Functions } from './functions.js';
import { parseTemplate } from './parser.js';
import type { GoValue } from './values.js';

/** A template that was parsed. */
export interface Template {
  /** The output for some data. Throws TemplateError in Go's words. */
  execute(data: GoValue): string;
}

/** Parses a text of Go's text/template with more functions than Go's own. Throws TemplateError with the line. */
export function compileTemplate(name: string, text: string, more: Functions = new Map()): Template {
  const functions: Functions = new Map([...builtins, ...more]);
  const templates = parseTemplate(name, text, functions);
  return { execute: data => execute({ name, text, templates, functions }, data) };
}
