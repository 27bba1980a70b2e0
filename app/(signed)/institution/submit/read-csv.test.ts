import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DecimalMark, meaningOf } from '../../../../protocol/clinical/value.ts';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { csvCell } from '../../../../protocol/records/csv-cell.ts';
import { submittedRecord } from '../../../../protocol/records/record.ts';
import { csvTemplate } from './csv-template.ts';
import { mappingOf } from './map-columns.ts';
import { readValue, sentValue } from './read-cell.ts';
import { numberMarks, parseCsv, readRows, textOfFile } from './read-csv.ts';
import { recipientOf, recipientsIn } from './recipients.ts';
import type { Cover } from './record-of-cells.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const EVERYTHING: Cover = { covers: () => true, levels: [], period: null };
const UNCHOSEN = { mark: null, rangeMark: null, dateOrder: 'iso', zone: 'America/New_York' } as const;
const HEADER = 'biomarker,value,unit,collected_at';
const AT = '2026-11-20T08:30:00-03:00';

const NEWEST = consentOf({});

/** A consent of a person; it covers everything, unless stated otherwise. */
function consentOf(changes: { domain?: string; id?: string; status?: string; scope?: object }): TokenView {
  const { domain = 'ada.bsp', id = 'tok_1', status = 'ACTIVE', scope = {} } = changes;
  const everything = { intents: ['SUBMIT_RECORD'], categories: ['*'], levels: [], period: null, max_records: null };
  return {
    token_id: id,
    beo_id: `id of ${domain}`,
    beo_domain: domain,
    arweave_tx: `entry of ${id}`,
    status,
    scope: { ...everything, ...scope },
  } as unknown as TokenView;
}

