import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { describe, expect, it } from 'vitest';
import { junitReport } from '../../../src/reports/suites/junit.js';
import { root } from '../../support/run-command.js';
import { eventfulRun, failed, messageFailure, passed, runOf, snapshotFailure, suiteOf } from './example-run.js';

/** Throws libxml2's validation errors. */
function validated(xml: string): XmlDocument {
  const schema = XmlDocument.fromString(readFileSync(path.join(root, 'fixtures/reports/junit.xsd'), 'utf8'));
  const validator = XsdValidator.fromDoc(schema);
  const document = XmlDocument.fromString(xml);
  validator.validate(document);
  validator.dispose();
  schema.dispose();
  return document;
}

function texts(document: XmlDocument, path: string): string[] {
  return document.find(path).map(node => node.content);
}

describe('the JUnit report', { timeout: 60_000 }, () => {
  it('is valid for every kind of result', () => {
    expect(() => validated(junitReport(eventfulRun))).not.toThrow();
    expect(() => validated(junitReport(runOf([])))).not.toThrow();
  });

  it('would be invalid with an additional attribute or element', () => {
    const xml = junitReport(eventfulRun);
    expect(() => validated(xml.replace('<testsuites>', '<testsuites tests="1">'))).toThrow();
    expect(() => validated(xml.replace('<system-err/>', '<system-err/><note/>'))).toThrow();
  });

  it('is well formed and keeps every text that XML can represent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const run = runOf([suiteOf([failed(text, [{ check: 'message', message: text, actual: text }])], { name: `${text}.` })]);
        const document = validated(junitReport(run));
        const [message = ''] = texts(document, '//failure/@message');
        const held = /^[\t\n\x20-\x7e\xa0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u.test(text);
        document.dispose();
        return held ? message === text : message !== text;
      }),
      // Spaces and format characters at the edges of the ranges of escaped characters.
      { examples: ['\u2027', '\u2028', '\u202e', '\u202f', '\u2065', '\u2069', '\u206a', '\u206f', '\ufffe'].map(text => [text]) },
    );
  });

  it('counts its cases, including one for a suite that cannot run', () => {
    const document = validated(junitReport(eventfulRun));
    expect(texts(document, '//testsuite/@tests')).toEqual(['7', '1', '1']);
    expect(texts(document, '//testsuite/@failures')).toEqual(['2', '0', '1']);
    expect(texts(document, '//testsuite/@errors')).toEqual(['1', '1', '0']);
    expect(texts(document, '//testsuite/@skipped')).toEqual(['1', '0', '0']);
    expect(document.find('//failure')).toHaveLength(3);
    expect(document.find('//error')).toHaveLength(2);
  });

  it('has one failure per case, with all failures in its text', () => {
    const document = validated(junitReport(runOf([suiteOf([passed('a'), failed('b', [snapshotFailure, messageFailure])])])));
    expect(texts(document, '//testcase/@name')).toEqual(['a', 'b']);
    expect(texts(document, '//failure/@type')).toEqual(['snapshot']);
    expect(texts(document, '//failure/@message')).toEqual([snapshotFailure.message]);
    expect(texts(document, '//failure')).toEqual([
      `suites/pods.webhook-test.yaml:9:5: snapshot: ${snapshotFailure.message}\n${snapshotFailure.diff?.trimEnd()}\n\n` +
        'suites/pods.webhook-test.yaml:4:3: message: the message differs\nexpected: no "privileged" pods\nat all\nactual:   go away',
    ]);
  });

  it('marks flaky cases, and names the shard', () => {
    const document = validated(junitReport(eventfulRun));
    expect(texts(document, '(//system-out)[1]')[0]).toContain('shaky: flaky: it passed on retry; first the message differs');
    expect(texts(document, '//testsuite[1]//property/@value')).toEqual(['false', '1/2', '7']);
  });

  it('fails for obsolete snapshots only when they fail the run', () => {
    const obsolete = [{ file: 'a.yaml', removed: false }];
    expect(junitReport(runOf([], { obsolete }))).not.toContain('a.yaml');
    expect(texts(validated(junitReport(runOf([], { obsolete, check: true }))), '//failure')).toEqual(['a.yaml']);
  });
});
