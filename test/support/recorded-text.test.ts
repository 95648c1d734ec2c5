import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { layOutLines } from './line-layout.js';
import { readRecordedText, recordedFile } from './recorded-text.js';
import { root } from './run-command.js';
import { temporaryFolder } from './temporary-folder.js';

it.each([
  [
    '{"flags": [], "cases": [{"name": "a, {b}", "n": 1.50}, {"name": "c\\"]"}]}',
    '{\n"flags":[],\n"cases":[\n{"name":"a, {b}","n":1.50},\n{"name":"c\\"]"}\n]\n}\n',
  ],
  ['[{"a": [1, {}]},\n {"b": {"c": []}}]', '[\n{"a":[1,{}]},\n{"b":{"c":[]}}\n]\n'],
  ['{"profiles": {"valid": {"n": 12345678901234567890}}}', '{\n"profiles":{\n"valid":{"n":12345678901234567890}\n}\n}\n'],
  ['{}', '{}\n'],
])('lays out %j with a line for each entry', (text, lines) => {
  expect(layOutLines(text)).toBe(lines);
  expect(layOutLines(lines)).toBe(lines);
  expect(JSON.parse(lines)).toEqual(JSON.parse(text));
});

it('packs only texts with private keys or signed tokens, and reads both', () => {
  const { folder, remove } = temporaryFolder({});
  const texts = {
    plain: '{"a":1}\n',
    key: `{"key":"-----BEGIN EC PRIVATE ${'KEY'}-----"}\n`,
    token: `{"token":"eyJhbG${'ciOiJFUzI1NiJ9.e30.'}"}\n`,
  };
  const files = Object.entries(texts).map(([name, text]) => {
    const { file, bytes } = recordedFile(path.join(folder, `${name}.json`), text);
    writeFileSync(file, bytes);
    expect(readRecordedText(path.join(folder, `${name}.json`))).toBe(text);
    return path.basename(file);
  });
  remove();
  expect(files).toEqual(['plain.json', 'key.json.gz', 'token.json.gz']);
});

it('is how all recorded cases in git are kept', () => {
  const names = ['corpus', 'calls', 'real'].flatMap(folder =>
    readdirSync(path.join(root, 'fixtures', folder), { recursive: true, encoding: 'utf8' }).map(name =>
      path.join(root, 'fixtures', folder, name),
    ),
  );
  const recorded = [...names, path.join(root, 'fixtures/certificates.json.gz')].filter(name => /\.json(?:\.gz)?$/.test(name));
  expect(recorded.length).toBeGreaterThan(600);
  const wrong = recorded.filter(name => {
    const file = name.replace(/\.gz$/, '');
    const text = readRecordedText(file);
    const isLaidOut = path.basename(file) === 'figures.json' || layOutLines(text) === text;
    return !isLaidOut || recordedFile(file, text).file !== name;
  });
  expect(wrong).toEqual([]);
});
