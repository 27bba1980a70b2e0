import { RECORD, record, submission } from './record-texts.ts';
import { type Case, TRANSACTION } from './texts.ts';

/** What was sent is not what is signed, letter by letter: members in another order, numbers written in another way. */
const sentAs = (signed: string, sent: string) => {
  const parts = submission({ records: signed });
  return { ...parts, body: parts.body.replace(signed, sent) };
};

export const VALID_RECORDS: Readonly<Record<string, Case>> = {
  submit: { about: 'The plainest record: what, how much, of which unit, when.', ...submission() },
  'submit-by-domain': {
    about: 'The person by domain, the consent by the transaction that granted it; signed as they were sent.',
    ...submission({ targetBeo: '"Maria.bsp"', consentToken: TRANSACTION }),
  },
  'submit-several': {
    about: 'Records are signed in the order sent; the members of each are sorted.',
    ...sentAs(
      `[${record({ biomarker: '"BSP-GL-002"', unit: '"%"', value: '5.4' })},${RECORD}]`,
      '[{"value":5.4,"unit":"%","biomarker":"BSP-GL-002","collected_at":"2026-01-30T08:15:00Z"},' +
        '{"value":92,"unit":"mg/dL","biomarker":"BSP-GL-001","collected_at":"2026-01-30T08:15:00Z"}]',
    ),
  },
  'submit-numbers-as-sent': {
    about: 'A number is signed as RFC 8785 writes it: trailing zeros and exponents are no part of it.',
    ...sentAs(
      `[${record({ value: '5.4' })},${record({ value: '100' })},${record({ value: '1e-7' })}]`,
      `[${record({ value: '5.40' })},${record({ value: '1E2' })},${record({ value: '0.0000001' })}]`,
    ),
  },
  'submit-a-text-as-value': {
    about: 'A text keeps its zeros.',
    ...submission({ records: `[${record({ value: '"5.40"' })}]` }),
  },
  'submit-a-negative-value': {
    about: 'A number like others.',
    ...submission({ records: `[${record({ value: '-2.5' })}]` }),
  },
  'submit-an-object-as-value': {
    about: 'Members inside are sorted as well.',
    ...sentAs(
      `[${record({ biomarker: '"BSP-GN-001"', unit: '"genotype"', value: '{"alleles":["e3","e4"],"phase":null}' })}]`,
      `[${record({ biomarker: '"BSP-GN-001"', unit: '"genotype"', value: '{"phase":null,"alleles":["e3","e4"]}' })}]`,
    ),
  },
  'submit-a-code-that-is-not-listed': {
    about: 'A well-formed code in a known category.',
    ...submission({ records: `[${record({ biomarker: '"BSP-PR-417"' })}]` }),
  },
  'submit-with-every-member': {
    about: 'All that protocol §8 names, and what the service would say itself.',
    ...submission({
      records: `[${record({
        beo_id: '"maria.bsp"',
        category: '"BSP-GL"',
        confidence: '0.98',
        ieo_domain: '"lab.bsp"',
        ieo_id: '"5d3a9b52-90c4-5f4e-8a53-1f0d6c7b2e11"',
        level: '"STANDARD"',
        ref_range: '{"functional":"70-99","optimal_high":90,"optimal_low":75,"population":"adults","unit":"mg/dL"}',
        source: '{"equipment":"Cobas c503","firmware":"2.1","method":"hexokinase","operator":"MTA 7"}',
        supersedes: '"3f2e1d0c-9b8a-5c7d-9e6f-5a4b3c2d1e0f"',
        version: '"1.0.0"',
      })}]`,
    }),
  },
  'submit-with-nulls': {
    about: 'null is a value that was sent, and is signed.',
    ...submission({
      records: `[${record({ category: 'null', confidence: 'null', level: '""', ref_range: 'null', source: 'null', supersedes: 'null' })}]`,
    }),
  },
  'submit-with-other-members': {
    about: 'What the protocol does not name is kept, and signed.',
    ...submission({ records: `[${record({ device: '{"lot":7}', remarks: '"n\u00fcchtern"' })}]` }),
  },
  'submit-as-deployed-clients-do': {
    about:
      'timestamp in place of collected_at, ids of the client, critical values, empty texts: signed as they were sent.',
    ...submission({
      records: `[${record({
        collected_at: '',
        beo_id: '""',
        record_id: '"LAB-2026-0042"',
        ref_range: '{"critical_high":400,"critical_low":40}',
        supersedes: '"LAB-2026-0041"',
        timestamp: '"2026-01-30T08:15:00Z"',
        version: '""',
      })}]`,
    }),
  },
  'submit-a-minute-ahead': {
    about: 'Clocks differ: sixty seconds are allowed.',
    ...submission({ records: `[${record({ collected_at: '"2026-01-31T13:01:00+01:00"' })}]` }),
  },
  'submit-with-the-count': {
    about: 'recordCount came along unsigned; the records are what is signed.',
    ...submission(),
    body: submission().body.replace('{', '{"recordCount":1,'),
  },
};
