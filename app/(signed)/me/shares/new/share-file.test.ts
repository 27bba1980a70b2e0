import { expect, test } from 'vitest';
import { exportedRecord } from '../../../../../protocol/records/test-exported-record.ts';
import { exportOf } from '../../../../../server/features/records/formats/test-export.ts';
import { shareFile } from './share-file.ts';

const [FIRST, SECOND, REPLACED] = [
  exportedRecord({ value: '13.50', note: 'x' }),
  exportedRecord({ value: 12 }),
  exportedRecord({ value: 11 }, { status: 'SUPERSEDED' }),
];
const AT = '2026-11-21T12:00:00.000Z';
const idsOf = (...records: readonly (typeof FIRST)[]) => new Set(records.map(({ record }) => record.record_id));
const exported = new Blob([exportOf('JSON', [FIRST, SECOND, REPLACED])]);
const made = (chosen: ReadonlySet<string>) => shareFile({ exported, chosen, at: AT, words: null });

test('a file has the chosen records of an export with their proofs, and nothing else', async () => {
  const file = await made(idsOf(FIRST));
  const { entry } = JSON.parse(file?.content ?? '');
  const ofType = (type: string) =>
    entry.flatMap(({ resource }: { resource: { resourceType: string } }) =>
      resource.resourceType === type ? [resource] : [],
    );
  expect(entry).toHaveLength(4);
  expect(ofType('Observation')).toMatchObject([{ id: FIRST.record.record_id, status: 'final' }]);
  const [{ contained, extension, entity }] = ofType('Provenance');
  expect(JSON.parse(atob(contained[0].data))).toEqual(FIRST.submitted);
  expect(extension[0].extension).toContainEqual({ url: 'salt', valueString: FIRST.proof.salt });
  expect(entity[0].what.identifier.value).toBe(FIRST.proof.arweave_tx);
});

test('no file is made where a chosen record is missing, or was replaced', async () => {
  expect(await made(idsOf(FIRST, REPLACED))).toBeNull();
  expect(await made(new Set(['another']))).toBeNull();
});
