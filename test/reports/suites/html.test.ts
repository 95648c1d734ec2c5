import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indented } from '../../../pages/shared/indented.js';
import { htmlReport } from '../../../src/reports/suites/html.js';
import { call, eventfulRun, failed, messageFailure, passed, plain, runOf, suiteOf } from './example-run.js';

function textOf(html: string): string {
  return html
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

describe('the HTML report', { timeout: 60_000 }, () => {
  const page = htmlReport(eventfulRun, plain);

  it('loads and runs only its own style and script', () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
    const hashes = ['style', 'script'].map(name => {
      const text = new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(page)?.[1] ?? '';
      return `${name}-src 'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    });
    expect(policy).toBe(`default-src 'none'; ${hashes.join('; ')}; base-uri 'none'; form-action 'none'`);
    expect(page).not.toMatch(/<[^>]*\s(src|style|on\w+)=/);
    expect(page).not.toMatch(/<[^>]*\shref="[^#]/);
  });

  it('expands failed cases, and collapses the others with their requests and answers', () => {
    const cases = [...page.matchAll(/<details class="case" id="[^"]*" data-outcomes="([^"]*)" data-suite="[^"]*"( open)?>/g)].map(
      ([, outcomes, open]) => `${outcomes}${open ?? ''}`,
    );
    expect(cases).toEqual(['passed', 'failed open', 'passed flaky', 'passed', 'broken open', 'skipped', 'failed open']);
    const text = textOf(page);
    expect(text).toContain('Request to m.example.com: 200 after 2 ms');
    expect(text).toContain('{"response":{"allowed":true}}');
    expect(text).toContain('connection refused');
    expect(text).toContain('unable to load root certificates');
    expect(text).toContain('/wAB');
  });

  it('begins with links to the cases that did not pass', () => {
    const links = [...page.slice(page.indexOf('<nav'), page.indexOf('</nav>')).matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
    expect(links).toHaveLength(3);
    for (const id of links) expect(page).toMatch(new RegExp(`<details class="case" id="${id}" data-outcomes="(failed|broken)"`));
    expect(htmlReport(runOf([suiteOf([passed('a')])]), plain)).not.toContain('<nav');
  });

  it('shows the shares of the outcomes, and no alarm where there are none', () => {
    const good = htmlReport(runOf([suiteOf([passed('a')])]), plain);
    expect(good).toContain('<li class="none">0 broken</li>');
    expect(good).toContain('aria-label="0 failed, 0 broken, 0 skipped, 1 passed"');
    expect(page).toMatch(/<li class="broken">\d+ broken<\/li>/);
  });

  it('has the calls of 200 cases that passed, and of all others', () => {
    const extra = { calls: [call] };
    const many = Array.from({ length: 203 }, (_, index) => passed(`case ${index}`, extra));
    const html = htmlReport(runOf([suiteOf([...many, failed('the bad one', [messageFailure], extra)])]), plain);
    const requests = html.split('<summary>Request to ').length - 1;
    expect(requests).toBe(201 * call.exchanges.length);
    expect(html.split('run this one alone to see its calls').length - 1).toBe(3);
  });

  it('says what wrote it', () => {
    expect(page).toContain('<meta name="generator" content="webhook-cli 0.1.0">');
    expect(textOf(page)).toContain('webhook-cli 0.1.0, Node v22.0.0 on linux x64');
  });

  it('shows a note of a case and its calls once', () => {
    const noted = { ...call, report: { ...call.report, notes: ['once', 'of the call'] } };
    const text = textOf(htmlReport(runOf([suiteOf([passed('a', { notes: ['once'], calls: [noted] })])]), plain));
    expect([text.match(/note: once/g), text.match(/note: of the call/g)]).toEqual([['note: once'], ['note: of the call']]);
  });

  it('shows a webhook’s changes and snapshot differences line by line', () => {
    expect(page).toContain(`<span class="added">+   labels:</span><span class="added">+     a: '&lt;b&gt;'</span>`);
    expect(page).toContain('<span class="removed">-replicas: 1</span><span class="added">+replicas: 2</span>');
    expect(page.match(/-replicas: 1/g)).toHaveLength(1);
  });

  it('indents JSON on expansion, with exact numbers and escapes', () => {
    const text = '{"a":[1.50,9007199254740993,{}],"b":"\\u003c, {\\"x\\": [","c":[],"d":{"e":null}}';
    const lines = ['{', '  "a": [', '    1.50,', '    9007199254740993,', '    {}', '  ],', '  "b": "\\u003c, {\\"x\\": [",'];
    expect(indented(text)).toBe([...lines, '  "c": [],', '  "d": {', '    "e": null', '  }', '}'].join('\n'));
    expect(indented(indented(text))).toBe(indented(text));
    expect(indented('no JSON {')).toBe('no JSON {');
    fc.assert(fc.property(fc.json(), json => JSON.stringify(JSON.parse(indented(json))) === JSON.stringify(JSON.parse(json))));
  });

  it('shows an incomplete run, flaky cases, obsolete snapshots and notes', () => {
    const text = textOf(page);
    for (const said of [
      'The run was interrupted',
      '1 flaky',
      'flaky, 2 attempts',
      'gone.yaml',
      'old.yaml (removed)',
      'note: the clock stood still',
    ]) {
      expect(text).toContain(said);
    }
  });

  it('escapes external texts', () => {
    const pageOf = (text: string): string => {
      const exchange = call.exchanges[1];
      const evil = {
        ...call,
        kubectl: [text],
        exchanges: exchange === undefined ? [] : [{ ...exchange, call: { ...exchange.call, url: text } }],
      };
      const cases = [failed(text, [{ ...messageFailure, message: text, actual: text }], { calls: [evil] }), passed('b', { notes: [text] })];
      return htmlReport(runOf([suiteOf(cases, { name: text, file: `${text}.yaml` })], { notes: [text] }), plain);
    };
    const marks = (html: string): number => html.replace(/[^<>]/g, '').length;
    const expected = marks(pageOf('x'));
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => marks(pageOf(text)) === expected && !/[\u0000-\u0008\u202e]/.test(pageOf(text))),
      {
        numRuns: 50,
        examples: [['</script><img src=x onerror=alert(1)>'], ['" autofocus onfocus="alert(1)'], ['&lt;b&gt;'], ['\u202e\u0000']],
      },
    );
    expect(textOf(pageOf('&lt;b>'))).toContain('&lt;b>');
  });
});
