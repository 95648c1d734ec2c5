import { visible } from './printable.js';

/** Where GitHub shows it; undefined members are omitted. */
export interface AnnotationPlace {
  readonly file?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
  readonly col?: number | undefined;
  readonly title: string;
}

/** A message that GitHub shows next to the code; its text cannot start another command. Source: actions/toolkit command.ts. */
export function workflowCommand(level: 'error' | 'warning' | 'notice', place: AnnotationPlace, message: string): string {
  const { file, line, col, title } = place;
  const properties = Object.entries({ file, line, col, title }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${propertyText(String(value))}`],
  );
  return `::${level} ${properties.join(',')}::${messageText(message)}\n`;
}

function messageText(text: string): string {
  return visible(text).replaceAll('%', '%25').replaceAll('\n', '%0A');
}

function propertyText(text: string): string {
  return messageText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
