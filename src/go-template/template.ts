import { builtins } from './builtins.js';
import { execute } from './execute.js';
import type { TemplateFunctions } from './functions.js';
import { parseTemplate } from './parser.js';
import type { TemplateValue } from './values.js';

/** A parsed template. */
export interface Template {
  /** Renders the template for data. Throws TemplateError with Go's message. */
  execute(data: TemplateValue): string;
}

/** Parses a Go template, with functions in addition to the built-in ones. Throws TemplateError with the line. */
export function compileTemplate(name: string, text: string, more: TemplateFunctions = new Map()): Template {
  const functions: TemplateFunctions = new Map([...builtins, ...more]);
  const templates = parseTemplate(name, text, functions);
  return { execute: data => execute({ name, text, templates, functions }, data) };
}
