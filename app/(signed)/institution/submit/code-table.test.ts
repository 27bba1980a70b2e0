import { expect, test } from 'vitest';
import { codesIn, codeTableCsv, localCodesIn } from './code-table.ts';
import { parseCsv } from './read-csv.ts';

const parsed = (text: string) => {
  const read = parseCsv(text);
  if ('problem' in read) throw new Error(read.problem);
  return read;
};

test('the codes of a laboratory in a file are listed once, the most frequent first', () => {
  const file = parsed('test,unit\r\nGLU,mg/dL\r\nbsp-gl-001,mg/dL\r\nTSH,mUI/L\r\n TSH ,x\r\n,\r\n');
  expect(localCodesIn(file, { biomarker: 0, unit: 1 })).toEqual([
    { text: 'TSH', rows: 2, unit: 'mUI/L' },
    { text: 'GLU', rows: 1, unit: 'mg/dL' },
  ]);
});

test('a table of codes reads back as it was saved', () => {
  const codes = new Map([
    ['GLU', 'BSP-GL-001'],
    ['T4, "livre"', 'BSP-HR-002'],
    ['=K+', 'BSP-MN-007'],
  ]);
  expect(codesIn(parsed(codeTableCsv(codes)))).toEqual(codes);
});

test('rows of a table without the code of a biomarker are left out', () => {
  expect([...codesIn(parsed('code;biomarker\r\nGLU;bsp-gl-001\r\nTSH;x\r\n;BSP-GL-001\r\n'))]).toEqual([
    ['GLU', 'BSP-GL-001'],
  ]);
});
