import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvCell, unescapedCell } from '../../../../protocol/records/csv-cell.ts';
import type { Exported } from '../../../../protocol/records/exported-record.ts';
import { commitmentOf, exportedRecord, HOSTILE, LAB } from '../../../../protocol/records/test-exported-record.ts';
import { canonicalJson } from '../../../../protocol/signing/canonical-json.ts';
import { CSV_COLUMNS } from './csv.ts';
import { exportOf } from './test-export.ts';

/** A strict parser of RFC 4180: quotes only around a whole cell, CRLF at the end of every row. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const found = cell.exec(text);
    if (!found) throw new Error(`Not CSV at ${at}: ${text.slice(at, at + 40)}`);
    const [, quoted, plain, end] = found;
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') {
      rows.push(row);
      row = [];
    }
  }
  if (row.length > 0) throw new Error('The last row does not end.');
  return rows;
}

const BOM = '\ufeff';

/** Splits like a spreadsheet at another separator: a quotation mark quotes only at the beginning of a cell. */
function splitAt(separator: string, text: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= text.length; ) {
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; at < text.length && (text[at] !== '"' || text[at + 1] === '"'); at += 1) {
        if (text[at] === '"') at += 1;
        cell += text[at];
      }
      at += 1;
    }
    for (; at < text.length && ![separator, '\r', '\n'].includes(text[at] ?? ''); at += 1) cell += text[at];
    cells.push(cell);
    at += 1;
  }
  return cells;
}

