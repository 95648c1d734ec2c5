/** Texts are compared in pieces: lines, members and strings of compact JSON. */
const pieceEnd = /(?<=\n|\},|",|\],)/;

/** Pieces that must be equal before a part is copied, and the number of places that are tried. */
const minPieces = 3;
const maxPlaces = 64;

/**
 * Returns a text as parts of another text, for src/local-apiserver/recorded/data-file.ts: `[start, length]` is copied from the base, a string is
 * inserted. Both texts are latin1, so that positions count bytes.
 */
export function deltaOf(base, text) {
  const [from, to] = [pieces(base), pieces(text)];
  const places = new Map();
  for (let i = 0; i + minPieces <= from.texts.length; i += 1) {
    const key = keyAt(from, i);
    const known = places.get(key);
    if (known === undefined) places.set(key, [i]);
    else if (known.length < maxPlaces) known.push(i);
  }
  const parts = [];
  let next = 0;
  for (let i = 0; i < to.texts.length; ) {
    const candidates = [next, ...(places.get(keyAt(to, i)) ?? [])];
    const [place, count] = longest(candidates.map(at => [at, equalPieces(from, at, to, i)]));
    if (count < minPieces) {
      addText(parts, to.texts[i]);
      i += 1;
    } else {
      addCopy(parts, from.starts[place], from.starts[place + count] - from.starts[place]);
      i += count;
      next = place + count;
    }
  }
  return parts;
}

function pieces(text) {
  const texts = text.split(pieceEnd);
  const starts = [0];
  for (const piece of texts) starts.push(starts.at(-1) + piece.length);
  return { texts, starts };
}

function keyAt({ texts }, at) {
  return texts.slice(at, at + minPieces).join('');
}

function equalPieces(from, at, to, i) {
  let count = 0;
  while (i + count < to.texts.length && from.texts[at + count] === to.texts[i + count]) count += 1;
  return count;
}

function longest(found) {
  return found.reduce((best, each) => (each[1] > best[1] ? each : best));
}

function addText(parts, text) {
  if (typeof parts.at(-1) === 'string') parts.push(parts.pop() + text);
  else parts.push(text);
}

function addCopy(parts, start, length) {
  const last = parts.at(-1);
  if (Array.isArray(last) && last[0] + last[1] === start) last[1] += length;
  else parts.push([start, length]);
}
