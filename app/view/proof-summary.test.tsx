import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl/react';
import { expect, test } from 'vitest';
import { messagesIn } from '../../messages/messages.ts';
import { ProofSummary } from './proof-summary.tsx';
import type { Verdict } from './verdict.ts';

const messages = messagesIn('en');
const PROVED: Verdict = {
  state: 'proved',
  holder: 'ana.bsp',
  institution: { domain: 'lab.bsp', display_name: null },
  certified: { now: 'no' },
};
const MEANS = messages.view.summary.means;

const summaryOf = (verdicts: readonly Verdict[]): string =>
  renderToStaticMarkup(
    <IntlProvider locale="en" timeZone="UTC" messages={messages}>
      <ProofSummary verdicts={verdicts} hasProofs onContinue={() => {}} />
    </IntlProvider>,
  );

test('the summary says that the results are what was signed only if all of them are proved', () => {
  expect(summaryOf([PROVED, PROVED])).toContain(MEANS);
  for (const [state, sentence] of [
    ['unchecked', '1 hasn’t been checked yet.'],
    ['none', '1 has no proof, so it can’t be checked.'],
    ['checking', '1 is still being checked.'],
    ['missing', '1 result doesn’t match'],
  ] as const) {
    const summary = summaryOf([PROVED, { state }]);
    expect(summary).toContain(sentence);
    expect(summary).not.toContain(MEANS);
    // Whatever could not be checked is no success.
    if (state !== 'checking') expect(summary).toMatch(/border-(caution|danger)-edge/);
    expect(summary.includes('<button')).toBe(state === 'unchecked');
  }
});
