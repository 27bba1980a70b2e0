import { expect, test } from 'vitest';
import { leftRowsCsv } from './left-rows.ts';
import { parseCsv } from './read-csv.ts';

test('writes the rows that were left, as they are in the file, with the reason', () => {
  const parsed = parseCsv('biomarker;value;notes\r\nBSP-GL-001;5,3;\r\nBSP-HR-001;2;"a ""b"";c"\r\nBSP-X;=1+1');
  if ('problem' in parsed) throw new Error(parsed.problem);
  const left = [
    { row: 4, reason: () => 'Code' },
    { row: 3, reason: () => 'Unit; time' },
  ];
  expect(leftRowsCsv(parsed, left, 'reason')).toBe(
    '\ufeffbiomarker;value;notes;reason\r\nBSP-HR-001;2;"a ""b"";c";"Unit; time"\r\nBSP-X;\'=1+1;;Code\r\n',
  );
});
