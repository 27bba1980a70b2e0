import { expect, test } from 'vitest';
import { CSV_HEAD, csvRows } from './entries-csv.ts';

const ENTRY = {
  seq: 7,
  epoch: 1,
  id: 'an-id',
  function: 'lockBEO',
  entity_id: 'an-entity',
  accepted_at: '2026-03-04T05:06:07.000Z',
  status: 'FINAL',
  l1_tx: null,
  confirmations: 18,
  subject: null,
  facts: null,
} as const;

test('each entry is a row, in which no text runs as a formula', () => {
  const subject = { kind: 'consent', domain: 'a.bsp', grantee: '=1+1' } as const;
  const text = CSV_HEAD + csvRows([ENTRY, { ...ENTRY, subject }], () => 'Frozen, for good');
  expect(text).toBe(
    [
      '\ufeffnumber,accepted_at,function,what,kind,subject,grantee,entity_id,status,id,network_transaction',
      '7,2026-03-04T05:06:07.000Z,lockBEO,"Frozen, for good",,,,an-entity,FINAL,an-id,',
      `7,2026-03-04T05:06:07.000Z,lockBEO,"Frozen, for good",consent,a.bsp,'=1+1,an-entity,FINAL,an-id,`,
      '',
    ].join('\r\n'),
  );
});
