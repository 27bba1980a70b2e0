import { type Parts, parts } from './consent-texts.ts';
import { BEO_ID, INSTITUTION_SEED, NONCE, type Texts, TIMESTAMP, TOKEN_ID } from './texts.ts';

/** Test code: records as an institution sends and signs them. A member that is '' is not there. */

const GLUCOSE = {
  biomarker: '"BSP-GL-001"',
  collected_at: '"2026-01-30T08:15:00Z"',
  unit: '"mg/dL"',
  value: '92',
};

/** A record, its members in the order of RFC 8785. */
export const record = (changes: Texts = {}): string =>
  `{${Object.entries({ ...GLUCOSE, ...changes })
    .filter(([, text]) => text !== '')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`;

export const RECORD = record();

export function submission(changes: Texts = {}): Parts {
  const message = {
    consentToken: TOKEN_ID,
    function: '"submitRecords"',
    nonce: NONCE,
    records: `[${RECORD}]`,
    targetBeo: BEO_ID,
    timestamp: TIMESTAMP,
  };
  return parts('submitRecords', message, changes, INSTITUTION_SEED);
}

/** What some deployed clients sign in place of the records. */
export const countSigned = (count: string): string =>
  `{"consentToken":${TOKEN_ID},"function":"submitRecords","nonce":${NONCE},"recordCount":${count},"targetBeo":${BEO_ID},"timestamp":${TIMESTAMP}}`;
