import type { Mark } from './cursor.js';
import { type Event, emptyScalar, leave, nextToken, type Parser, type YamlState } from './parser-state.js';
import { peekToken, takeToken } from './scanner.js';
import { parserError, type TagToken, type YamlToken } from './tokens.js';

export interface NodeContext {
  readonly block: boolean;
  /** A sequence without deeper indentation is allowed: as the value of a mapping. */
  readonly indentless: boolean;
}

/** Where a block collection may start. */
export const blockContext: NodeContext = { block: true, indentless: false };
const mappingContext: NodeContext = { block: true, indentless: true };
const flowContext: NodeContext = { block: false, indentless: false };

/**
 * Returns the event of the node that starts here; the states decide about the contents of a collection. Source of the grammar: go-yaml v2
 * parserc.go.
 */
export function parseNode(parser: Parser, context: NodeContext): Event {
  const first = peekToken(parser.scanner);
  if (first.type === 'alias') {
    parser.state = leave(parser);
    takeToken(parser.scanner);
    return { type: 'alias', mark: first.start, name: first.name };
  }
  const { anchor, tag, token } = parseProperties(parser);
  const mark = first.start;
  if (context.indentless && token.type === 'block-entry') {
    parser.state = indentlessEntry;
    return { type: 'sequence-start', mark, anchor };
  }
  if (token.type === 'scalar') {
    parser.state = leave(parser);
    takeToken(parser.scanner);
    return { type: 'scalar', mark, anchor, tag, value: token.value, implicit: (tag === '' && token.plain) || tag === '!' };
  }
  const collection = collections.get(token.type);
  if (collection !== undefined && (context.block || collection.inFlow)) {
    parser.state = collection.state;
    return { type: collection.type, mark, anchor };
  }
  if (anchor === '' && tag === '') throw parserError(token.start, 'did not find expected node content', mark);
  parser.state = leave(parser);
  return { type: 'scalar', mark, anchor, tag, value: '', implicit: tag === '' };
}

/** Parses a tag and an anchor, in either order, and returns the token after them. */
function parseProperties(parser: Parser): { readonly anchor: string; readonly tag: string; readonly token: YamlToken } {
  let token = peekToken(parser.scanner);
  const start = token.start;
  let anchor = '';
  let tag: TagToken | undefined;
  while ((token.type === 'anchor' && anchor === '') || (token.type === 'tag' && tag === undefined)) {
    if (token.type === 'tag') tag = token;
    else if (token.type === 'anchor') anchor = token.name;
    token = nextToken(parser);
  }
  return { anchor, tag: tag === undefined ? '' : wholeTag(parser, tag, start), token };
}

function wholeTag(parser: Parser, { handle, suffix, start }: TagToken, nodeStart: Mark): string {
  if (handle === '') return suffix;
  const prefix = parser.tagPrefixes.get(handle);
  const tag = prefix === undefined ? '' : prefix + suffix;
  if (tag === '') throw parserError(start, 'found undefined tag handle', nodeStart);
  return tag;
}

/** Starts a collection: takes its first token and records its position. */
function enter(state: YamlState): YamlState {
  return parser => {
    parser.marks.push(peekToken(parser.scanner).start);
    takeToken(parser.scanner);
    return state(parser);
  };
}

function endCollection(parser: Parser, mark: Mark): Event {
  takeToken(parser.scanner);
  parser.marks.pop();
  parser.state = leave(parser);
  return { type: 'collection-end', mark };
}

const blockSequenceEntry: YamlState = parser => {
  const token = peekToken(parser.scanner);
  if (token.type === 'block-end') return endCollection(parser, token.start);
  if (token.type !== 'block-entry') throw parserError(token.start, "did not find expected '-' indicator", parser.marks.at(-1));
  return parseEntry(parser, { state: blockSequenceEntry, context: blockContext, ends: endsBlockEntry });
};

const endsBlockEntry = new Set<YamlToken['type']>(['block-entry', 'block-end']);

const indentlessEntry: YamlState = parser => {
  const token = peekToken(parser.scanner);
  if (token.type === 'block-entry') {
    return parseEntry(parser, { state: indentlessEntry, context: blockContext, ends: endsIndentlessEntry });
  }
  parser.state = leave(parser);
  return { type: 'collection-end', mark: token.start };
};

const endsIndentlessEntry = new Set<YamlToken['type']>(['block-entry', 'key', 'value', 'block-end']);

interface Entry {
  /** State after the node. */
  readonly state: YamlState;
  readonly context: NodeContext;
  /** Tokens that mean that the node is missing. */
  readonly ends: ReadonlySet<YamlToken['type']>;
}

/** Takes an indicator and parses the node after it; a missing node is an empty scalar at the end of the indicator. */
function parseEntry(parser: Parser, { state, context, ends }: Entry): Event {
  const mark = peekToken(parser.scanner).end;
  const token = nextToken(parser);
  if (ends.has(token.type)) return emptyScalar(parser, mark, state);
  parser.after.push(state);
  return parseNode(parser, context);
}

