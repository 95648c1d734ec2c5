import { describe, expect, it } from 'vitest';
import { markdownReport } from '../../../src/reports/suites/markdown.js';
import { eventfulRun, failed, passed, runOf, snapshotFailure, suiteOf } from './example-run.js';

describe('the Markdown report', () => {
  it('has a table of the suites, and failures with their diffs', () => {
    expect(markdownReport(runOf([suiteOf([passed('a'), failed('b', [snapshotFailure])])]))).toBe(`## webhook-cli: 1 passed, 1 failed

| suite | passed | failed | broken | skipped | flaky | time |
|---|---:|---:|---:|---:|---:|---:|
| pods | 1 | 1 | 0 | 0 | 0 | 1.2 s |

<details open><summary>✗ <b>b</b> suites/pods.webhook-test.yaml</summary>

**snapshot** object.spec.replicas differs: 1 was stored, 2 came<br>suites/pods.webhook-test.yaml&#58;9:5

\`\`\`diff
--- stored
+++ produced
@@ -1,2 +1,2 @@
 kind: Pod
-replicas: 1
+replicas: 2
\`\`\`

</details>
`);
  });

  it('shows an incomplete run, flaky cases and obsolete snapshots', () => {
    const text = markdownReport(eventfulRun);
    expect(text).toContain(
      '**The run was interrupted: cases that did not run are skipped.** Shard 1 of 2. Snapshots: 1 matched, 1 new, 1 mismatched, 1 written.',
    );
    expect(text).toContain('### Flaky\n\n- pods: shaky\n');
    expect(text).toContain('- suites/&#95;&#95;snapshots&#95;&#95;/old.yaml (removed)\n');
  });

  it('escapes markup, mentions, fences and table cells', () => {
    const diff = '+```\n+<script>';
    const run = runOf([suiteOf([failed('a | b\n<img>', [{ check: 'message', message: '@team #12 [x](y) `z`', diff }])], { name: 'x|y' })]);
    const text = markdownReport(run);
    expect(text).toContain('| x&#124;y |');
    expect(text).toContain('<b>a &#124; b<br>&lt;img&gt;</b>');
    expect(text).toContain('&#64;team &#35;12 &#91;x&#93;(y) &#96;z&#96;');
    expect(text).toContain('````diff\n+```\n+<script>\n````\n');
  });
});
