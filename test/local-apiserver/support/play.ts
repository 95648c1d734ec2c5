import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { comparable, lookAt, newMask, pointed } from './mask.js';
import { protobufBytes, type Recorded, type Session, type Step } from './session.js';

/** The server for a session. */
export interface Target {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  readonly hooks: string;
  readonly hooksCa: string;
}

/** Returns the first difference between a session and the server's responses; undefined if there is none. */
export async function play(session: Session, target: Target): Promise<string | undefined> {
  const words = new Map([
    ['ns', session.namespace ?? ''],
    ['token', target.token],
    ['hooks', target.hooks],
    ['CA', target.hooksCa],
    ['server', target.url],
  ]);
  for (const name of [session.namespace, ...(session.namespaces ?? [])]) {
    if (name === undefined) continue;
    await send(
      { method: 'POST', path: '/api/v1/namespaces', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, answer: {} },
      words,
      target,
    );
  }
  const masks = { recorded: newMask(), produced: newMask() };
  try {
    return await playedSteps(session, { words, target, masks });
  } finally {
    for (const path of session.cleanup ?? []) await send({ method: 'DELETE', path, answer: {} }, words, target);
  }
}

async function playedSteps(session: Session, playing: Playing): Promise<string | undefined> {
  for (const [index, step] of session.steps.entries()) {
    const difference = await played(step, playing);
    if (difference !== undefined) return `step ${index + 1}, ${step.method ?? 'GET'} ${step.path}: ${difference}`;
  }
  return undefined;
}

function wordsOf(text: string): string {
  return (text.match(/[\w.<>-]+/g) ?? []).sort().join(' ');
}

interface Playing {
  readonly words: Map<string, string>;
  readonly target: Target;
  readonly masks: { readonly recorded: (text: string) => string; readonly produced: (text: string) => string };
}

async function played(step: Step, playing: Playing): Promise<string | undefined> {
  const { words, target } = playing;
  // Connections have separate tests.
  if (step.alpn !== undefined || step.answer.failed !== undefined) return undefined;
  const answer = await send(step, words, target, async () => {
    for (const inner of step.during ?? []) {
      const difference = await played(inner, playing);
      if (difference !== undefined) return difference;
    }
    return undefined;
  });
  return answer.inner ?? differenceOf(step, answer, playing);
}

interface Produced {
  readonly status: number;
  readonly body: Buffer;
  readonly frames: readonly string[] | undefined;
  readonly inner?: string | undefined;
}

function differenceOf(step: Step, produced: Produced, { masks, target }: Playing): string | undefined {
  const recorded = step.answer;
  if (recorded.status !== produced.status)
    return `status ${produced.status} instead of ${recorded.status}: ${produced.body.toString().slice(0, 300)}`;
  const pairs = compared(step, recorded, produced);
  for (const [wanted, got] of pairs) {
    const plain = got.replaceAll(target.url, '{{server}}').replaceAll(target.hooks, '{{hooks}}').replaceAll(target.token, '{{token}}');
    const own = (text: string): string =>
      (step.mask ?? []).reduce(
        (masked, [pattern, replacement]) => masked.replace(new RegExp(pattern, 'gm'), replacement.replace(/\\(\d)/g, '$$$1')),
        text,
      );
    const [a, b] = [masks.recorded(own(wanted)), masks.produced(own(plain.replaceAll(target.hooksCa, '{{CA}}')))];
    if (step.unordered === true && step.frames === undefined) {
      if (wordsOf(a) !== wordsOf(b)) return `\n  recorded ${a.slice(0, 1500)}\n  produced ${b.slice(0, 1500)}`;
      continue;
    }
    if (JSON.stringify(comparable(a)) !== JSON.stringify(comparable(b)))
      return `\n  recorded ${a.slice(0, 1500)}\n  produced ${b.slice(0, 1500)}`;
  }
  return undefined;
}