/** Reads a file whose rows are about one person, under one consent. */
function rowsOf(text: string, { mark = null as DecimalMark | null, cover = EVERYTHING } = {}) {
  const parsed = parseCsv(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const mapping = mappingOf(parsed);
  return readRows(parsed, {
    mapping,
    ...UNCHOSEN,
    mark,
    rangeMark: mark,
    recipientOf: () => ({ usable: [{ consent: NEWEST, cover }] }),
    wasSent: () => false,
    now: NOW,
  });
}

/** Reads a file of several people. */
function rowsUnder(text: string, consents: readonly TokenView[], { frozen = [''], references = [['', '']] } = {}) {
  const parsed = parseCsv(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const received = {
    consents,
    frozen: new Set(frozen),
    references: new Map(references as [string, string][]),
    ieoType: 'LAB' as const,
  };
  const recipientOf = recipientsIn(received);
  return readRows(parsed, {
    mapping: mappingOf(parsed),
    ...UNCHOSEN,
    recipientOf,
    wasSent: () => false,
    now: NOW,
  }).rows;
}

const record = (text: string, options = {}) => rowsOf(text, options).rows[0]?.record;
const problems = (text: string, options = {}) =>
  rowsOf(text, options).rows.map(({ row, problems }) => [
    row,
    ...problems.map((problem) =>
      problem.kind === 'fhir' || problem.kind === 'message'
        ? problem.kind
        : `${'column' in problem ? problem.column : 'row'} ${problem.problem}`,
    ),
  ]);

test('reads the template as one record without problems', () => {
  const { rows, leftOut } = rowsOf(csvTemplate(new Date(NOW)));
  expect(leftOut).toEqual([]);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.problems).toEqual([]);
  expect(rows[0]?.record).toEqual({
    biomarker: 'BSP-GL-001',
    value: 92,
    unit: 'mg/dL',
    collected_at: '2026-11-21T12:00:00Z',
    confidence: 0.98,
    ref_range: { functional_low: 70, functional_high: 99 },
  });
});

test('reads any separator, a byte order mark, and the sep= line of a spreadsheet', () => {
  const plain = record(`${HEADER}\nBSP-HR-001,2.1,mU/L,${AT}\n`);
  expect(plain).toMatchObject({ biomarker: 'BSP-HR-001', value: 2.1 });
  for (const text of [
    `\ufeff${HEADER}\r\nBSP-HR-001,2.1,mU/L,${AT}`,
    `sep=;\r\n${HEADER.replaceAll(',', ';')}\r\nBSP-HR-001;2.1;mU/L;${AT}\r\n`,
    `${HEADER.replaceAll(',', '\t')}\nBSP-HR-001\t2.1\tmU/L\t${AT}`,
    ` Biomarker ,VALUE,Unit,Collected At\n\n bsp-hr-001 , 2.1 ,"mU/L",${AT}\n , ,,\n`,
  ])
    expect(record(text), text).toEqual(plain);
});

test('decodes the µ of UTF-8, Windows-1252 and UTF-16 files, and names the encoding', () => {
  const text = `${HEADER}\nBSP-VT-001,30,µg/L,${AT}`;
  const latin = Uint8Array.from([...text].map((character) => character.charCodeAt(0)));
  const utf16 = new Uint8Array([0xff, 0xfe, ...new Uint8Array(Uint16Array.from([...latin]).buffer)]);
  expect(textOfFile(new TextEncoder().encode(text))).toEqual({ text, encoding: 'utf-8' });
  expect(textOfFile(latin)).toEqual({ text, encoding: 'windows-1252' });
  expect(textOfFile(utf16)).toEqual({ text, encoding: 'utf-16' });
});

test('one damaged byte does not turn a UTF-8 file into another encoding', () => {
  const bytes = new Uint8Array([
    ...new TextEncoder().encode(`µg/L;Potássio;`),
    0xe9,
    ...new TextEncoder().encode(';fim'),
  ]);
  expect(textOfFile(bytes)).toEqual({ text: 'µg/L;Potássio;\ufffd;fim', encoding: 'utf-8 damaged' });
});

test('a file of UTF-8 in which characters were damaged before does not turn into another encoding', () => {
  const text = 'Pot\ufffdssio;S\ufffddio';
  expect(textOfFile(new TextEncoder().encode(text))).toEqual({ text, encoding: 'utf-8 damaged' });
});

test('sends a value as a number only if the number has the same text', () => {
  expect(
    ['5', '5.3', '-2', '5.30', '0.1', '1e3', '007', '12345678901234567890', '< 5', 'NaN', 'Infinity'].map(sentValue),
  ).toEqual([5, 5.3, -2, '5.30', 0.1, '1e3', '007', '12345678901234567890', '< 5', 'NaN', 'Infinity']);
  fc.assert(fc.property(fc.string(), (text) => String(sentValue(text)) === text));
  fc.assert(fc.property(fc.double({ noNaN: true }), (value) => String(sentValue(String(value))) === String(value)));
});

test('reads a decimal comma that can be nothing else, and asks what a number with two readings means', () => {
  const text = `${HEADER.replaceAll(',', ';')};ref_high\nBSP-HR-001;5,30;mU/L;${AT};1.100\nBSP-HR-001;1.250;mU/L;2026-11-19T08:30:00Z;9,5`;
  expect(problems(text)).toEqual([
    [2, 'ref_high mark'],
    [3, 'value mark'],
  ]);
  expect(record(text, { mark: ',' })).toMatchObject({ value: '5.30', ref_range: { functional_high: 1100 } });
  expect(rowsOf(text, { mark: ',' }).rows[1]?.record.value).toBe(1250);
  expect(rowsOf(text, { mark: '.' }).rows[1]?.record.value).toBe('1.250');
});

test('asks for the decimal mark unless the file proves it, that reading is usual for the biomarker and no other is possible', () => {
  const parsed = (rows: string[]) =>
    parseCsv([HEADER, ...rows.map((value) => `BSP-HM-002,"${value}",g/dL,${AT}`)].join('\n'));
  const marksOf = (...values: string[]) => {
    const file = parsed(values);
    if ('problem' in file) throw new Error(file.problem);
    return numberMarks(file, mappingOf(file));
  };
  expect(marksOf('9.5', '13.250')).toEqual({ proven: '.', open: [], openRanges: [] });
  expect(marksOf('9,5', '13,250')).toEqual({ proven: ',', open: [], openRanges: [] });
  for (const values of [['9,5', '13.250'], ['13.250'], ['9,5', '8.25', '13.250']])
    expect(marksOf(...values).open).toEqual([
      { text: '13.250', kind: 'uncertain', withPoint: '13.250', withComma: '13250' },
    ]);
  expect(marksOf('9.5', '1.250').open).toHaveLength(1);
});

test('reports each invalid cell with the row number of a spreadsheet', () => {
  const header = `${HEADER},confidence,ref_low,supersedes`;
  const rows = [
    `BSP-XX-001,1,U/L,${AT},,,`,
    '',
    `BSP-HR-001,,U/L,2026-11-20,,,`,
    `BSP-HR-001,1,,2026-11-22T00:00:00Z,2,low,no-id`,
    `BSP-HR-001,1,${'u'.repeat(61)},${AT},0.5,1.0,`,
    `BSP-HR-001,1,U/L,0999-01-01T00:00:00Z,,0.12345678901234567890,`,
  ];
  expect(problems([header, ...rows].join('\n'))).toEqual([
    [2, 'biomarker code'],
    [4, 'value missing'],
    [5, 'unit missing', 'collected_at future', 'confidence confidence', 'supersedes id', 'ref_low number'],
    [6, 'unit tooLong'],
    [7, 'collected_at time', 'ref_low number'],
  ]);
});

test('reports what the consent does not cover', () => {
  const cover: Cover = {
    covers: (category) => category === 'BSP-HR',
    levels: ['STANDARD'],
    period: { from: '2026-11-01T00:00:00.000Z', to: '2026-11-20T00:00:00.000Z' },
  };
  const rows = [
    'BSP-HR-001,1,U/L,2026-11-10T00:00:00Z',
    'BSP-GL-001,1,mg/dL,2026-11-10T00:00:00Z',
    'BSP-HR-001,1,U/L,2026-10-31T23:59:59Z',
    'BSP-HR-001,1,U/L,2026-11-20T00:00:01Z',
  ];
  expect(problems([HEADER, ...rows].join('\n'), { cover })).toEqual([
    [2],
    [3, 'biomarker notCovered'],
    [4, 'collected_at outsidePeriod'],
    [5, 'collected_at outsidePeriod'],
  ]);
});

test('lists the columns that it does not use, and sends nothing of them', () => {
  expect(parseCsv('')).toEqual({ problem: 'empty' });
  expect(parseCsv(HEADER)).toEqual({ problem: 'empty' });
  const read = rowsOf(`patient,notes,${HEADER}\nada.bsp,Ada,BSP-HR-001,1,U/L,${AT}`);
  expect(read.leftOut).toEqual(['notes']);
  expect(JSON.stringify(read.rows[0]?.record)).not.toMatch(/ada/i);
  expect(parseCsv(`${HEADER}\n${`BSP-HR-001,1,U/L,${AT}\n`.repeat(50_001)}`)).toEqual({ problem: 'tooMany' });
});

test('matches each row to the consents of its person, by name, id, consent or local reference', () => {
  const [ada, bob] = [NEWEST, consentOf({ domain: 'bob.bsp', id: 'tok_2' })];
  const people = ['ada.bsp', ' ADA ', 'id of ada.bsp', 'tok_2', 'entry of tok_2', 'ward 7', 'eve.bsp', ''];
  const text = [
    `patient,${HEADER}`,
    ...people.map((name, hour) => `${name},BSP-HR-001,1,µUI/mL,2026-11-20T0${hour}:00:00Z`),
  ];
  const rows = rowsUnder(text.join('\n'), [ada, bob], { references: [['id of bob.bsp', 'Ward 7']] });
  expect(rows.map(({ consent }) => consent?.token_id)).toEqual([
    'tok_1',
    'tok_1',
    'tok_1',
    'tok_2',
    'tok_2',
    'tok_2',
    undefined,
    undefined,
  ]);
  expect(rows.slice(-2).map(({ problems }) => problems)).toEqual([
    [{ kind: 'cell', column: 'patient', problem: 'noConsent' }],
    [{ kind: 'cell', column: 'patient', problem: 'missing' }],
  ]);
});

test('names why a person has no usable consent, and every other problem of the row', () => {
  const consents = [
    consentOf({ domain: 'over.bsp', status: 'EXPIRED' }),
    consentOf({ domain: 'gone.bsp', status: 'REVOKED' }),
    consentOf({ domain: 'read.bsp', scope: { intents: ['READ_RECORDS'] } }),
    consentOf({ domain: 'cold.bsp' }),
    consentOf({ domain: 'one.bsp' }),
    consentOf({ domain: 'two.bsp' }),
  ];
  const people = ['over', 'gone', 'read', 'cold', 'ward 7'];
  const rows = rowsUnder(
    [`patient,${HEADER}`, ...people.map((name) => `${name},BSP-HR-001,,U/L,tomorrow`)].join('\n'),
    consents,
    {
      frozen: ['id of cold.bsp'],
      references: [
        ['id of one.bsp', 'ward 7'],
        ['id of two.bsp', 'ward 7'],
      ],
    },
  );
  expect(rows.map(({ problems }) => problems.map((problem) => problem.kind === 'cell' && problem.problem))).toEqual(
    ['consentExpired', 'consentWithdrawn', 'cannotAdd', 'frozen', 'severalPeople'].map((problem) => [
      problem,
      'missing',
      'time',
    ]),
  );
});

test('takes the consent of a person that covers the row', () => {
  const hormones = consentOf({ id: 'tok_2', scope: { categories: ['BSP-HR'] } });
  const sugar = consentOf({ id: 'tok_1', scope: { categories: ['BSP-GL'] } });
  const rows = ['BSP-GL-001,1,mg/dL', 'BSP-HR-001,1,µUI/mL', 'BSP-VT-001,1,ng/mL'];
  const text = [`patient,${HEADER}`, ...rows.map((row) => `ada,${row},${AT}`)].join('\n');
  const read = rowsUnder(text, [hormones, sugar]);
  expect(read.map(({ consent, problems }) => [consent?.token_id, problems.length])).toEqual([
    ['tok_1', 0],
    ['tok_2', 0],
    ['tok_2', 1],
  ]);
  expect(recipientOf([], { frozen: new Set(), ieoType: 'LAB' })).toMatchObject({ problem: 'noConsent' });
});

test('names the reason where no column names the person and theirs is frozen', () => {
  const parsed = parseCsv(`${HEADER}\nBSP-HR-001,1,µUI/mL,${AT}`);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const frozen = recipientOf([NEWEST], { frozen: new Set([NEWEST.beo_id]), ieoType: 'LAB' });
  const options = {
    mapping: mappingOf(parsed),
    ...UNCHOSEN,
    recipientOf: () => frozen,
    wasSent: () => false,
    now: NOW,
  };
  expect(readRows(parsed, options).rows[0]?.problems).toEqual([{ kind: 'cell', column: 'patient', problem: 'frozen' }]);
});

test('warns of an unusual unit, a code that is not listed, and the same person, code and time twice', () => {
  const rows = [
    `BSP-GL-001,91,mg/dL,${AT}`,
    'BSP-GL-001,92,MG/DL,2026-11-20T11:30:00Z',
    'BSP-GL-001,5,mmol/L,2026-11-19T11:30:00Z',
    'BSP-GL-001,5,g,2026-11-19T12:30:00Z',
    'BSP-GL-999,5,mmol/L,2026-11-19T11:30:00Z',
    'BSP-HR-001,5,uIU/mL,2026-11-19T11:30:00Z',
    'BSP-HM-001,5,10^6/uL,2026-11-19T11:30:00Z',
  ];
  expect(rowsOf([HEADER, ...rows].join('\n')).rows.map(({ warnings }) => warnings)).toEqual([
    [],
    [{ kind: 'duplicate', row: 2 }],
    [],
    [{ kind: 'unit', usual: 'mg/dL' }],
    [{ kind: 'unlisted' }],
    [],
    [],
  ]);
});

test('a row without problems is valid for the server', () => {
  const cell = fc.constantFrom(
    '',
    '1',
    '1.50',
    '-3',
    'high',
    '2,5',
    'BSP-HR-001',
    'BSP-GL-999',
    'mg/dL',
    AT,
    '2026-11-20',
    '0.5',
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell, cell, cell, cell), { minLength: 1 }), (rows) => {
      const text = [
        `${HEADER},confidence,ref_high`,
        ...rows.map((cells) => cells.map((text) => `"${text}"`).join(',')),
      ];
      if ('problem' in parseCsv(text.join('\n'))) return true;
      return rowsOf(text.join('\n'), { mark: ',' }).rows.every(
        ({ record, problems }) => problems.length > 0 || submittedRecord.safeParse(record).success,
      );
    }),
  );
});

