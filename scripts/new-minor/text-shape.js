// Texts of API servers without what differs between two calls of the same kind.

const variable = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UID'],
  [/\b\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, 'TIME'],
  [/"(?:[^"\\]|\\.)*"/g, '"..."'],
  [/\{.*\}/gs, '{...}'],
  [/\[(?:\d+|\w[\w./-]*)\]/g, '[]'],
  [/\b\d+\b/g, 'N'],
];

/** The first line of a message without its quoted texts, indexes, numbers, uids and times. */
export function shapeOf(message) {
  return variable.reduce((text, [pattern, word]) => text.replaceAll(pattern, word), message).split('\n')[0];
}

/** The path of a member without indexes, and without the keys of managed fields and of other maps whose keys are texts. */
export function pathShape(steps) {
  return steps.map(step => (typeof step === 'number' ? '[]' : `.${step.replace(/^(k|v):.*$/s, '$1:...')}`)).join('');
}

/** Single errors of a message that lists several, or the message itself. */
export function errorsOf(message) {
  const [, subject, list] = /^(.*? is invalid: )\[(.*)\]$/s.exec(message) ?? [];
  return list === undefined ? [message] : list.split(/, (?=[\w.[\]"<-]+: )/).map(error => `${subject}${error}`);
}
