import type { Parts } from './consent-texts.ts';
import type { RefusedCase } from './invalid.ts';
import { countSigned, RECORD, record, submission } from './record-texts.ts';
import { HOLDER_SEED } from './texts.ts';

/** A request whose signature fits all that was sent, so that only what the name says is wrong. */
const refused = (about: string, parts: Parts, code = 'VALIDATION_FAILED'): RefusedCase => ({ about, ...parts, code });

const signedOver = (about: string, signed: string, code = 'INVALID_SIGNATURE'): RefusedCase =>
  refused(about, { ...submission({ records: TWO }), signed }, code);

const recorded = (about: string, changes: Parameters<typeof record>[0]): RefusedCase =>
  refused(about, submission({ records: `[${RECORD},${record(changes)}]` }), 'RECORD_INVALID');

const HBA1C = record({ biomarker: '"BSP-GL-002"', unit: '"%"', value: '5.40' });
const TWO = `[${RECORD},${HBA1C}]`;
const signedWith = (records: string): string => submission({ records }).signed;

export const INVALID_RECORDS: Readonly<Record<string, RefusedCase>> = {
  'submit-without-a-consent': refused('Under which one?', submission({ consentToken: '' }), 'CONSENT_REQUIRED'),
  'submit-with-a-null-consent': refused('None.', submission({ consentToken: 'null' }), 'CONSENT_REQUIRED'),
  'submit-with-a-domain-for-a-consent': refused('A consent has no domain.', submission({ consentToken: '"lab.bsp"' })),
  'submit-to-nobody': refused('Whose records?', submission({ targetBeo: '' })),
  'submit-without-records': refused('Nothing.', submission({ records: '' }), 'RECORDS_REQUIRED'),
  'submit-null-for-records': refused('Nothing.', submission({ records: 'null' }), 'RECORDS_REQUIRED'),
  'submit-no-records': refused('An empty list.', submission({ records: '[]' }), 'RECORDS_REQUIRED'),
  'submit-one-record-for-a-list': refused('A list of one.', submission({ records: RECORD })),
  'submit-with-a-reason': refused('Nothing unsigned but the count.', submission({ reason: '"why not"' })),
  'submit-with-the-count-as-a-text': {
    ...refused('A number.', submission()),
    body: submission().body.replace('{', '{"recordCount":"1",'),
  },

  'submit-signed-over-the-count': signedOver(
    'It does not cover the content; taken only where the operator says so.',
    countSigned('2'),
    'SIGNATURE_DOES_NOT_COVER_RECORDS',
  ),
  'submit-signed-over-another-count': signedOver('Two were sent.', countSigned('3')),
  'submit-signed-over-the-count-as-a-text': signedOver('The number.', countSigned('"2"')),
  'submit-signed-over-records-and-count': signedOver(
    'One or the other.',
    signedWith(TWO.replace('5.40', '5.4')).replace('"records"', '"recordCount":2,"records"'),
  ),
  'submit-signed-over-other-records': signedOver('Another value.', signedWith(TWO.replace('5.40', '5.5'))),
  'submit-signed-over-fewer-records': signedOver('One of two.', signedWith(`[${RECORD}]`)),
  'submit-signed-over-records-in-another-order': signedOver(
    'Lists are signed in the order sent.',
    signedWith(`[${HBA1C.replace('5.40', '5.4')},${RECORD}]`),
  ),
  'submit-signed-over-numbers-as-sent': signedOver('RFC 8785 writes 5.4.', signedWith(TWO)),
  'submit-signed-over-numbers-as-texts': signedOver(
    'A number is not a text.',
    signedWith(TWO.replace('5.40', '"5.40"')),
  ),
  'submit-signed-over-records-as-a-text': signedOver(
    'The list itself is part of the message, not a text of it.',
    signedWith(JSON.stringify(TWO.replace('5.40', '5.4'))),
  ),
  'submit-signed-with-what-the-service-adds': signedOver(
    'What was not sent is not signed.',
    signedWith(
      `[${RECORD},${HBA1C}]`.replace('5.40', '5.4').replaceAll('"collected_at"', '"category":"BSP-GL","collected_at"'),
    ),
  ),
  'submit-signed-for-another-consent': signedOver(
    'Another consent.',
    submission({ records: TWO.replace('5.40', '5.4'), consentToken: '"tok_0b7cf8c1-5a0e-5c43-9f0e-2f6a4f1f9d55"' })
      .signed,
  ),
  'submit-signed-for-another-person': signedOver(
    'Another person.',
    submission({ records: TWO.replace('5.40', '5.4'), targetBeo: '"maria.bsp"' }).signed,
  ),
  'submit-signed-as-a-read': {
    ...refused('Another function.', submission(), 'INVALID_SIGNATURE'),
    signed: submission({ records: '', function: '"readRecords"' }).signed,
  },
  'submit-signed-by-the-holder': {
    ...refused('The institution submits.', submission(), 'INVALID_SIGNATURE'),
    seed: HOLDER_SEED,
  },

  'submit-an-unknown-code': recorded('No such category.', { biomarker: '"BSP-ZZ-001"' }),
  'submit-a-code-in-lower-case': recorded('Codes are upper case.', { biomarker: '"bsp-gl-001"' }),
  'submit-without-a-unit': recorded('A unit is required.', { unit: '' }),
  'submit-with-a-blank-unit': recorded('A unit is required.', { unit: '" "' }),
  'submit-without-a-value': recorded('Nothing was measured.', { value: '' }),
  'submit-a-value-that-is-true': recorded('A number, a text or an object.', { value: 'true' }),
  'submit-a-list-as-value': recorded('A number, a text or an object.', { value: '[92]' }),
  'submit-from-the-future': recorded('Sixty-one seconds.', { collected_at: '"2026-01-31T12:01:00.001Z"' }),
  'submit-collected-on-a-day': recorded('No time, no zone.', { collected_at: '"2026-01-30"' }),
  'submit-in-another-category': recorded('It is glucose.', { category: '"BSP-CV"' }),
  'submit-on-another-level': recorded('It is STANDARD.', { level: '"CORE"' }),
  'submit-with-a-confidence-of-2': recorded('0 to 1.', { confidence: '2' }),
  'submit-a-range-of-texts-where-numbers-belong': recorded('A number.', { ref_range: '{"optimal_low":"75"}' }),
  'submit-a-range-of-another-name': recorded('No such range.', { ref_range: '{"panic_low":40}' }),
  'submit-collected-at-no-time-with-a-timestamp': recorded('collected_at is there, and wrong.', {
    collected_at: '"yesterday"',
    timestamp: '"2026-01-30T08:15:00Z"',
  }),
  'submit-with-a-timestamp-that-is-no-time': recorded('It stands for collected_at.', {
    collected_at: '',
    timestamp: '"2026-01-30"',
  }),
  'submit-correcting-what-is-no-id': recorded('An id is a text.', { supersedes: '7' }),
  'submit-a-number-for-a-record': refused('An object.', submission({ records: `[${RECORD},92]` }), 'RECORD_INVALID'),
};
