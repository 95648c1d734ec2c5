import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { entryOfCall, type TracedCall } from '../../src/pages/trace-data.js';
import { tracePage } from '../../src/pages/trace-page.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import type { FoundBrowser } from './chromium.js';
import { titleFor } from './chromium.js';
import { hostileCall } from './hostile-call.js';
import { openedPage, violationsOf } from './opened-page.js';

const pods = ['fixtures/manifests/pod-sidecar.yaml', 'fixtures/manifests/pod-privileged.yaml'];

/** Tests of the trace page. */
export function traceTests(found: FoundBrowser): void {
  describe.runIf('launch' in found)(titleFor(found, 'the trace page in Chromium'), { timeout: 60_000 }, () => tracePageTests(found));
}

function tracePageTests(found: FoundBrowser): void {
  const { folder, remove } = temporaryFolder();
  const file = path.join(folder, 'trace.html');
  let browser: Browser;

  beforeAll(async () => {
    if ('launch' in found) browser = await found.launch();
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

  afterAll(async () => {
    await browser?.close();
    remove();
  });

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
