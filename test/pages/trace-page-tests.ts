import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Match from '../../commands/match.js';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { entryOfCall, type TracedCall } from '../../src/pages/trace-data.js';
import { tracePage } from '../../src/pages/trace-page.js';
import { htmlReport } from '../../src/reports/suites/html.js';
import { failed, messageFailure, passed, plain, runOf, suiteOf } from '../reports/suites/example-run.js';
import { runCommand } from '../support/run-command.js';
import { type Closing, startCommand } from '../support/started-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { browserOf, type FoundBrowser, titleFor } from './chromium.js';
import { hostileCall } from './hostile-call.js';
import { openedPage, violationsOf } from './opened-page.js';

const pods = ['fixtures/manifests/pod-sidecar.yaml', 'fixtures/manifests/pod-privileged.yaml'];

/** A webhook that its selector keeps from being called, and one that is called. */
const skippingState = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: injector}
webhooks:
- name: rev.namespace.injector.example.com
  namespaceSelector: {matchLabels: {inject: enabled}}
  clientConfig: &client {url: "https://127.0.0.1:1/"}
  rules: &rules [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  sideEffects: None
  admissionReviewVersions: [v1]
- name: object.injector.example.com
  clientConfig: *client
  rules: *rules
  sideEffects: None
  admissionReviewVersions: [v1]
`;

/** Tests of the trace page. */
export function traceTests(found: FoundBrowser): void {
  describe.runIf('browser' in found)(titleFor(found, 'the trace page in Chromium'), { timeout: 60_000 }, () =>
    tracePageTests(browserOf(found)),
  );
}

function tracePageTests(browser: Browser): void {
  const { folder, remove } = temporaryFolder();
  const file = path.join(folder, 'trace.html');

  beforeAll(async () => {
    const { stdout } = await runCommand(Review, [
      '--demo',
      ...pods.flatMap(pod => ['-f', pod]),
      '--state',
      'fixtures/cluster',
      '-o',
      'html',
    ]);
    writeFileSync(file, stdout);
  });

  afterAll(() => {
    remove();
  });

  /** Writes the page of a pod in the namespace shop. */
  async function pageOfMatch(files: Readonly<Record<string, string>>): Promise<string> {
    const project = temporaryFolder(files);
    const html = path.join(folder, 'match.html');
    const argv = ['-f', 'fixtures/manifests/pod-sidecar.yaml', '--state', path.join(project.folder, 'state.yaml'), '-o', 'html'];
    const { stdout } = await runCommand(Match, argv);
    project.remove();
    writeFileSync(html, stdout);
    return html;
  }

  it('starts with the refused call, and shows what kubectl prints', async () => {
    const { page, problems } = await openedPage(browser, file);
    expect(await page.locator('nav li').allInnerTexts()).toEqual([expect.stringContaining('refused'), expect.stringContaining('allowed')]);
    expect(await page.locator('main pre').first().textContent()).toMatch(/^Error from server \(Forbidden\): /);
    expect(await page.locator('.detail h3').textContent()).toMatch(/^demo\.webhook-cli\.dev/);
    expect(problems).toEqual([]);
  });

  it('opens every step of every call', async () => {
    const { page, problems } = await openedPage(browser, file);
    for (const call of await page.locator('nav li a').all()) {
      await call.click();
      const bars = page.locator('.bar');
      const count = await bars.count();
      expect(count).toBeGreaterThan(10);
      for (let index = 0; index < count; index += 1) {
        await bars.nth(index).dispatchEvent('click');
        for (const tab of await page.locator('[role=tab]').all()) await tab.click();
        expect(new URL(page.url()).hash).toMatch(/\/step-\d+$/);
      }
    }
    expect(problems).toEqual([]);
  });

  it('shows the change, the request, the response and the selection of a webhook', async () => {
    const { page } = await openedPage(browser, `${file}#call-1`.replace(/^/, 'file://'));
    await page
      .getByRole('button', { name: /^demo\.webhook-cli\.dev/ })
      .first()
      .dispatchEvent('click');
    const panel = page.locator('[role=tabpanel]');
    await page.getByRole('tab', { name: 'Changes' }).click();
    expect(await panel.textContent()).toContain('demo.webhook-cli.dev/reviewed');
    await page.getByLabel('unified').check();
    expect(await panel.locator('.added').first().textContent()).toMatch(/^\+ /);
    expect(await panel.locator('.server').allTextContents()).toContain('~     imagePullPolicy: IfNotPresent');
    expect(await panel.textContent()).toContain('~ set by the API server after the patch');
    expect(await panel.locator('.gap').first().getAttribute('colspan')).toBe('1');
    await page.getByRole('tab', { name: 'Request' }).click();
    expect(await panel.textContent()).toContain('"kind": "AdmissionReview"');
    await page.getByRole('tab', { name: 'Response' }).click();
    expect(await panel.textContent()).toMatch(/status\s*200[\s\S]*content-type/);
    await page.getByRole('tab', { name: 'Selection' }).click();
    expect(await panel.textContent()).toMatch(/namespaceSelector\s*anything/);
  });

  it('copies the request as a curl command that a shell reads as it was sent', async () => {
    const { page, problems } = await openedPage(browser, `file://${file}#call-1`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page
      .getByRole('button', { name: /^demo\.webhook-cli\.dev/ })
      .first()
      .dispatchEvent('click');
    await page.getByRole('tab', { name: 'Request' }).click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('copied', { exact: true }).waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    const { stdout } = spawnSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${command}`], { encoding: 'utf8' });
    const words = stdout.trimEnd().split('\n');
    expect(words.at(-1)).toMatch(/^https:\/\/127\.0\.0\.1:\d+\//);
    const body = JSON.parse(words[words.indexOf('--data-binary') + 1] ?? '');
    expect([body.kind, body.request.object.kind]).toEqual(['AdmissionReview', 'Pod']);
    expect(problems).toEqual([]);
  });

  it('says in the list which webhook refused a call, and why', async () => {
    const { page } = await openedPage(browser, file);
    const [refused] = await page.locator('nav li .second').allTextContents();
    expect(refused).toMatch(/^refused demo\.webhook-cli\.dev: container "shell" must not be privileged/);
  });

  it('edits a call, sends it again, and shows both results', async () => {
    const opened: Closing[] = [];
    const argv = ['--demo', '-f', pods[1] ?? '', '--state', 'fixtures/cluster', '--open'];
    const options = { isErrorTerminal: true, env: { BROWSER: 'none', TERM: 'dumb' }, opened };
    const [address = ''] = await startCommand(Review, argv, options, [/^page: (.*)$/m]);
    const { page, problems } = await openedPage(browser, address);
    await page.getByText('Edit and send again').click();
    const object = page.getByLabel('Object, as YAML or JSON');
    const manifest = await object.inputValue();
    await object.fill(manifest.replace('privileged: true', 'privileged: ['));
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('alert').getByText('edited object:').waitFor();
    await object.fill(
      `${manifest.replace(/ *privileged: true/, '').replace('image: busybox', 'image: busybox:1.36')}# <img src=x onerror=alert(1)>\n`,
    );
    await page.getByRole('textbox', { name: 'User' }).fill('<img src=x onerror=alert(1)>');
    expect(await violationsOf(page)).toEqual([]);
    // The browser reports the refused call on the console.
    expect(problems.splice(0)).toEqual([expect.stringContaining('422')]);
    await page.keyboard.press('Control+Enter');
    const comparison = page.getByRole('region', { name: 'Comparison' });
    await comparison.waitFor();
    expect(await comparison.locator('.beside').textContent()).toMatch(/Before\s*refused 403.*Now\s*allowed 201, create by <img/s);
    expect(await comparison.locator('.removed').allTextContents()).toContainEqual(expect.stringContaining('privileged: true'));
    expect(await page.locator('nav li').count()).toBe(2);
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 400, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400);
    await comparison.getByRole('button', { name: 'call 1' }).click();
    expect(new URL(page.url()).hash).toBe('#call-1');
    expect(problems).toEqual([]);
    for (const one of opened) await one.close();
  });

  it('starts with the reasons why webhooks would and would not be called, where nothing is sent', async () => {
    const html = await pageOfMatch({ 'state.yaml': skippingState });
    const { page, problems } = await openedPage(browser, html);
    expect(await page.title()).toBe('webhook-cli match: 1 call, 1 of 2 webhooks would be called');
    const reasons = await page.getByRole('region', { name: 'Webhooks' }).textContent();
    expect(reasons).toMatch(
      /rev\.namespace\.injector\.example\.com.*not called: namespaceSelector.*object\.injector\.example\.com.*would be called/,
    );
    expect(await page.locator('.bar[aria-pressed=true]').count()).toBe(0);
    expect(await page.getByText('created').count()).toBe(0);
    await page.getByRole('button', { name: 'object.injector.example.com' }).first().dispatchEvent('click');
    // What nobody answered is not shown.
    expect(await page.getByRole('tab').allTextContents()).not.toContain('Response');
    await page.getByRole('button', { name: 'rev.namespace.injector.example.com, not called: namespaceSelector' }).click();
    expect(await page.locator('tr.decided').textContent()).toContain('inject=enabled');
    expect(problems).toEqual([]);
  });

  it('says what to do without webhooks', async () => {
    const html = path.join(folder, 'none.html');
    const call = hostileCall('a');
    const without = { ...call, report: { ...call.report, webhooks: [] } };
    writeFileSync(html, tracePage({ title: 'none', toolVersion: '1', sendsNothing: true, entries: [entryOfCall(without)] }));
    const { page } = await openedPage(browser, html);
    await page.getByText('No webhook is configured for this call: pass --state PATH').waitFor();
    writeFileSync(html, tracePage({ title: 'none', toolVersion: '1', whenEmpty: 'No calls yet: make one.', entries: [] }));
    await page.reload();
    await page.getByText('No calls yet: make one.').waitFor();
  });

  it('names its rows, cuts long names in the middle, and explains its colors', async () => {
    const { page, problems } = await openedPage(browser, await pageOfMatch({ 'state.yaml': skippingState }));
    const names = await page.locator('.lane > .cut').allTextContents();
    expect(names).toEqual([
      ...['Request', 'Mutating plugins', 'rev.namespace.injector.example.com', 'object.injector.example.com'],
      ...['Object', 'Validating plugins', 'Storage'],
    ]);
    expect(await page.locator('.lane > .cut').nth(2).getAttribute('title')).toBe(
      'rev.namespace.injector.example.com, mutating webhook of injector',
    );
    expect(await page.getByRole('list', { name: 'Legend' }).textContent()).toContain('until timeoutSeconds');
    const { page: sent } = await openedPage(browser, `file://${file}#call-1`);
    expect(await sent.getByRole('list', { name: 'Legend' }).textContent()).toContain('wait for the response');
    expect(problems).toEqual([]);
  });

  it('shows conversions as steps with their requests', async () => {
    const html = path.join(folder, 'conversion.html');
    const at = 'fixtures/match/conversion';
    const { stdout } = await runCommand(Match, ['-f', `${at}/object.yaml`, '--state', `${at}/state.yaml`, '-o', 'html']);
    writeFileSync(html, stdout);
    const { page, problems } = await openedPage(browser, html);
    await page
      .getByRole('button', { name: /^Conversion by / })
      .first()
      .dispatchEvent('click');
    await page.getByRole('tab', { name: 'Request' }).click();
    expect(await page.getByRole('tabpanel').textContent()).toContain('"kind": "ConversionReview"');
    expect(problems).toEqual([]);
  });

  it('goes from the search into the results with Enter and arrow keys, and lists its keys', async () => {
    const { page, problems } = await openedPage(browser, file);
    await page.keyboard.press('/');
    await page.keyboard.type('pod shop');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('shop/debug');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('shop/web');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog', { name: 'Keys' }).count()).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.type(' nothing');
    await page.getByText('Nothing matches').waitFor();
    expect(problems).toEqual([]);
  });

  it('prints the call as a whole, without its tools', async () => {
    const { page } = await openedPage(browser, file);
    await page.emulateMedia({ media: 'print' });
    const visible = await Promise.all(
      ['nav', '.tools', '[role=tablist]', 'main pre', '.bar'].map(name => page.locator(name).first().isVisible()),
    );
    expect(visible).toEqual([false, false, false, true, true]);
    const hidden = await page.locator('#app > main').evaluate(main => main.scrollHeight - main.clientHeight);
    expect(hidden).toBeLessThanOrEqual(1);
  });

  it('follows keys, links and the search', async () => {
    const { page, problems } = await openedPage(browser, file);
    await page.keyboard.press('ArrowDown');
    expect(new URL(page.url()).hash).toBe('#call-1');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Home');
    expect(new URL(page.url()).hash).toBe('#call-1/step-1');
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.detail h3').textContent()).toMatch(/^Decode the body/);
    const link = page.url();
    await page.keyboard.press('/');
    await page.keyboard.type('privileged');
    expect(await page.locator('nav li').count()).toBe(1);
    const { page: other } = await openedPage(browser, link);
    expect(await other.locator('.detail h3').textContent()).toMatch(/^Decode the body/);
    expect(problems).toEqual([]);
  });

  for (const [width, colorScheme] of [
    [1280, 'light'],
    [1280, 'dark'],
    [400, 'light'],
    [2560, 'dark'],
  ] as const) {
    it(`is accessible and fits ${width} px, ${colorScheme}`, async () => {
      const { page } = await openedPage(browser, file, { viewport: { width, height: 900 }, colorScheme });
      for (const tab of ['Decision', 'Request', 'Response', 'Selection']) {
        await page.getByRole('tab', { name: tab }).click();
        expect(await violationsOf(page)).toEqual([]);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    });
  }

  it('lists one call in no more space than it needs on a narrow page', async () => {
    const { page } = await openedPage(browser, file, { viewport: { width: 400, height: 900 } });
    const { height = Number.NaN } = (await page.locator('nav').boundingBox()) ?? {};
    expect(height).toBeLessThan(0.3 * 900);
    expect(await page.locator('nav li a').count()).toBeGreaterThan(0);
  });

  it('is part of the report of a test run, with a link at each case', async () => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: "nginx:1"}]}\n';
    const project = temporaryFolder({ 'manifests/pod.yaml': pod });
    const argv = ['manifests', '--demo', '--update', '--reporter', 'html=report.html'];
    await runCommand(Test, argv, { cwd: project.folder, env: { XDG_CACHE_HOME: '' } });
    const { page, problems } = await openedPage(browser, path.join(project.folder, 'report.html'));
    await page.getByRole('link', { name: 'time line' }).click();
    await page.locator('.bar').first().waitFor();
    expect(await page.locator('.bar').count()).toBeGreaterThan(10);
    expect(await page.locator('.case').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Report' }).click();
    expect([await page.locator('.case').isVisible(), await page.locator('#app').count()]).toEqual([true, 0]);
    await page.getByRole('button', { name: 'Time lines' }).click();
    expect(await violationsOf(page)).toEqual([]);
    project.remove();
    expect(problems).toEqual([]);
  });

  it('shows a report in the time zone of its reader, and of many cases those that failed', async () => {
    const html = path.join(folder, 'quiet.html');
    const cases = Array.from({ length: 300 }, (_, index) =>
      index === 7 ? failed('the bad one', [messageFailure]) : passed(`case ${index}`),
    );
    writeFileSync(html, htmlReport({ ...runOf([suiteOf(cases)]), startedAt: '2026-11-29T15:00:00.000Z' }, plain));
    const { page, problems } = await openedPage(browser, html, { timezoneId: 'Asia/Tokyo', locale: 'en-GB' });
    expect(await page.locator('time').textContent()).toBe('30 Nov 2026, 00:00:00');
    expect(await page.locator('.case:visible').count()).toBe(1);
    expect(await page.locator('output').textContent()).toBe('1 of 300 cases: those that passed are hidden');
    await page.getByLabel('passed', { exact: true }).check();
    expect(await page.locator('output').textContent()).toBe('300 of 300 cases');
    expect(problems).toEqual([]);
  });

  it('runs nothing of a hostile text, and keeps its layout', async () => {
    const html = path.join(folder, 'hostile.html');
    const text = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'\`\${alert(1)}\u202e\u0000<!--`;
    const calls = [hostileCall(text), hostileCall('a', `${'x'.repeat(10_000_000)}${text}`)];
    writeFileSync(html, tracePage({ title: text, toolVersion: '1', entries: calls.map(entryOfCall) }));
    const { page, problems } = await openedPage(browser, html, { viewport: { width: 400, height: 800 } });
    for (const call of await page.locator('nav li a').all()) {
      await call.click();
      for (const tab of await page.locator('[role=tab]').all()) await tab.click();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400);
    }
    expect(await page.locator('main').textContent()).not.toMatch(/[\u202e\u0000]/);
    expect(problems).toEqual([]);
  });

  it('opens 2,000 calls, of which only the visible ones are in the document', async () => {
    const html = path.join(folder, 'many.html');
    const calls = Array.from({ length: 2000 }, (_, index): TracedCall => hostileCall(`call ${index}`));
    writeFileSync(html, tracePage({ title: 'many', toolVersion: '1', entries: calls.map(entryOfCall) }));
    const { page, problems } = await openedPage(browser, html);
    const ready = await page.evaluate<number>(`performance.getEntriesByType('navigation')[0].domComplete`);
    expect(await page.locator('nav li').count()).toBeLessThan(60);
    await page.locator('.rows').evaluate(node => node.scrollTo(0, node.scrollHeight));
    await page.locator('nav li[aria-posinset="2000"]').waitFor();
    expect(ready).toBeLessThan(5000);
    expect(problems).toEqual([]);
  });
}