const RUNS = /^["'\s\u200b\ufeff]*[=+\-@＝＋－＠]/u;
/** Whether a spreadsheet shows a cell rather than evaluates it. */
const isHarmless = (cell: string): boolean =>
  !RUNS.test(cell) || /^["\s\u200b\ufeff]*'/u.test(cell) || /^-?\d+(\.\d+)?$/.test(cell);

function read(records: readonly Exported[]): Record<string, string>[] {
  const text = exportOf('CSV', records);
  expect(text.startsWith(BOM)).toBe(true);
  const [header = [], ...rows] = parseCsv(text.slice(1));
  return rows.map((row) => {
    expect(row).toHaveLength(header.length);
    return Object.fromEntries(header.map((name, index) => [name, row[index] ?? '']));
  });
}

describe('the CSV export', () => {
  test('has these columns, in this order', () => {
    expect(CSV_COLUMNS).toEqual([
      'record_id',
      'biomarker',
      'biomarker_name',
      'category',
      'level',
      'value',
      'unit',
      'collected_at',
      'submitted_at',
      'status',
      'supersedes',
      'confidence',
      'ref_range',
      'source_method',
      'source_equipment',
      'source_operator',
      'source_firmware',
      'ieo_id',
      'ieo_domain',
      'ieo_name',
      'ieo_type',
      'ieo_country',
      'beo_id',
      'version',
      'data_hash',
      'arweave_tx',
      'proof_index',
      'commitment',
      'salt',
      'submitted',
      'client_record_id',
      'interpretation',
    ]);
  });

  test('has only the header without records', () => {
    expect(exportOf('CSV', [])).toBe(`${BOM}${CSV_COLUMNS.join(',')}\r\n`);
  });

  test('has a row for each record, including superseded ones', () => {
    const superseded = exportedRecord({ value: 12 }, { status: 'SUPERSEDED' });
    const correction = exportedRecord({ value: 12.4, supersedes: superseded.record.record_id });
    expect(read([correction, superseded])).toMatchObject([
      { value: '12.4', status: 'ACTIVE', supersedes: superseded.record.record_id, biomarker_name: 'Hemoglobin' },
      { value: '12', status: 'SUPERSEDED', supersedes: '', ieo_name: 'Laboratório Fleury', ieo_country: 'BR' },
    ]);
  });

  test('has the interpretation that FHIR has', () => {
    const ref_range = { functional_low: 3.5, functional_high: 5.1, critical_low: 2.5 };
    const records = [1.9, '<3', 4, '4,000'].map((value) => exportedRecord({ value, ref_range }));
    expect(read(records).map(({ interpretation }) => interpretation)).toEqual(['LL', 'L', 'N', '']);
    const { entry } = JSON.parse(exportOf('FHIR_R4', records));
    const observations = entry.filter(
      ({ resource }: { resource: { resourceType: string } }) => resource.resourceType === 'Observation',
    );
    const codes = observations.map(
      ({ resource }: { resource: { interpretation?: { coding: { code: string }[] }[] } }) =>
        resource.interpretation?.[0]?.coding[0]?.code,
    );
    expect(codes).toEqual(['LL', 'L', 'N', undefined]);
  });

  test('writes numbers as JSON does and does not change numeric texts', () => {
    const values = [-0.5, 1e21, 1e-7, 0, 13, '1.50', '-1.50', '-2e-3'];
    expect(read(values.map((value) => exportedRecord({ value }))).map(({ value }) => value)).toEqual([
      '-0.5',
      '1e+21',
      '1e-7',
      '0',
      '13',
      '1.50',
      '-1.50',
      '-2e-3',
    ]);
  });

  test('writes an object into one cell as canonical JSON', () => {
    const [row] = read([
      exportedRecord({
        value: { systolic: 120, diastolic: 80 },
        ref_range: { functional_low: 90, unit: 'mmHg' },
        source: { method: 'cuff', equipment: { model: 'X', maker: 'Y' } },
      }),
    ]);
    expect(row).toMatchObject({
      value: '{"diastolic":80,"systolic":120}',
      ref_range: '{"functional_low":90,"unit":"mmHg"}',
      source_method: 'cuff',
      source_equipment: '{"maker":"Y","model":"X"}',
      source_operator: '',
    });
  });

  test('contains the proof of each record in its row', () => {
    for (const row of read(HOSTILE.map((value) => exportedRecord({ value, note: value })))) {
      const { salt = '', submitted = '', commitment } = row;
      expect(commitmentOf(salt, JSON.parse(submitted))).toBe(commitment);
      expect(submitted).toBe(canonicalJson(JSON.parse(submitted)));
    }
  });

  test('escapes formulas in every column', () => {
    const columns = [
      'value',
      'unit',
      'version',
      'source_method',
      'source_equipment',
      'source_operator',
      'source_firmware',
    ];
    const written: Record<string, string> = { '\t=1': "'\t'=1", '\r=1': "'\r'=1", 'a;=1': "a;'=1" };
    const formulas = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '＝1', '＋1', '－1－1', '＠x', '  =1'];
    for (const text of [...formulas, ...Object.keys(written)]) {
      const source = { method: text, equipment: text, operator: text, firmware: text };
      const institution = { ...LAB, display_name: text, country: text, domain: text };
      const [row] = read([exportedRecord({ value: text, unit: text, version: text, source }, {}, { institution })]);
      for (const column of [...columns, 'ieo_name', 'ieo_country', 'ieo_domain']) {
        expect([column, row?.[column]]).toEqual([column, written[text] ?? `'${text}`]);
      }
    }
  });
});

describe('a file split at another separator', () => {
  const texts = fc.string({ unit: fc.constantFrom(...'=+-@＝ \t\r\n",;\'1a\u200b'), maxLength: 10 });

  test.each([';', '\t'])('has no cell that is evaluated: %j', (separator) => {
    fc.assert(
      fc.property(texts, texts, (text, unit) => {
        const source = { method: text, equipment: unit, operator: { name: text } };
        const file = exportOf('CSV', [exportedRecord({ value: text, unit, note: text, source })]).slice(1);
        for (const cell of splitAt(separator, file)) expect([cell, isHarmless(cell)]).toEqual([cell, true]);
      }),
      {
        examples: [
          ['x;=1+1;y', 'z'],
          ['x', 'a\t=1\tb'],
          ['a;"=1";', ';'],
          ['\t=1\t', '\n=1'],
        ],
      },
    );
  });
});

describe('a cell', () => {
  test.each([
    '=1+1',
    '+1',
    '+1.5',
    '-1+1',
    '--1',
    '-',
    '-.5',
    '-01',
    '@x',
    '\tx',
    '\rx',
    '\nx',
    ' =1',
    '\u00a0=1',
    '\u3000＝1',
    '\u200b=1',
    '\ufeff=1',
    '\u2060\u00ad=1',
    '\u202e=1',
    '\u0001=1',
    '\u2800=1',
    ' \tx',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '﹦1',
    '﹢1',
    '﹣1',
    '﹫x',
    '⁼1',
    '⁺1',
    '₋1',
    '−1',
    "'=1",
  ])('is escaped with an apostrophe: %j', (text) => {
    expect(parseCsv(`${csvCell(text)}\r\n`)).toEqual([[`'${text}`]]);
  });

  test.each([
    '',
    'x',
    '1.50',
    '-1.50',
    '-0',
    '1e5',
    '1=1',
    'a-b',
    'ana@bsp',
    "'x",
    '<0.5',
    '(−)',
    '  x',
    'µg/L',
    '"=1"',
  ])('is not escaped: %j', (text) => {
    expect(parseCsv(`${csvCell(text)}\r\n`)).toEqual([[text]]);
  });

  test('is empty for null and undefined', () => {
    expect([csvCell(null), csvCell(undefined)]).toEqual(['', '']);
  });

  test('is parsed as it was written, apart from apostrophes', () => {
    const nasty = fc.string({ unit: fc.constantFrom(...'=+-@＝－ \t\r\n",;\'|1a\u200b\ufeffé👩'), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(fc.oneof(nasty, fc.string({ unit: 'binary' })), { minLength: 1, maxLength: 6 }), (texts) => {
        const [row = []] = parseCsv(`${texts.map(csvCell).join(',')}\r\n`);
        expect(row.map(unescapedCell)).toEqual(texts);
      }),
    );
  });

  test.each([
    ['a;=1+1', "a;'=1+1"],
    ['a;-1', "a;'-1"],
    ['a\t=1', "a\t'=1"],
    ['a\n@x', "a\n'@x"],
    ['a\r\n=1', "a\r\n'=1"],
    ['a; \u200b=1;b', "a;' \u200b=1;b"],
    ['a;"=1"', 'a;\'"=1"'],
    ["a;'=1", "a;''=1"],
    ['a;b;＝1;+2', "a;b;'＝1;'+2"],
    ['=1;=2', "'=1;'=2"],
  ])('has an apostrophe before every part that would be evaluated: %j', (text, written) => {
    expect(parseCsv(`${csvCell(text)}\r\n`)).toEqual([[written]]);
  });

  test.each(['a;b', 'a; b', 'Roche; cobas e 601', 'a\tb', 'a\nb', 'a;1.5', ';'])(
    'with a separator and no formula is not escaped: %j',
    (text) => {
      expect(parseCsv(`${csvCell(text)}\r\n`)).toEqual([[text]]);
    },
  );

  test('of JSON has \\u003b for a semicolon before a formula, and is the same JSON', () => {
    const value = { note: 'a;=1+1', remark: 'b;c' };
    const [[cell = ''] = []] = parseCsv(`${csvCell(value)}\r\n`);
    expect(cell).toBe('{"note":"a\\u003b=1+1","remark":"b;c"}');
    expect(JSON.parse(cell)).toEqual(value);
  });

  test('is escaped if a formula follows invisible characters', () => {
    const skipped = fc.string({
      unit: fc.constantFrom(' ', '\u00a0', '\u3000', '\u200b', '\ufeff', '\u2028', '\u0000', '\u00ad'),
    });
    const trigger = fc.constantFrom(...'=+-@＝＋－＠\t\r');
    fc.assert(
      fc.property(skipped, trigger, fc.string(), (before, sign, rest) => {
        fc.pre(!/^-\d/.test(sign + rest));
        const [[cell = ''] = []] = parseCsv(`${csvCell(before + sign + rest)}\r\n`);
        expect(cell.startsWith("'")).toBe(true);
        expect(unescapedCell(cell)).toBe(before + sign + rest);
      }),
    );
  });
});
