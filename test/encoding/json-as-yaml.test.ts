import { expect, it } from 'vitest';
import { objectOfJsonLine } from '../../src/encoding/json-as-yaml.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { yamlToJsonStrict } from '../../src/encoding/yaml.js';
import { writeValue } from '../../src/go/json/write.js';

it.each([
  '{}',
  '{"b":"x: # y","a":[1,-2,0,true,null,"",{"c":[],"d":{}}]}\n',
  '{ "yes": "no", "1": 123456789012345, "~": "0x1", "a": "- b" }',
  '{"a":"nginx:1.27","b":"1e3","c":"{[,]}","d":"2026-01-01"}',
])('%j is read as YAML', text => {
  const value = objectOfJsonLine(text);
  expect(value).toBeDefined();
  expect(value).toEqual(readUnstructured(yamlToJsonStrict(text)));
  expect(writeValue(value ?? null, 'kept')).toBe(yamlToJsonStrict(text));
});

it.each([
  'a: b',
  '[]',
  '{"a":1,"a":2}',
  '{"a":1.0}',
  '{"a":1e3}',
  '{"a":1234567890123456}',
  '{"a":-0}',
  '{"a":"\\u0041"}',
  '{"a":"é"}',
  '{"<<":{}}',
  '{\n"a":1}',
  '{"a":\t1}',
  '{"a":yes}',
  `{"${'a'.repeat(1025)}":1}`,
  `{"a":${'['.repeat(200)}${']'.repeat(200)}}`,
])('%j is left to the reader of YAML', text => {
  expect(objectOfJsonLine(text)).toBeUndefined();
});
