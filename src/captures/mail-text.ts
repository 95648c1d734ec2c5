import { type Layer, LayerBuilder } from './layer.js';

/** Prefixes of lines: quotes in mails, container runtimes, `kubectl logs --prefix` and `--timestamps`, the journal of systemd. */
const linePrefix =
  /^(?:[ \t]*(?:>[ \t]?)+|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d) (?:std(?:out|err) ([PF]) )?|\[pod\/[^\s\]]+\] |[A-Z][a-z]{2} [ \d]\d [\d:]{8} \S+ [^\s:]+: )/;

/** Removes the prefixes of lines, and joins lines that a container runtime has split. Returns the same layer if there are none. */
export function withoutLinePrefixes(layer: Layer): Layer {
  const { text } = layer;
  const builder = new LayerBuilder(layer);
  let removed = 0;
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed + 1;
    // A line of a big log is long: no prefix is.
    const match = linePrefix.exec(text.slice(start, Math.min(end, start + 300)));
    const isPart = match?.[1] === 'P';
    builder.copy(start + (match?.[0].length ?? 0), isPart && feed !== -1 ? feed : end);
    if (match !== null) removed += 1;
    start = end;
  }
  return removed === 0 ? layer : builder.build();
}

/** Decodes the quoted-printable text of a mail. Returns the same layer if no header names this encoding. Source: RFC 2045 section 6.7. */
export function withoutQuotedPrintable(layer: Layer): Layer {
  const { text } = layer;
  if (!/^content-transfer-encoding:\s*quoted-printable/im.test(text)) return layer;
  const builder = new LayerBuilder(layer);
  let copied = 0;
  for (const match of text.matchAll(/=[ \t]*\r?\n|(?:=[0-9A-Fa-f]{2})+/g)) {
    builder.copy(copied, match.index);
    if (!match[0].endsWith('\n')) builder.put(Buffer.from(match[0].replaceAll('=', ''), 'hex').toString('utf8'), match.index);
    copied = match.index + match[0].length;
  }
  builder.copy(copied, text.length);
  return builder.build();
}

/** Returns the texts of base64 blocks that contain JSON or YAML. */
export function base64Layers(layer: Layer): Layer[] {
  const { text } = layer;
  const layers: Layer[] = [];
  firstLine.lastIndex = 0;
  for (let match = firstLine.exec(text); match !== null; match = firstLine.exec(text)) {
    const end = endOfLines(text, firstLine.lastIndex);
    firstLine.lastIndex = end;
    const decoded = Buffer.from(text.slice(match.index, end), 'base64').toString('utf8');
    if (!/AdmissionReview|"?operation"?:/.test(decoded)) continue;
    const builder = new LayerBuilder(layer);
    builder.put(decoded, match.index);
    layers.push(builder.build());
  }
  return layers;
}

const firstLine = /[A-Za-z0-9+/]{40,}/g;
const nextLine = /\r?\n[A-Za-z0-9+/]+/y;

/** A loop, because an expression for millions of lines would need too much of V8's stack. */
function endOfLines(text: string, from: number): number {
  for (let at = from; ; at = nextLine.lastIndex) {
    nextLine.lastIndex = at;
    if (!nextLine.test(text)) return at;
  }
}
