import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { DecimalMark } from '../../../../protocol/clinical/value.ts';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import { type DateOrder, provenOrder } from './local-times.ts';
import { mappingOf } from './map-columns.ts';
import { type Encoding, numberMarks, parseCsv, readRows, textOfFile } from './read-csv.ts';

/** What a person answers on the page; the file decides the rest. */
interface Choices {
  readonly mark?: DecimalMark;
  readonly dateOrder?: DateOrder;
}

/** How a file must be read: each row with its record, or with its problems. */
interface Reading {
  readonly choices?: Choices;
  readonly encoding: Encoding;
  /** The numbers that the page asks about, in both readings: with a point, with a comma. */
  readonly asks?: readonly (readonly string[])[];
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
const COVER = { covers: () => true, levels: [], period: null };

/** Reads a file as the page does, for people in New York. */
function readingOf(bytes: Uint8Array, choices: Choices | undefined): Reading {
  const { text, encoding } = textOfFile(bytes);
  const parsed = parseCsv(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const mapping = mappingOf(parsed);
  const { open } = numberMarks(parsed, mapping);
  const days = parsed.body.map(({ texts }) => texts[mapping.collected_at ?? -1] ?? '');
  const { rows } = readRows(parsed, {
    mapping,
    mark: choices?.mark ?? null,
    dateOrder: choices?.dateOrder ?? provenOrder(days),
    zone: 'America/New_York',
    wasSent: () => false,
    recipientOf: () => ({ usable: [{ consent: CONSENT, cover: COVER }] }),
    now: NOW,
  });
  return {
    ...(choices && { choices }),
    encoding,
    ...(open.length > 0 && { asks: open.map(({ withPoint, withComma }) => [withPoint, withComma]) }),
    rows: rows.map(({ row, record, problems, warnings }) => ({
      row,
      ...(problems.length > 0
        ? {
            problems: problems.map(
              (problem) =>
                `${'column' in problem ? `${problem.column} ` : ''}${'problem' in problem ? problem.problem : problem.message}`,
            ),
          }
        : { record }),
      ...(warnings.length > 0 && { warnings: warnings.map(({ kind }) => kind) }),
    })),
  };
}

const names = readdirSync(CASES).flatMap((file) => (file.endsWith('.csv') ? [file.slice(0, -4)] : []));

describe('a file is read as stated, or what is wrong with it is reported:', () => {
  test('there are many kinds', () => {
    expect(names.length).toBeGreaterThanOrEqual(80);
  });

  test.each(names)('%s', (name) => {
    const stated: Reading = JSON.parse(readFileSync(new URL(`${name}.json`, CASES), 'utf8'));
    expect(readingOf(readFileSync(new URL(`${name}.csv`, CASES)), stated.choices)).toEqual(stated);
  });
});
