import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { el } from '../shared/dom.js';
import { completionExtension, type Suggest } from './editor-completion.js';
import type { Problem } from './model.js';

/** A text editor for YAML. */
export interface Editor {
  readonly node: HTMLElement;
  readonly text: () => string;
  readonly setText: (text: string) => void;
  /** Marks the lines of problems. */
  readonly mark: (problems: readonly Problem[]) => void;
  /** Moves the cursor to a line, from 1. */
  readonly goTo: (line: number) => void;
}

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--warn)' },
  { tag: tags.comment, color: 'var(--quiet)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--paper)', color: 'var(--ink)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '13px', lineHeight: '1.5' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--quiet)', borderRight: '1px solid var(--line)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--chosen) !important' },
  '.cm-tooltip': { backgroundColor: 'var(--panel)', color: 'var(--ink)', border: '1px solid var(--line)', maxWidth: '40rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--chosen)', color: 'var(--ink)' },
  '.cm-completionDetail': { color: 'var(--quiet)', fontStyle: 'normal' },
  '.cm-completionInfo': { whiteSpace: 'pre-wrap' },
});

export interface EditorOptions {
  /** Text at the start. */
  readonly start: string;
  /** Is called after each change by the user. */
  readonly onChange: () => void;
  readonly suggest: Suggest;
}

/** Returns an editor. Its styles are in a shadow root, which needs no exception in the page's policy. */
export function editor(label: string, { start, onChange, suggest }: EditorOptions): Editor {
  const node = el('div', { class: 'editor' });
  const root = node.attachShadow({ mode: 'open' });
  const parent = document.createElement('div');
  parent.style.height = '100%';
  root.append(parent);
  let isSetting = false;
  const view = new EditorView({
    parent,
    root,
    state: EditorState.create({
      doc: start,
      extensions: [
        lineNumbers(),
        history(),
        bracketMatching(),
        yaml(),
        syntaxHighlighting(colors),
        syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
        lintGutter(),
        completionExtension(suggest),
        theme,
        // Tab moves the focus out of the editor after Escape.
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of(update => {
          if (update.docChanged && !isSetting) onChange();
        }),
      ],
    }),
  });
  return {
    node,
    text: () => view.state.doc.toString(),
    setText(text) {
      isSetting = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      isSetting = false;
    },
    mark(problems) {
      const { doc } = view.state;
      const marks = problems.map(({ line, range, severity, message }): Diagnostic => {
        const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
        // The text may have become shorter since.
        if (range === undefined || range.end > doc.length) return { from, to, severity, message };
        return { from: range.start, to: range.end, severity, message };
      });
      view.dispatch(setDiagnostics(view.state, marks));
    },
    goTo(line) {
      const { from } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    },
  };
}
