import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import Playground from '../../commands/playground.js';
import { buildEngine } from '../../scripts/pages.js';
import type { StaticServer } from '../../src/cli/commands/playground/run-playground.js';
import { writeValue } from '../../src/go/json/write.js';
import { toValue } from '../../src/go/value.js';
import { casesOf, readFolder } from '../corpus/files.js';
import { root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { browserOf, type FoundBrowser, titleFor } from './chromium.js';
import { type OpenedPage, openedPage, violationsOf } from './opened-page.js';
import { completionTests } from './playground-completion-tests.js';
import { recordedLine } from './recorded-lines.js';
import { serveFolder } from './served-folder.js';

/** Tests of the playground. */
export function playgroundTests(found: FoundBrowser): void {
  describe('the command playground', commandTests);
  describe.runIf('browser' in found)(titleFor(found, 'the playground in Chromium'), { timeout: 120_000 }, () =>
    inBrowser(browserOf(found)),
  );
}

function inBrowser(browser: Browser): void {
  const { folder: above, remove } = temporaryFolder();
  const folder = path.join(above, 'below/site');
  let server: StaticServer;

  beforeAll(async () => {
    const { status } = spawnSync(process.execPath, ['scripts/site.js', folder], { cwd: root });
    expect(status).toBe(0);
    server = await serveFolder(folder);
  });

  afterAll(async () => {
    await server.close();
    remove();
  });

  async function withExample(title: string): Promise<OpenedPage> {
    const opened = await openedPage(browser, server.address);
    await opened.page.getByLabel('Example', { exact: true }).selectOption(title);
    await opened.page.locator('main article h2').waitFor();
    return opened;
  }

  it('shows the change of a webhook whose answer is typed in, and the review that it gets', async () => {
    const { page, problems } = await withExample('A webhook that adds a sidecar');
    await page
      .getByRole('button', { name: /^sidecar\.example\.com/ })
      .first()
      .dispatchEvent('click');
    await page.getByRole('tab', { name: 'Changes' }).click();
    expect(await page.locator('[role=tabpanel]').textContent()).toContain('registry.example.com/proxy:1.0');
    expect(await page.locator('.added').filter({ hasText: 'imagePullPolicy' }).count()).toBe(0);
    expect(await page.locator('.server').allTextContents()).toContain('~     imagePullPolicy: IfNotPresent');
    await page.getByRole('tab', { name: 'Request' }).click();
    expect(await page.locator('[role=tabpanel]').textContent()).toContain('"apiVersion": "admission.k8s.io/v1"');
    expect(problems).toEqual([]);
  });

  it('answers as expressions describe, for the colleague who opens the address too', async () => {
    const { page, problems } = await withExample('A webhook whose answer depends on the request');
    await page.getByText('images that are not from our registry: nginx:1.27').first().waitFor();
    await page.getByRole('textbox', { name: 'User' }).fill('jane');
    await page.waitForURL(address => address.hash.length > 1);
    await page
      .getByRole('button', { name: /^team\.example\.com/ })
      .first()
      .dispatchEvent('click');
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByRole('tabpanel').getByText('team: jane').first().waitFor();
    const { page: other, problems: otherProblems } = await openedPage(browser, page.url());
    await other.getByText('images that are not from our registry: nginx:1.27').first().waitFor();
    expect([problems, otherProblems]).toEqual([[], []]);
  });

  it('does not run JavaScript in place of an expression, and marks its line', async () => {
    const { page, problems } = await withExample('A webhook whose answer depends on the request');
    await page.getByRole('tab', { name: 'Answers' }).click();
    await page.getByRole('textbox', { name: 'Answers' }).click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Backspace');
    await page.keyboard.insertText('guard.example.com: {when: "(() => { fetch(\'/stolen\'); alert(1); return true })()"}');
    await page.getByRole('button', { name: 'Answers:1' }).first().waitFor();
    expect(await page.getByRole('region', { name: 'Errors' }).textContent()).toContain('when: compilation failed');
    expect(problems).toEqual([]);
  });

  it('is built by npm run site as a folder that works below any path', async () => {
    const serverAbove = await serveFolder(above);
    onTestFinished(() => serverAbove.close());
    const { page, problems } = await openedPage(browser, `${serverAbove.address}below/site/index.html`);
    await page.locator('main article h2').waitFor();
    expect(problems).toEqual([]);
  });

  it('copies its address, marks the preview, and starts without a problem', async () => {
    const { page, problems } = await openedPage(browser, server.address);
    await page.locator('main article h2').waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('copied', { exact: true }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(page.url());
    expect(await page.getByLabel('Kubernetes version').locator('option').first().textContent()).toBe('v1.38 (preview)');
    expect(await page.locator('main .error').count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Errors' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('has tabs in one line of a narrow page', async () => {
    const { page } = await openedPage(browser, server.address, { viewport: { width: 400, height: 900 } });
    const tabs = await page.getByRole('tablist', { name: 'Inputs' }).getByRole('tab').all();
    const boxes = await Promise.all(tabs.map(tab => tab.boundingBox()));
    expect(new Set(boxes.map(box => box?.y)).size).toBe(1);
    expect(Math.max(...boxes.map(box => (box?.x ?? 0) + (box?.width ?? 0)))).toBeLessThanOrEqual(400);
  });

  it('says why a webhook is not called', async () => {
    const { page, problems } = await withExample('Why is my webhook not called?');
    await page
      .getByRole('button', { name: /^Selection of webhooks/ })
      .last()
      .dispatchEvent('click');
    await page.getByRole('tab', { name: 'Selection' }).click();
    expect(await page.locator('[role=tabpanel]').textContent()).toMatch(/not called: namespaceSelector/);
    expect(problems).toEqual([]);
  });

  it('marks what the API server refuses at its line', async () => {
    const { page, problems } = await withExample('A pod that the API server refuses');
    expect(await page.getByRole('region', { name: 'Errors' }).textContent()).toMatch(/Manifest:9.*spec\.containers\[0\]\.name/);
    await page.getByRole('button', { name: 'Manifest:9' }).first().click();
    expect(await page.locator('.editor:not([hidden]) .cm-lintRange-error').count()).toBeGreaterThan(0);
    expect(problems).toEqual([]);
  });

  it('marks an error of an expression at its place in the text, as the language server does', async () => {
    const { page, problems } = await withExample('A ValidatingAdmissionPolicy');
    await page.getByRole('tab', { name: 'Policies' }).first().click();
    await page.getByRole('textbox', { name: 'Policies' }).click();
    await page.keyboard.press('ControlOrMeta+Home');
    for (let line = 1; line < 15; line += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.insertText(' && objekt.metadata.name != ""');
    const findings = page.getByRole('region', { name: 'Findings' });
    await findings.getByText("undeclared reference to 'objekt'").first().waitFor();
    const marked = await page.locator('.editor:not([hidden]) .cm-lintRange-error').allTextContents();
    expect(marked.join('')).toContain('objekt');
    expect(marked.join('')).not.toContain('kind: ValidatingAdmissionPolicy');
    expect(problems).toEqual([]);
  });

  completionTests({ withExample, open: () => openedPage(browser, server.address) });

  it('shows the decision of a policy', async () => {
    const { page, problems } = await withExample('A ValidatingAdmissionPolicy');
    expect(await page.locator('main pre').first().textContent()).toContain('every pod needs an owner');
    const expressions = page.getByRole('region', { name: 'Expressions' });
    expect(await expressions.locator('summary').allTextContents()).toContain(
      'has(object.metadata.labels) && ("owner" in object.metadata.labels)',
    );
    expect(await expressions.locator('tr').allTextContents()).toContain('"owner" in object.metadata.labelsfalse');
    expect(problems).toEqual([]);
  });

  it('shows the result of what is typed, and puts it into the address', async () => {
    const { page, problems } = await openedPage(browser, server.address);
    await page.locator('main article h2').waitFor();
    await page.getByRole('textbox', { name: 'Manifest' }).click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Backspace');
    await page.keyboard.insertText('{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "typed"}}');
    await page
      .getByRole('heading', { name: 'CREATE ConfigMap default/typed' })
      .or(page.getByRole('heading', { name: /configmaps$/ }))
      .waitFor();
    const { page: other } = await openedPage(browser, page.url());
    await other.getByText('configmap/typed created').waitFor();
    expect(problems).toEqual([]);
  });

  it('loads the data of a version again after a failure', async () => {
    const { page } = await withExample('A webhook that refuses');
    await page.context().route('**/data/v1.36.json', route => route.abort(), { times: 1 });
    await page.getByLabel('Kubernetes version').selectOption('v1.36');
    await page.getByText('Failed to fetch').waitFor();
    await page.getByLabel('User').fill('jane');
    await page.getByText('Kubernetes v1.36').waitFor();
  });

  it('answers for other versions of Kubernetes', async () => {
    const { page, problems } = await withExample('A webhook that refuses');
    for (const version of ['v1.34', 'v1.35', 'v1.36']) {
      await page.getByLabel('Kubernetes version').selectOption(version);
      await page.getByText(`Kubernetes ${version}`).waitFor();
    }
    expect(problems).toEqual([]);
  });

  for (const [width, colorScheme] of [
    [1280, 'light'],
    [1280, 'dark'],
    [400, 'dark'],
    [2560, 'light'],
  ] as const) {
    it(`is accessible and fits ${width} px, ${colorScheme}`, async () => {
      const { page, problems } = await openedPage(browser, server.address, { viewport: { width, height: 900 }, colorScheme });
      await page.locator('main article h2').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(problems).toEqual([]);
    });
  }

  it('makes the reviews and answers of 200 recorded cases as the command does, byte for byte', async () => {
    await buildEngine(root, folder, { lines: path.join(root, 'test/pages/recorded-lines-in-browser.ts') });
    writeFileSync(path.join(folder, 'lines.html'), '<!doctype html><script type="module" src="lines.js"></script>');
    const { page } = await openedPage(browser, `${server.address}lines.html`);
    for (const minor of ['v1.37', 'v1.36']) {
      const files = JSON.parse(readFileSync(path.join(folder, 'data', `${minor}.json`), 'utf8'));
      await page.evaluate(added => (globalThis as unknown as { addFiles(files: unknown): void }).addFiles(added), files);
    }
    const cases = readFolder('requests')
      .filter(({ document }) => Object.keys(document).length === 1)
      .flatMap(casesOf);
    // Checks of keys are not reproduced in a browser.
    const usable = cases.filter(one => !JSON.stringify(one).includes('certificatesigningrequests'));
    const chosen = usable.filter((_, index) => index % Math.floor(usable.length / 200) === 0).slice(0, 200);
    const texts = chosen.map(({ reviews: _reviews, answer: _answer, ...inputs }) => writeValue(toValue(inputs), 'kept'));
    const ours = await Promise.all(texts.map(recordedLine));
    const theirs = await page.evaluate(async given => {
      const { recordedLine: line } = globalThis as unknown as { recordedLine(json: string): Promise<string> };
      const lines: string[] = [];
      for (const json of given) lines.push(await line(json).catch(error => String(error)));
      return lines;
    }, texts);
    expect(theirs).toHaveLength(200);
    expect(ours.filter(line => !line.startsWith('{"reviews":'))).toEqual([]);
    expect(theirs.filter((line, index) => line !== ours[index])).toEqual([]);
  });
}

function commandTests(): void {
  it('serves the page on the loopback interface until it is interrupted', async () => {
    let interrupt: () => Promise<void> = async () => {};
    const answers: (string | number)[] = [];
    const { exitCode } = await runCommand(Playground, [], {
      onInterrupt: cleanUp => {
        interrupt = cleanUp;
        return () => {};
      },
      onStdout: async address => {
        for (const name of ['', 'engine.js', 'data/v1.34.json', '../package.json', 'nothing.js']) {
          const response = await fetch(`${address.trim()}${name}`);
          await response.arrayBuffer();
          answers.push(response.status);
        }
        await interrupt();
      },
    });
    expect([exitCode, answers]).toEqual([0, [200, 200, 200, 404, 404]]);
  });
}
