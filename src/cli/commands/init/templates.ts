import { type NewFile, suiteFolder } from './project.js';

/** Reports whether a file is a template, of Helm, for a shell, or with a placeholder for the caBundle. */
export function isTemplate(name: string, text: string): boolean {
  if (/\.(template|tmpl|tpl|in)$/.test(name) || placeholderBundle.test(text)) return true;
  return hasVariables(text) && hasVariables(withoutDescriptions(text));
}

function hasVariables(text: string): boolean {
  return text.includes('{{') || /:\s*"?\$\{?[A-Z]/.test(text);
}

/** Leaves out what a definition says of its fields, which may show a template. */
function withoutDescriptions(text: string): string {
  return text.replace(/^( *)description:.*(?:\n(?:\1 +\S.*|[ \t]*))*$/gm, '');
}

const placeholderBundle = /^\s*caBundle:\s*(?:[|>][-+]?\s*)?["']?(?:[<%$]|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+["']?\s*$)/m;

export interface RenderedTemplates {
  readonly rendered: readonly NewFile[];
  /** Templates that only their own program can render. */
  readonly others: readonly NewFile[];
}

/**
 * Renders the templates in which variables are only the caBundle, which the suite's certificate replaces, the host of an URL, which is this
 * machine, and names, for which any valid ones serve.
 */
export function renderedTemplates(templates: readonly NewFile[]): RenderedTemplates {
  const rendered: NewFile[] = [];
  const others: NewFile[] = [];
  for (const { name, text } of templates) {
    const number = rendered.length === 0 ? '' : `-${rendered.length + 1}`;
    const plain = { name: `${suiteFolder}/configuration${number}.yaml`, text: withoutVariables(text) };
    if (isTemplate(plain.name, plain.text) || /\$\{?[A-Za-z]/.test(plain.text)) others.push({ name, text });
    else rendered.push(plain);
  }
  return { rendered, others };
}

function withoutVariables(text: string): string {
  return text
    .replace(/^( *)caBundle:.*\n?(?:\1 +.*\n?)*/gm, '')
    .replace(/(https:\/\/)\$(?:\{\w+\}|\w+)/g, '$1127.0.0.1')
    .replace(/\b(?:name|namespace):(?:\$\{\w+\}|[^,}\n])*/g, name =>
      name.replace(/\$\{([A-Z][A-Z0-9_]+)\}|\$?\b([A-Z][A-Z0-9_]{2,})\b/g, nameOf),
    );
}

/** Returns a valid name: `webhook-app` for `WEBHOOK_APP`. */
function nameOf(_: string, braced: string | undefined, bare: string | undefined): string {
  return (braced ?? bare ?? '').toLowerCase().replaceAll('_', '-');
}
