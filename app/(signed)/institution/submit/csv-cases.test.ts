import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { DecimalMark } from '../../../../protocol/clinical/value.ts';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import { type DateOrder, provenOrder } from './local-times.ts';
import { mappingOf } from './map-columns.ts';
import { parseBytes } from './parse-file.ts';
import { type Encoding, numberMarks, readRows } from './read-csv.ts';

/** What a person answers on the page; the file decides the rest. */
interface Choices {
  readonly mark?: DecimalMark;
  readonly rangeMark?: DecimalMark;
  readonly dateOrder?: DateOrder;
}

/** How a file must be read: each row with its record, or with its problems. */
interface Reading {
  readonly choices?: Choices;
  readonly encoding: Encoding;
  /** What is in a FHIR file and is not read. */
  readonly leftOut?: readonly string[];
  /** The numbers that the page asks about, in both readings: with a point, with a comma. */
  readonly asks?: readonly (readonly string[])[];
  /** The same for bounds of ranges. */
  readonly asksRanges?: readonly (readonly string[])[];
  readonly rows: readonly {
    readonly row: number;
    readonly record?: { readonly [member: string]: Json };
    readonly problems?: readonly string[];
    readonly warnings?: readonly string[];
  }[];
}

const CASES = new URL('cases/', import.meta.url);
const NOW = Date.parse('2026-11-21T12:00:00Z');
const CONSENT = { beo_id: 'person', token_id: 'tok_1' } as unknown as TokenView;
/** Names of people by which no consent is known. */
const STRANGERS: readonly string[] = ['another-number', '999-99-9999'];
const COVER = { covers: () => true, levels: [], period: null };

/** Reads a file as the page does, for people in New York. */
function readingOf(bytes: Uint8Array, choices: Choices | undefined, isFhir: boolean): Reading {
  const file = parseBytes(bytes);
  if ('problem' in file) throw new Error(file.problem);
  const { parsed, encoding } = file;
  const mapping = mappingOf(parsed);
  const { open, openRanges } = numberMarks(parsed, mapping);
  const days = parsed.body.map(({ texts }) => texts[mapping.collected_at ?? -1] ?? '');
  const { rows, leftOut } = readRows(parsed, {
    mapping,
    mark: choices?.mark ?? null,
    rangeMark: choices?.rangeMark ?? null,
    dateOrder: choices?.dateOrder ?? provenOrder(days),
    zone: 'America/New_York',
    wasSent: () => false,
    // The institution knows the person of each file by one of these.
    recipientOf: (name) =>
      STRANGERS.includes(name)
        ? { usable: [], problem: 'noConsent' }
        : { usable: [{ consent: CONSENT, cover: COVER }] },
    now: NOW,
  });
  return {
    ...(choices && { choices }),
    encoding,
    ...(open.length > 0 && { asks: open.map(({ withPoint, withComma }) => [withPoint, withComma]) }),
    ...(openRanges.length > 0 && { asksRanges: openRanges.map(({ withPoint, withComma }) => [withPoint, withComma]) }),
    ...(isFhir && leftOut.length > 0 && { leftOut }),
    rows: rows.map(({ row, record, problems, warnings }) => ({
      row,
      ...(problems.length > 0
        ? {
            problems: problems.map((problem) =>
              problem.kind === 'fhir'
                ? `${problem.note.path} ${problem.note.kind}`
                : `${'column' in problem ? `${problem.column} ` : ''}${'problem' in problem ? problem.problem : problem.message}`,
            ),
          }
        : { record }),
      ...(warnings.length > 0 && {
        warnings: warnings.map((warning) =>
          warning.kind === 'fhir' ? `${warning.note.path} ${warning.note.kind}` : warning.kind,
        ),
      }),
    })),
  };
}

/** Cases are CSV, JSON of FHIR, or NDJSON; each has its reading in a file of the same name that ends with `.json`. */
const files = readdirSync(CASES).filter((file) => /\.(csv|fhir|ndjson)$/.test(file));

describe('a file is read as stated, or what is wrong with it is reported:', () => {
  test('there are many kinds', () => {
    expect(files.length).toBeGreaterThanOrEqual(80);
  });

  test.each(files)('%s', (file) => {
    const stated: Reading = JSON.parse(readFileSync(new URL(file.replace(/\w+$/, 'json'), CASES), 'utf8'));
    const read = readingOf(readFileSync(new URL(file, CASES)), stated.choices, !file.endsWith('.csv'));
    expect(read).toEqual(stated);
  });
});