test('reads days in the order that was chosen, and shows them as they are in the file', () => {
  const parsed = parseCsv(`${HEADER}\nBSP-GL-001,92,mg/dL,20/11/2026 08:30\nBSP-GL-001,92,mg/dL,20/11/2026`);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const options = {
    mapping: mappingOf(parsed),
    ...UNCHOSEN,
    recipientOf: () => ({ usable: [{ consent: NEWEST, cover: EVERYTHING }] as const }),
    wasSent: () => false,
    now: NOW,
  };
  const { rows, localTimes, numericDays } = readRows(parsed, { ...options, dateOrder: 'dayFirst' });
  expect(rows.map(({ record }) => record.collected_at)).toEqual(['2026-11-20T08:30:00-05:00', '2026-11-20']);
  expect([rows[0]?.cells.collected_at, localTimes, numericDays]).toEqual(['20/11/2026 08:30', true, true]);
  const order = [{ kind: 'cell', column: 'collected_at', problem: 'order' }];
  expect(readRows(parsed, { ...options, dateOrder: 'iso' }).rows[0]?.problems).toEqual(order);
});

test('a row whose record was sent from this browser before has a warning', () => {
  const parsed = parseCsv(
    'biomarker,value,unit,collected_at\nBSP-GL-001,92,mg/dL,2026-11-19T08:30:00Z\nBSP-GL-001,95,mg/dL,2026-11-20T08:30:00Z',
  );
  if ('problem' in parsed) throw new Error(parsed.problem);
  const { rows } = readRows(parsed, {
    mapping: mappingOf(parsed),
    ...UNCHOSEN,
    recipientOf: () => ({ usable: [{ consent: NEWEST, cover: EVERYTHING }] }),
    wasSent: (beoId, record) => beoId === NEWEST.beo_id && JSON.stringify(record).includes('92'),
    now: NOW,
  });
  expect(rows.map(({ warnings }) => warnings)).toEqual([[{ kind: 'sentBefore' }], []]);
});

test('reads what the product saved as the value that it was', () => {
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.parse(JSON.stringify(number)) as number),
    fc.constantFrom('1.50', '++', '+1.5', '<0.5', "'=1+1", '=1+1', 'e3/e4', '-', '@x', 'a;=b', 'x\ty'),
    fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.string())).map((members) => ({ ...members, systolic: 132 })),
  );
  fc.assert(
    fc.property(value, (sent) => {
      const parsed = parseCsv(`biomarker,value,x\r\nBSP-GN-001,${csvCell(sent)},1\r\n`);
      if ('problem' in parsed) throw new Error(parsed.problem);
      const read = readValue(parsed.body[0]?.texts[1] ?? '', '.').sent;
      expect(meaningOf(read)).toEqual(meaningOf(sent));
    }),
  );
});
