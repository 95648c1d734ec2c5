import type { YamlInput } from './input.js';
import { blockContext, parseNode } from './parse-node.js';
import { type Event, emptyScalar, leave, nextToken, type Parser, type YamlState } from './parser-state.js';
import { peekToken, takeToken } from './scanner.js';
import { scannerOf } from './scanner-state.js';
import { parserError, type YamlToken } from './tokens.js';

/** Returns a parser at the start of a text. */
export function parserOf(input: YamlInput): Parser {
  return { scanner: scannerOf(input), state: streamStart, after: [], marks: [], tagPrefixes: new Map() };
}

/** Returns the next event. Throws YamlError for invalid YAML; not to be called after that, or after the end. */
export function nextEvent(parser: Parser): Event {
  return parser.state(parser);
}

const streamStart: YamlState = parser => {
  peekToken(parser.scanner);
  takeToken(parser.scanner);
  return documentStart(parser, true);
};

function documentStart(parser: Parser, first: boolean): Event {
  const { scanner } = parser;
  let token = peekToken(scanner);
  while (!first && token.type === 'document-end') token = nextToken(parser);
  const mark = token.start;
  if (token.type === 'stream-end') {
    takeToken(scanner);
    return { type: 'stream-end', mark };
  }
  const explicit = token.type === 'version-directive' || token.type === 'tag-directive' || token.type === 'document-start';
  if (first && !explicit) {
    readDirectives(parser);
    parser.state = blockNode;
  } else {
    token = readDirectives(parser);
    if (token.type !== 'document-start') throw parserError(token.start, 'did not find expected <document start>');
    takeToken(scanner);
    parser.state = documentContent;
  }
  parser.after.push(documentEnd);
  return { type: 'document-start', mark };
}

const nextDocument: YamlState = parser => documentStart(parser, false);

const documentContent: YamlState = parser => {
  const token = peekToken(parser.scanner);
  return endsDocument.has(token.type) ? emptyScalar(parser, token.start, leave(parser)) : parseNode(parser, blockContext);
};

const endsDocument = new Set<YamlToken['type']>(['version-directive', 'tag-directive', 'document-start', 'document-end', 'stream-end']);

const documentEnd: YamlState = parser => {
  const token = peekToken(parser.scanner);
  if (token.type === 'document-end') takeToken(parser.scanner);
  parser.tagPrefixes.clear();
  parser.state = nextDocument;
  return { type: 'document-end', mark: token.start };
};

const blockNode: YamlState = parser => parseNode(parser, blockContext);

/** Parses the directives before a document and returns the token after them. */
function readDirectives(parser: Parser): YamlToken {
  let version = false;
  let token = peekToken(parser.scanner);
  while (token.type === 'version-directive' || token.type === 'tag-directive') {
    if (token.type === 'version-directive') {
      if (version) throw parserError(token.start, 'found duplicate %YAML directive');
      if (token.major !== 1 || token.minor !== 1) throw parserError(token.start, 'found incompatible YAML document');
      version = true;
    } else {
      if (parser.tagPrefixes.has(token.handle)) throw parserError(token.start, 'found duplicate %TAG directive');
      parser.tagPrefixes.set(token.handle, token.prefix);
    }
    token = nextToken(parser);
  }
  if (!parser.tagPrefixes.has('!')) parser.tagPrefixes.set('!', '!');
  if (!parser.tagPrefixes.has('!!')) parser.tagPrefixes.set('!!', 'tag:yaml.org,2002:');
  return token;
}