const blockMappingKey: YamlState = parser => {
  const token = peekToken(parser.scanner);
  if (token.type === 'block-end') return endCollection(parser, token.start);
  if (token.type !== 'key') throw parserError(token.start, 'did not find expected key', parser.marks.at(-1));
  return parseEntry(parser, { state: blockMappingValue, context: mappingContext, ends: endsBlockPart });
};

const blockMappingValue: YamlState = parser => {
  const token = peekToken(parser.scanner);
  if (token.type !== 'value') return emptyScalar(parser, token.start, blockMappingKey);
  return parseEntry(parser, { state: blockMappingKey, context: mappingContext, ends: endsBlockPart });
};

const endsBlockPart = new Set<YamlToken['type']>(['key', 'value', 'block-end']);

const flowSequenceFirstEntry: YamlState = parser => flowSequenceEntry(parser, true);
const flowSequenceNextEntry: YamlState = parser => flowSequenceEntry(parser, false);

function flowSequenceEntry(parser: Parser, first: boolean): Event {
  let token = peekToken(parser.scanner);
  if (!first && token.type !== 'flow-sequence-end') {
    if (token.type !== 'flow-entry') throw parserError(token.start, "did not find expected ',' or ']'", parser.marks.at(-1));
    token = nextToken(parser);
  }
  if (token.type === 'flow-sequence-end') return endCollection(parser, token.start);
  if (token.type === 'key') {
    takeToken(parser.scanner);
    parser.state = pairKey;
    return { type: 'mapping-start', mark: token.start, anchor: '' };
  }
  parser.after.push(flowSequenceNextEntry);
  return parseNode(parser, flowContext);
}

/** A single pair in a flow sequence: `[a: 1]`. */
const pairKey: YamlState = parser => {
  const token = peekToken(parser.scanner);
  if (endsPairKey.has(token.type)) {
    takeToken(parser.scanner);
    return emptyScalar(parser, token.end, pairValue);
  }
  parser.after.push(pairValue);
  return parseNode(parser, flowContext);
};

const endsPairKey = new Set<YamlToken['type']>(['value', 'flow-entry', 'flow-sequence-end']);
const endsPair = new Set<YamlToken['type']>(['flow-entry', 'flow-sequence-end']);

const pairValue: YamlState = parser => flowValue(parser, pairEnd, endsPair);

const pairEnd: YamlState = parser => {
  parser.state = flowSequenceNextEntry;
  return { type: 'collection-end', mark: peekToken(parser.scanner).start };
};

function flowValue(parser: Parser, state: YamlState, ends: ReadonlySet<YamlToken['type']>): Event {
  let token = peekToken(parser.scanner);
  if (token.type === 'value') {
    token = nextToken(parser);
    if (!ends.has(token.type)) {
      parser.after.push(state);
      return parseNode(parser, flowContext);
    }
  }
  return emptyScalar(parser, token.start, state);
}

const flowMappingFirstKey: YamlState = parser => flowMappingKey(parser, true);
const flowMappingNextKey: YamlState = parser => flowMappingKey(parser, false);

function flowMappingKey(parser: Parser, first: boolean): Event {
  let token = peekToken(parser.scanner);
  if (!first && token.type !== 'flow-mapping-end') {
    if (token.type !== 'flow-entry') throw parserError(token.start, "did not find expected ',' or '}'", parser.marks.at(-1));
    token = nextToken(parser);
  }
  if (token.type === 'flow-mapping-end') return endCollection(parser, token.start);
  if (token.type !== 'key') {
    parser.after.push(flowMappingNoValue);
    return parseNode(parser, flowContext);
  }
  token = nextToken(parser);
  if (endsFlowKey.has(token.type)) return emptyScalar(parser, token.start, flowMappingValue);
  parser.after.push(flowMappingValue);
  return parseNode(parser, flowContext);
}

const endsFlowKey = new Set<YamlToken['type']>(['value', 'flow-entry', 'flow-mapping-end']);
const endsFlowValue = new Set<YamlToken['type']>(['flow-entry', 'flow-mapping-end']);

const flowMappingValue: YamlState = parser => flowValue(parser, flowMappingNextKey, endsFlowValue);
const flowMappingNoValue: YamlState = parser => emptyScalar(parser, peekToken(parser.scanner).start, flowMappingNextKey);

const collections = new Map<YamlToken['type'], { type: 'sequence-start' | 'mapping-start'; state: YamlState; inFlow: boolean }>([
  ['flow-sequence-start', { type: 'sequence-start', state: enter(flowSequenceFirstEntry), inFlow: true }],
  ['flow-mapping-start', { type: 'mapping-start', state: enter(flowMappingFirstKey), inFlow: true }],
  ['block-sequence-start', { type: 'sequence-start', state: enter(blockSequenceEntry), inFlow: false }],
  ['block-mapping-start', { type: 'mapping-start', state: enter(blockMappingKey), inFlow: false }],
]);