function compared(step: Step, recorded: Recorded, produced: Produced): (readonly [string, string])[] {
  const text = produced.body.toString();
  if (step.look !== undefined) return [[JSON.stringify(recorded.look), JSON.stringify(step.look.map(look => lookAt(text, look)))]];
  if (recorded.frames !== undefined) {
    // Protobuf has separate tests.
    if (produced.frames === undefined) return [];
    const order = (frames: readonly string[]) => (step.unordered === true ? [...frames].sort() : frames);
    const got = order(produced.frames ?? []);
    const wanted = order(recorded.frames).map(frame => frame.trim());
    return [[`${wanted.length}`, `${got.length}`], ...wanted.map((frame, i) => [frame, got[i] ?? ''] as const)];
  }
  // Protobuf has separate tests.
  return recorded.body === undefined ? [] : [[recorded.body, text]];
}

function filled<T>(value: T, words: ReadonlyMap<string, string>): T {
  return JSON.parse(
    JSON.stringify(value).replace(/\{\{([\w-]+)\}\}/g, (all, word: string) => JSON.stringify(words.get(word) ?? all).slice(1, -1)),
  ) as T;
}

function bodyOf(step: Step, words: ReadonlyMap<string, string>): Buffer | undefined {
  if (step.bodyParts !== undefined)
    return Buffer.from(step.bodyParts.map(part => (typeof part === 'string' ? part : part.repeat.repeat(part.times))).join(''));
  if (step.bodyBase64 !== undefined) return Buffer.from(step.bodyBase64, 'base64');
  if (step.protobuf !== undefined) return protobufBytes(filled(step.protobuf, words));
  if (step.body === undefined) return undefined;
  const body = filled(step.body, words);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

async function send(step: Step, words: Map<string, string>, target: Target, during?: () => Promise<string | undefined>): Promise<Produced> {
  const body = bodyOf(step, words);
  const given = new Map(
    (step.headers ?? []).reduce<[string, string[]][]>((all, [name, value]) => {
      const found = all.find(([known]) => known === name.toLowerCase());
      if (found === undefined) all.push([name.toLowerCase(), [filled(value, words)]]);
      else found[1].push(filled(value, words));
      return all;
    }, []),
  );
  const usual: [string, string][] = [
    ['accept', 'application/json'],
    ['user-agent', 'client/v1.0'],
  ];
  if (step.anonymous !== true) usual.push(['authorization', `Bearer ${target.token}`]);
  if (body !== undefined) usual.push(['content-type', 'application/json']);
  if (body !== undefined) usual.push(['content-length', String(body.length)]);
  for (const [name, value] of usual) if (!given.has(name)) given.set(name, [value]);
  const options = { method: step.method ?? 'GET', ca: target.ca, headers: Object.fromEntries(given), agent: false as const };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = httpsRequest(new URL(`${target.url}${filled(step.path ?? '/', words)}`), options, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
  if (step.frames !== undefined && response.statusCode === 200 && response.headers['transfer-encoding'] === 'chunked')
    return watched(response, step.frames, during);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  const bytes = response.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
  saveWords(step, bytes, words);
  return { status: response.statusCode ?? 0, body: bytes, frames: step.frames === undefined ? undefined : [bytes.toString().trim()] };
}

function saveWords(step: Step, body: Buffer, words: Map<string, string>): void {
  for (const [name, pointer] of Object.entries(step.save ?? {})) {
    const value = pointer === '' ? body.toString() : pointed(comparable(body.toString()), pointer);
    if (value !== undefined) words.set(name, String(value));
  }
}

/** Reads that many events, or to the end; bookmarks are not counted. */
async function watched(response: IncomingMessage, wanted: number | null, during?: () => Promise<string | undefined>): Promise<Produced> {
  const inner = during?.();
  const frames: string[] = [];
  let rest = '';
  const isBinary = response.headers['content-type']?.includes('protobuf') === true;
  if (wanted !== 0) {
    for await (const chunk of response) {
      const lines = `${rest}${(chunk as Buffer).toString()}`.split('\n');
      rest = lines.pop() ?? '';
      frames.push(...lines.filter(line => !line.includes('"type":"BOOKMARK"') || line.includes('initial-events-end')));
      if (wanted !== null && (frames.length >= wanted || isBinary)) break;
    }
  }
  response.destroy();
  return { status: response.statusCode ?? 0, body: Buffer.alloc(0), frames: isBinary ? undefined : frames, inner: await inner };
}
